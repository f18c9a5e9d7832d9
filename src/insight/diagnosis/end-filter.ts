/** The words of a refusal → response filters that know the page past the last one by them, and nothing else. */

export type EndFilter = { readonly error_message_contains: string } | { readonly predicate: string }

/**
 * The plainest first. None where the words may be about any mistake: a filter by status, or by `Bad request`, would turn the
 * next wrong request into an empty stream.
 *
 * @example endFilters('page 7 is out of range') // [{ predicate: "{{ 'page' in response | string and …" }]
 */
export function endFilters(message: string): EndFilter[] {
  // Numbers are others on another day; quotes and brackets belong to what was sent.
  const parts = message
    .replace(/…$/, '')
    .split(/\d+|["'`{}[\]\\\n]/)
    .map((part) => part.replace(/^[\s,;:.)–-]+|[\s,;:(–-]+$/g, ''))
    .filter((part) => part.length >= shortest && /[a-z]{3}/i.test(part))
  if (!isOfEnd(parts.join(' '))) return []
  const whole = parts
    .filter((part) => part.length <= longest && isOfEnd(part))
    .toSorted((one, other) => other.length - one.length)
  const tests = parts.filter((part) => part.length <= longest).map((part) => `'${part}' in response | string`)
  // Some messages are in a member that `error_message_contains` does not look at.
  return [
    ...whole.slice(0, 1).map((words) => ({ error_message_contains: words })),
    { predicate: `{{ ${tests.join(' and ')} }}` },
  ]
}

const shortest = 4
const longest = 120

const position = /\b(pages?|offset|skip|start|cursor|index|position|results?|records?|rows?|items?|window)\b/i
const pastEnd =
  /out of (the )?(range|bounds)|beyond|past the (end|last)|no such page|no more|(not|n't) exist|exceed|last page|too (large|high|far|big|deep)|(greater|larger|higher) than|after the (end|last)/i
/** A size that is too large is a mistake of the first request. */
const ofSize = /\b(limit|page[ _-]?size|per[ _-]?page|count|size)\b/i

function isOfEnd(words: string): boolean {
  return position.test(words) && pastEnd.test(words) && !ofSize.test(words)
}

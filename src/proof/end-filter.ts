/** The message of a refusal → response filters that match a page past the end by its words, and nothing else. */

export type EndFilter = { readonly error_message_contains: string } | { readonly predicate: string }

/**
 * The simplest first. None where the words may be about any mistake: a filter by status, or by `Bad request`, would turn the
 * next wrong request into an empty stream.
 *
 * `alsoEnd`: further words of an end, where more is known than these words.
 *
 * @example endFilters('page 7 is out of range') // [{ predicate: "{{ 'page' in response | string and …" }]
 */
export function endFilters(message: string, alsoEnd?: RegExp): EndFilter[] {
  const isEnd = (words: string) => isOfEnd(words, alsoEnd)
  // Numbers change from request to request; quotes and brackets belong to what was sent.
  const parts = message
    .replace(/…$/, '')
    .split(/\d+|["'`{}[\]\\\n]/)
    .map((part) => part.replace(/^[\s,;:.)–-]+|[\s,;:(–-]+$/g, ''))
    .filter((part) => part.length >= shortest && /[a-z]{3}/i.test(part))
  if (!isEnd(parts.join(' '))) return []
  const whole = parts
    .filter((part) => part.length <= longest && isEnd(part))
    .toSorted((one, other) => other.length - one.length)
  const tests = parts.filter((part) => part.length <= longest).map((part) => `'${part}' in response | string`)
  // Some messages are in a member that `error_message_contains` does not read.
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

function isOfEnd(written: string, alsoEnd?: RegExp): boolean {
  // A code is words too: `PAGE_OUT_OF_RANGE`, `page-out-of-range`, `pageOutOfRange`.
  const words = written.replaceAll(/[_-]+|(?<=[a-z])(?=[A-Z])/g, ' ')
  const isPast = pastEnd.test(words) || alsoEnd?.test(words) === true
  return position.test(words) && isPast && !ofSize.test(words)
}

/** With a 404 these say that the page is not there; with another status they may be about how it was requested. */
export const missingPage = /\binvalid page\b|\bpage [a-z ]{0,20}not found|\bpage contains no\b/i

/**
 * Whether the words may be about how far the API lets clients read, which is not the end of the data. When in doubt, yes: a limit
 * mistaken for the end loses records silently, an end mistaken for a limit fails with a message.
 *
 * @example speaksOfLimit('Only the first 300 results are available') // true
 */
export function speaksOfLimit(message: string): boolean {
  return ofLimit.test(message.replaceAll(pastTotal, ' '))
}

/** `exceeds the total number of pages`: greater than what there is, not than what is allowed. */
const pastTotal =
  /\b(exceed(s|ed|ing)?|(greater|larger|higher|more) than) (the )?(last|end|(total |actual )?number of|total)( of)?( (pages?|results?|records?|rows?|items?|entries|data))?\b/gi

const ofLimit = new RegExp(
  [
    /\b(limit\w*|window|caps?|capped|max|maximum|max[_-]\w+|at most|up to|only|quota|threshold|deep\w*|restrict\w*)\b/,
    /\b(allow(s|ed)?|permit(s|ted)?|support(s|ed)?|disabled|cannot|can not|can.?t|may not|must|should|no more than)\b/,
    /\b((less|fewer|lower|smaller|greater|larger|higher|more) than|exceed\w*|too (large|high|far|big|deep|many)|between)\b/,
    /\b(past|beyond|after|over|above) (the )?((first|page|offset|position|record|result|item|row)s? )?\d/,
    /\b(first|top) \d|[<>≤≥]=? ?\d|\b(upgrade|plans?|trial|tier|subscri\w+|billing)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
)

/** The path of the next cursor ↔ the template that reads it. */

export type CursorProperty = { readonly from: 'response' | 'headers'; readonly names: readonly string[] }

/**
 * `{{ response.get("next", {}) }}`, and further down `{{ (response.get("paging") or {}).get("next", {}) }}`.
 * Airbyte's own builder writes `response.get("paging", {}).get("next", {})`, which fails where the last page has
 * `"paging": null`. This one gives nothing there, in the CDK and here; for a single name both are the same.
 */
export function cursorTemplate({ from, names }: CursorProperty): string {
  const [last, ...above] = names.toReversed()
  if (last === undefined) return ''
  const holder = above.reduceRight<string>((expression, name) => `(${expression}.get(${quoted(name)}) or {})`, from)
  return `{{ ${holder}.get(${quoted(last)}, {}) }}`
}

/**
 * The path that a template reads, whichever of the usual spellings it has: `response.a.b`, `response['a']['b']`,
 * `response.get('a', {}).get('b')`, `(response.a or {}).b`. Null where it does more than that.
 */
export function cursorProperty(template: unknown): CursorProperty | null {
  const inside = typeof template === 'string' ? /^\s*\{\{(.*)\}\}\s*$/su.exec(template)?.[1] : undefined
  const tokens = inside === undefined ? null : tokensOf(inside)
  if (tokens === null) return null
  const property = readChain(tokens)
  return tokens.length === 0 && property !== null && property.names.length > 0 ? property : null
}

/** Whether a stop condition only says what is true anyway: pagination stops where there is no cursor. */
export function isNoCursor(condition: unknown, property: CursorProperty): boolean {
  const inside = typeof condition === 'string' ? /^\s*\{\{\s*not\b(.*)\}\}\s*$/su.exec(condition)?.[1] : undefined
  const denied = inside === undefined ? null : cursorProperty(`{{${inside}}}`)
  return (
    denied !== null &&
    denied.from === property.from &&
    denied.names.length === property.names.length &&
    denied.names.every((name, index) => name === property.names[index])
  )
}

const token = /\s*(?:([A-Za-z_]\w*)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(\{\s*\}|[.,()[\]]))\s*/suy

function tokensOf(expression: string): string[] | null {
  const tokens: string[] = []
  token.lastIndex = 0
  for (let at = 0; at < expression.length; at = token.lastIndex) {
    const found = token.exec(expression)
    if (found === null) return null
    tokens.push(found[1] ?? found[2] ?? (found[3] ?? '').replaceAll(/\s/gu, ''))
  }
  return tokens
}

/** Takes what it reads from the front of `tokens`. */
function readChain(tokens: string[]): CursorProperty | null {
  const chain = tokens[0] === '(' ? readGuarded(tokens) : readRoot(tokens)
  if (chain === null) return null
  const names = [...chain.names]
  while (tokens[0] === '.' || tokens[0] === '[') {
    const name = tokens.shift() === '[' ? readIndex(tokens) : readMember(tokens)
    if (name === null) return null
    names.push(name)
  }
  return { from: chain.from, names }
}

function readRoot(tokens: string[]): CursorProperty | null {
  const root = tokens.shift()
  return root === 'response' || root === 'headers' ? { from: root, names: [] } : null
}

/** `( … or {} )`, or brackets around nothing but a chain. */
function readGuarded(tokens: string[]): CursorProperty | null {
  tokens.shift()
  const chain = readChain(tokens)
  if (tokens[0] === 'or' && tokens[1] === '{}') tokens.splice(0, 2)
  return tokens.shift() === ')' ? chain : null
}

function readIndex(tokens: string[]): string | null {
  const name = unquoted(tokens.shift())
  return tokens.shift() === ']' ? name : null
}

/** `.name` or `.get('name')`, with any default that means "nothing". */
function readMember(tokens: string[]): string | null {
  const member = tokens.shift()
  if (member === undefined || !/^[A-Za-z_]/u.test(member)) return null
  if (tokens[0] !== '(') return member
  if (member !== 'get') return null
  const [, name, next, fallback = '', closing] = tokens
  const hasDefault = next === ','
  tokens.splice(0, hasDefault ? 5 : 3)
  if (!hasDefault) return next === ')' ? unquoted(name) : null
  return closing === ')' && nothings.has(fallback) ? unquoted(name) : null
}

/** What `get` may return for a missing name, so that pagination stops. */
const nothings: ReadonlySet<string> = new Set(['{}', "''", '""', 'None', 'none'])

function quoted(name: string): string {
  return `"${name.replaceAll(/["\\]/gu, '\\$&')}"`
}

/** Null for anything but a quoted string, and for escapes of other letters. */
function unquoted(text: string | undefined): string | null {
  if (text === undefined || !/^["']/u.test(text)) return null
  const letters = text.slice(1, -1).match(/\\.|[^\\]/gsu) ?? []
  return letters.some((letter) => /^\\[^"'\\]/u.test(letter)) ? null : letters.map((letter) => letter.at(-1)).join('')
}

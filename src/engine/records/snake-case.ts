/**
 * Names in snake case. Letters of other scripts become ASCII by a table of half a megabyte, more than the rest of the
 * engine: it is loaded when a stream is opened that needs it.
 */
import type { TransformationPlan } from '../plan/transformations.ts'

let toAscii: ((name: string) => string) | undefined

/** Before records are transformed: what these transformations need. */
export async function loadSnakeCase(transformations: readonly TransformationPlan[]): Promise<void> {
  if (toAscii !== undefined || !transformations.some(({ kind }) => kind === 'keys-to-snake-case')) return
  const { default: table } = await import('any-ascii')
  toAscii = table
}

const word = /[A-Z]+[a-z]*|[a-z]+|\d+|[^a-zA-Z\d]+/g

/** The records of a stream have the same names, mostly. */
const known = new Map<string, string>()
const mostKnown = 10_000

export function snakeCase(name: string): string {
  const before = known.get(name)
  if (before !== undefined) return before
  const made = madeSnakeCase(name)
  if (known.size >= mostKnown) known.clear()
  known.set(name, made)
  return made
}

/** `HTTPServer2` → `http_server_2`. What separates words is dropped, but leaves its underscore at either end. */
function madeSnakeCase(name: string): string {
  const words = (asciiOf(name).match(word) ?? []).map((found) => (/[a-zA-Z\d]/.test(found) ? found.toLowerCase() : ''))
  const kept = words.filter((found, index) => found !== '' || index === 0 || index === words.length - 1)
  const startsWithDigit = /^\d/.test(kept[0] ?? '')
  return (startsWithDigit ? ['', ...kept] : kept).join('_')
}

function asciiOf(name: string): string {
  if (toAscii === undefined) throw new Error('loadSnakeCase was not called when the stream was opened.')
  return toAscii(name)
}

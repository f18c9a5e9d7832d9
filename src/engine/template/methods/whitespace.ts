/** What Python counts as space and as the end of a line. */
import { spend } from '../meter.ts'

const space = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'
export const isSpace = new RegExp(`^[${space}]+$`)
const words = new RegExp(`[^${space}]+`, 'g')

// oxlint-disable-next-line no-control-regex
const lineEnd = /\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/g

/** Without the given characters, or without space, at one end or both. */
export function stripped(text: string, characters: string | null, from: 'start' | 'end' | 'both'): string {
  spend(text.length >> 4)
  const set = characters === null ? null : new Set(characters)
  const units = Array.from(text)
  const drops = (unit: string | undefined) => unit !== undefined && (set === null ? isSpace.test(unit) : set.has(unit))
  let [start, end] = [0, units.length]
  if (from !== 'end') while (start < end && drops(units[start])) start += 1
  if (from !== 'start') while (end > start && drops(units[end - 1])) end -= 1
  return units.slice(start, end).join('')
}

/** `text.split()`: words between runs of space; past the limit the rest stays whole. */
export function splitWords(text: string, limit: number): string[] {
  const found: string[] = []
  for (const match of text.matchAll(words)) {
    if (limit >= 0 && found.length === limit) {
      found.push(stripped(text.slice(match.index), null, 'end'))
      return found
    }
    found.push(match[0])
  }
  return found
}

export function splitLines(text: string, keepsEnds = false): string[] {
  const lines: string[] = []
  let start = 0
  for (const { index, 0: end } of text.matchAll(lineEnd)) {
    lines.push(text.slice(start, keepsEnds ? index + end.length : index))
    start = index + end.length
  }
  if (start < text.length) lines.push(text.slice(start))
  return lines
}

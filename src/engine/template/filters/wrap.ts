/** One line → lines no wider than requested, broken as Python's `textwrap` breaks them. */
import { spend } from '../meter.ts'
import { failed } from '../trouble.ts'

export type WrapStyle = { width: number; breaksWords: boolean; breaksHyphens: boolean }

export function wrapLine(line: string, style: WrapStyle): string[] {
  if (style.width <= 0) throw failed('lines need a width above 0')
  const chunks = chunksOf(line, style.breaksHyphens).toReversed()
  const lines: string[] = []
  while (chunks.length > 0) {
    spend(1)
    if (lines.length > 0 && chunks.at(-1)?.trim() === '') chunks.pop()
    const current = fill(chunks, style)
    if (current.at(-1)?.trim() === '') current.pop()
    if (current.length > 0) lines.push(current.join(''))
  }
  return lines
}

/** Takes from the end of `chunks` what fits one line; a word that never fits is cut. */
function fill(chunks: string[], { width, breaksWords, breaksHyphens }: WrapStyle): string[] {
  const current: string[] = []
  let length = 0
  for (let next = chunks.at(-1); next !== undefined && length + next.length <= width; next = chunks.at(-1)) {
    current.push(next)
    length += next.length
    chunks.pop()
  }
  const next = chunks.at(-1)
  if (next === undefined || next.length <= width) return current
  if (breaksWords) {
    const free = width - length
    // A hyphen that fits is the better place to cut.
    const hyphen = breaksHyphens ? next.lastIndexOf('-', free - 1) : -1
    const room = hyphen > 0 && /[^-]/.test(next.slice(0, hyphen)) ? hyphen + 1 : free
    current.push(next.slice(0, room))
    chunks[chunks.length - 1] = next.slice(room)
  } else if (current.length === 0) {
    current.push(next)
    chunks.pop()
  }
  return current.filter((chunk) => chunk !== '')
}

function chunksOf(line: string, breaksHyphens: boolean): string[] {
  const words = line.split(/([\t-\r ]+)/).filter((part) => part !== '')
  if (!breaksHyphens) return words
  return words.flatMap((word) => word.split(/(?<=[A-Za-z][A-Za-z]-)(?=[A-Za-z]{2})/))
}

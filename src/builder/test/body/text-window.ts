/** A long text, of which a few parts in a row are at hand: cut into lines, found by where they begin. */

/** In characters: a part is asked for at once. */
export const partLength = 131_072
/** A screen scrolls through about 50,000 lines; what is further away is asked for again. */
export const mostParts = 8
/** Longer lines are broken: a browser takes seconds to lay out a line of a megabyte. */
const longestLine = 1000

export type TextWindow = {
  /** Number of its first part. */
  readonly first: number
  readonly parts: readonly string[]
}

export type TextLine = {
  /** Where it begins in the whole text. */
  readonly at: number
  readonly text: string
}

export const emptyWindow: TextWindow = { first: 0, parts: [] }

export const partsIn = (total: number) => Math.max(1, Math.ceil(total / partLength))

/** Parts beside the window join it, and those at its other end go; any other part begins a new one. */
export function withPart({ first, parts }: TextWindow, number: number, text: string): TextWindow {
  if (parts.length > 0 && number === first + parts.length) {
    const grown = [...parts, text]
    const kept = grown.slice(-mostParts)
    return { first: first + grown.length - kept.length, parts: kept }
  }
  if (parts.length > 0 && number === first - 1) return { first: number, parts: [text, ...parts].slice(0, mostParts) }
  return { first: number, parts: [text] }
}

export function linesOf({ first, parts }: TextWindow): TextLine[] {
  const lines: TextLine[] = []
  let at = first * partLength
  for (const line of parts.join('').split('\n')) {
    for (let start = 0; start === 0 || start < line.length; start += longestLine) {
      lines.push({ at: at + start, text: line.slice(start, start + longestLine) })
    }
    at += line.length + 1
  }
  return lines
}

/** The line that holds a character, or the one nearest to it. */
export function lineAt(lines: readonly TextLine[], at: number): number {
  let low = 0
  let high = lines.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((lines[middle]?.at ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return low
}

export type TextSource = {
  /** In characters. */
  readonly total: number
  readonly part: (number: number) => Promise<string>
}

/** A text that is at hand whole. */
export function wholeText(text: string): TextSource {
  return {
    total: text.length,
    part: async (number) => text.slice(number * partLength, (number + 1) * partLength),
  }
}

export async function wholeTextOf({ total, part }: TextSource): Promise<string> {
  const parts: string[] = []
  for (let number = 0; number < partsIn(total); number++) parts.push(await part(number))
  return parts.join('')
}

/** Where a text stands next, from `from` on and then from the top; null when it is nowhere. Part by part. */
export async function searchText(
  { total, part }: TextSource,
  wanted: string,
  from: number,
  { signal, onPart }: { signal: AbortSignal; onPart?: (searched: number) => void },
): Promise<number | null> {
  const needle = wanted.toLowerCase()
  const count = partsIn(total)
  const start = Math.floor(from / partLength)
  // The first part is looked at twice: behind `from` first, and in front of it last.
  for (let step = 0; step <= count; step++) {
    const number = (start + step) % count
    const next = number + 1 < count ? await part(number + 1) : ''
    const text = (await part(number)) + next.slice(0, needle.length - 1)
    if (signal.aborted) return null
    const found = text.toLowerCase().indexOf(needle, step === 0 ? from - start * partLength : 0)
    if (found >= 0) return number * partLength + found
    onPart?.(Math.min(step + 1, count))
  }
  return null
}

/** A long text, of which a few parts in a row are at hand: cut into lines, found by where they begin. */

/** Characters per request. */
export const partLength = 131_072
/** About 50,000 lines are kept; lines further away are loaded again. */
const mostParts = 8
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

/** Parts next to the window join it, and those at its other end are dropped; any other part begins a new one. */
export function withPart({ first, parts }: TextWindow, number: number, text: string): TextWindow {
  if (parts.length > 0 && number === first + parts.length) {
    const grown = [...parts, text]
    const kept = grown.slice(-mostParts)
    return { first: first + grown.length - kept.length, parts: kept }
  }
  if (parts.length > 0 && number === first - 1) return { first: number, parts: [text, ...parts].slice(0, mostParts) }
  return { first: number, parts: [text] }
}

export function windowLines({ first, parts }: TextWindow): TextLine[] {
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

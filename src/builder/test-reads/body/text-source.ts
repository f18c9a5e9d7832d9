/** Text of any length, in parts: read whole, or searched without blocking the page. */

export type TextSource = {
  /** In characters. */
  readonly total: number
  /** Only the beginning is at hand so far; a longer source takes its place. */
  readonly isBeginning?: true
  /** Fewer at the end. */
  readonly read: (from: number, count: number) => Promise<string>
}

/** As much as the server gives at once. */
const stride = 1_000_000

/** Text that is available as a whole. */
export function wholeText(text: string): TextSource {
  return { total: text.length, read: async (from, count) => text.slice(from, from + count) }
}

export async function wholeTextOf({ total, read }: TextSource): Promise<string> {
  const parts: string[] = []
  for (let from = 0; from < total; from += stride) parts.push(await read(from, stride))
  return parts.join('')
}

export type Searching = {
  readonly signal: AbortSignal
  /** How much of the text was searched so far, from 0 to 1. */
  readonly onProgress?: (share: number) => void
}

/** The next occurrence, from `from` on and then from the top; null when there is none. */
export async function searchText(
  { total, read }: TextSource,
  wanted: string,
  from: number,
  { signal, onProgress }: Searching,
): Promise<number | null> {
  const needle = wanted.toLowerCase()
  const step = stride - needle.length
  const starts = [...range(from, total, step), ...range(0, Math.min(from, total), step)]
  for (const [index, start] of starts.entries()) {
    // Matches across two parts are found too: they overlap.
    const text = await read(start, step + needle.length - 1)
    if (signal.aborted) return null
    const found = text.toLowerCase().indexOf(needle)
    if (found >= 0) return start + found
    onProgress?.((index + 1) / starts.length)
  }
  return null
}

function range(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.max(0, Math.ceil((to - from) / step)) }, (_, index) => from + index * step)
}

/** A text that is made when somebody reads it, and only as far: the start at once, the rest without holding others up. */
import { setImmediate } from 'node:timers/promises'
import type { Printer } from './print-json.ts'

export type LongText = {
  /** The first characters, and whether there are more. */
  readonly start: (characters: number) => { readonly text: string; readonly isCut: boolean }
  /** A part of it, and how long the whole is. */
  readonly part: (from: number, count: number) => Promise<{ readonly text: string; readonly total: number }>
}

/** Made in about a millisecond. */
const portion = 64 * 1024

export function openLongText(printer: Printer): LongText {
  const pieces: { readonly from: number; readonly text: string }[] = []
  let total = 0

  /** How much there is then. */
  const grow = (): number => {
    const text = printer.more(portion)
    pieces.push({ from: total, text })
    total += text.length
    return total
  }
  const slice = (from: number, to: number): string => {
    let text = ''
    for (let index = pieceAt(pieces, from); index < pieces.length; index++) {
      const piece = pieces[index] as (typeof pieces)[number]
      if (piece.from >= to) break
      text += piece.text.slice(Math.max(0, from - piece.from), to - piece.from)
    }
    return text
  }
  return {
    start(characters) {
      for (let made = total; made < characters && !printer.isDone(); ) made = grow()
      return { text: slice(0, characters), isCut: total > characters || !printer.isDone() }
    },
    async part(from, count) {
      while (!printer.isDone()) {
        grow()
        await setImmediate()
      }
      return { text: slice(from, from + count), total }
    },
  }
}

/** The last piece that begins at or before a place. */
function pieceAt(pieces: readonly { readonly from: number }[], place: number): number {
  let [low, high] = [0, pieces.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((pieces[middle]?.from ?? 0) <= place) low = middle
    else high = middle - 1
  }
  return low
}

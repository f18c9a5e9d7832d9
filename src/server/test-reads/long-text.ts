/** A value → its JSON text, made as it is read: the start at once, the rest without blocking other requests. */
import { setImmediate } from 'node:timers/promises'
import { stringifyJson } from '../../std/json.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import type { Redactor } from '../../engine/secrets/redact.ts'

export type LongText = {
  /** The first characters, and whether there are more. */
  readonly start: (characters: number) => { readonly text: string; readonly isCut: boolean }
  /** A part of it, and the length of the whole. */
  readonly part: (from: number, count: number) => Promise<{ readonly text: string; readonly total: number }>
}

/** Made in about a millisecond. */
const portion = 64 * 1024

export function openLongText(printer: Printer): LongText {
  const pieces: { readonly from: number; readonly text: string }[] = []
  let total = 0

  /** Returns the new length. */
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

/** The last piece that starts at or before a position. */
function pieceAt(pieces: readonly { readonly from: number }[], position: number): number {
  let [low, high] = [0, pieces.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((pieces[middle]?.from ?? 0) <= position) low = middle
    else high = middle - 1
  }
  return low
}

type Printer = {
  /** The next part of about this length, more where a single string is longer; empty at the end. */
  readonly more: (characters: number) => string
  readonly isDone: () => boolean
}

/** A list or an object, and how much of it is printed. */
type Frame = { readonly members: readonly unknown[]; readonly names: readonly string[] | null; printed: number }

/** Prints indented JSON in parts: fifty megabytes at once would block other requests. Hides secrets without copying the value. */
export function openPrinter(value: unknown, redactor: Pick<Redactor, 'value' | 'text'>): Printer {
  const frames: Frame[] = []
  let isBegun = false

  const begin = (one: unknown): string => {
    const names = isObject(one) ? Object.keys(one) : null
    const members = names === null ? (isList(one) ? one : null) : names.map((name) => (one as JsonObject)[name])
    if (members === null) return stringifyJson(redactor.value(one) ?? null)
    if (members.length === 0) return names === null ? '[]' : '{}'
    frames.push({ members, names, printed: 0 })
    return names === null ? '[' : '{'
  }
  const step = (frame: Frame): string => {
    const { members, names, printed } = frame
    if (printed === members.length) {
      frames.pop()
      return `\n${indent(frames.length)}${names === null ? ']' : '}'}`
    }
    frame.printed++
    const lead = `${printed === 0 ? '' : ','}\n${indent(frames.length)}`
    const name = names === null ? '' : `${JSON.stringify(redactor.text(names[printed] as string))}: `
    return lead + name + begin(members[printed])
  }
  return {
    more(characters) {
      // Joined: a string that grows piece by piece takes four times the memory.
      const pieces = isBegun ? [] : [begin(value)]
      isBegun = true
      let length = pieces[0]?.length ?? 0
      for (let frame = frames.at(-1); frame !== undefined && length < characters; frame = frames.at(-1)) {
        const piece = step(frame)
        pieces.push(piece)
        length += piece.length
      }
      return pieces.join('')
    },
    isDone: () => isBegun && frames.length === 0,
  }
}

type JsonObject = Readonly<Record<string, unknown>>

/** Deeper indentation would only cost memory. */
function indent(depth: number): string {
  return '  '.repeat(Math.min(depth, 50))
}

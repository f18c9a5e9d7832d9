/** A value → its JSON, indented, a part at a time: fifty megabytes in one go would hold up every other request. */
import { stringifyJson } from '../../std/json.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import type { Redactor } from '../../engine/secrets/redact.ts'

export type Printer = {
  /** The next part: about so many characters, more where a single text is longer; empty at the end. */
  readonly more: (characters: number) => string
  readonly isDone: () => boolean
}

/** A list or an object, and how much of it is printed. */
type Frame = { readonly members: readonly unknown[]; readonly names: readonly string[] | null; printed: number }

/** Secrets are hidden on the way, so the value need not be copied for it. */
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
      // Joined, since a text that grows piece by piece keeps every piece: four times the memory.
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

/** Deeper than people read, more space would only cost memory. */
function indent(depth: number): string {
  return '  '.repeat(Math.min(depth, 50))
}

/**
 * A long JSON body → its value, of which only a part is text at a time: a text takes as much memory as the body, and twice as
 * much if one letter is outside of Latin-1.
 */
import { type ParsedJson, parseJson } from '../../../std/json.ts'
import { setMember } from '../../../std/values/set-member.ts'
import { byteOrderMark, utf8Text } from './text.ts'

/** From here on, memory counts for more than time. */
export const longJson = 32 * 1024 * 1024

/** Texts of this length are collected as soon as they are not needed. */
const longestPart = 128 * 1024

/** Records are not deeper than this in their page; looking for parts takes time at every level. */
const deepest = 8

/** Null where parts of the body are not JSON by themselves: as a whole it may be wrong, or in another encoding. */
export function parseLongJson(body: Uint8Array, longest = longestPart): ParsedJson | null {
  const parts = new Parts(body, longest)
  try {
    const value = parts.read(byteOrderMark(body) === 'utf-8' ? 3 : 0, body.length, 0)
    return { value, hasFloats: parts.hasFloats }
  } catch {
    return null
  }
}

const [quote, comma, colon, backslash] = ['"', ',', ':', '\\'].map((character) => character.charCodeAt(0))
const [openList, closeList, openObject, closeObject] = ['[', ']', '{', '}'].map((character) => character.charCodeAt(0))

/** Any way to split is right: a list of values that are JSON, with commas between them, is JSON. */
class Parts {
  readonly #body: Uint8Array
  readonly #longest: number
  hasFloats = false

  constructor(body: Uint8Array, longest: number) {
    this.#body = body
    this.#longest = longest
  }

  /** The value between these positions. */
  read(from: number, to: number, depth: number): unknown {
    const start = this.#skipBlanks(from, to)
    const end = this.#skipBlanksBefore(start, to)
    const [first, last] = [this.#body[start], this.#body[end - 1]]
    if (end - start <= this.#longest || depth === deepest) return this.#parse(this.#text(start, end))
    if (first === openList && last === closeList) return this.#list(start + 1, end - 1, depth)
    if (first === openObject && last === closeObject) return this.#object(start + 1, end - 1, depth)
    return this.#parse(this.#text(start, end))
  }

  #list(from: number, to: number, depth: number): unknown[] {
    const list: unknown[] = []
    for (let start = from; start <= to; ) {
      const [end, isOne] = this.#endOfItems(start, to)
      if (isOne) list.push(this.read(start, end, depth + 1))
      else for (const item of this.#items(start, end)) list.push(item)
      start = end + 1
    }
    return list
  }

  /** Of as many items as fit into a part, at least of one; and whether it is only one. */
  #endOfItems(start: number, to: number): [end: number, isOne: boolean] {
    let end = this.#separatorFrom(start, to)
    if (end - start > this.#longest) return [end, true]
    while (end < to) {
      const next = this.#separatorFrom(end + 1, to)
      if (next - start > this.#longest) break
      end = next
    }
    return [end, false]
  }

  #items(from: number, to: number): readonly unknown[] {
    const items = this.#parse(`[${this.#text(from, to)}]`) as unknown[]
    // A comma without an item after it.
    if (items.length === 0) refuse()
    return items
  }

  #object(from: number, to: number, depth: number): object {
    const members: Record<string, unknown> = {}
    for (let start = from; start <= to; ) {
      const keyStart = this.#skipBlanks(start, to)
      const keyEnd = this.#body[keyStart] === quote ? this.#closingQuote(keyStart, to) + 1 : refuse()
      const mark = this.#skipBlanks(keyEnd, to)
      if (this.#body[mark] !== colon) refuse()
      const end = this.#separatorFrom(mark + 1, to)
      const key = JSON.parse(this.#text(keyStart, keyEnd)) as string
      setMember(members, key, this.read(mark + 1, end, depth + 1))
      start = end + 1
    }
    return members
  }

  #text(from: number, to: number): string {
    const bytes = this.#body.subarray(from, to)
    // It would be taken for the start of a text, and left out.
    if (byteOrderMark(bytes) !== undefined) refuse()
    return utf8Text(bytes)
  }

  #parse(text: string): unknown {
    const { value, hasFloats } = parseJson(text)
    this.hasFloats ||= hasFloats
    return value
  }

  /** The next comma that is in no string and no brackets, or the end. */
  #separatorFrom(from: number, to: number): number {
    const body = this.#body
    let depth = 0
    for (let at = from; at < to; at++) {
      const byte = body[at]
      if (byte === quote) at = this.#closingQuote(at, to)
      else if (byte === openList || byte === openObject) depth++
      else if (byte === closeList || byte === closeObject) depth--
      else if (byte === comma && depth === 0) return at
    }
    return to
  }

  #closingQuote(from: number, to: number): number {
    const body = this.#body
    let at = from + 1
    while (at < to && body[at] !== quote) at += body[at] === backslash ? 2 : 1
    return at < to ? at : refuse()
  }

  #skipBlanks(from: number, to: number): number {
    let at = from
    while (at < to && isBlank(this.#body[at])) at++
    return at
  }

  #skipBlanksBefore(from: number, to: number): number {
    let end = to
    while (end > from && isBlank(this.#body[end - 1])) end--
    return end
  }
}

/** Space, tab, line feed, carriage return. */
function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d
}

function refuse(): never {
  throw new SyntaxError('The body cannot be read in parts.')
}

/** Bytes, piece by piece → text in a given encoding; a byte order mark says more than the encoding does. */
import { isAscii } from 'node:buffer'
import { latin1 } from '../../plan/decoder.ts'

/** Text so far; characters that a piece ends in the middle of wait for the next one. Throws a TypeError on bytes that are none. */
type TextReader = {
  read(bytes: Uint8Array): string
  /** What is left at the end. */
  end(): string
}

export function readText(encoding: string): TextReader {
  let start: Uint8Array | null = new Uint8Array()
  let decode: (bytes: Uint8Array | null) => string = () => ''

  const begin = (first: Uint8Array): string => {
    start = null
    decode = decoderOf(byteOrderMark(first) ?? encoding)
    return decode(first)
  }
  return {
    read(bytes) {
      if (start === null) return decode(bytes)
      start = start.length === 0 ? bytes : Buffer.concat([start, bytes])
      return start.length < longestMark ? '' : begin(start)
    },
    end() {
      const rest = start === null ? '' : begin(start)
      return rest + decode(null)
    },
  }
}

const longestMark = 3

export function byteOrderMark(body: Uint8Array): string | undefined {
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be'
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le'
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8'
  return undefined
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Throws where it is not UTF-8. Most pages are ASCII, which is copied as it is, faster than decoding. */
export function utf8Text(body: Uint8Array): string {
  if (!isAscii(body)) return utf8.decode(body)
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
}

/** Null ends the text. Always as a stream: at one stroke, Node 20 takes Windows-1252 for Latin-1. */
function decoderOf(encoding: string): (bytes: Uint8Array | null) => string {
  if (encoding === latin1) return (bytes) => (bytes === null ? '' : Buffer.from(bytes).toString('latin1'))
  const decoder = new TextDecoder(encoding, { fatal: true })
  return (bytes) => (bytes === null ? decoder.decode() : decoder.decode(bytes, { stream: true }))
}

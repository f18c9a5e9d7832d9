/** Bytes of a response → text → JSON value, once per page. */
import { ConnectorError } from '../../std/errors.ts'
import { type ParsedJson, parseJson } from '../../std/json.ts'
import { longJson, parseLongJson } from './formats/long-json.ts'
import { isGzip } from './formats/is-gzip.ts'
import { byteOrderMark, readText, utf8Text } from './formats/text.ts'
import type { HttpResponse } from './http-response.ts'

/**
 * The JSON value of a response.
 * Whatever is not JSON is an error that shows what came instead, never an empty page.
 */
export function decodeJson(response: HttpResponse): ParsedJson {
  // Airbyte: an empty body decodes to an empty object.
  if (response.body.length === 0) return { value: {}, hasFloats: false }
  if (response.peeked?.body === response.body) return response.peeked.decoded
  const isLong = response.body.length >= longJson && isUtf8(charsetOf(response) ?? 'utf-8')
  const long = isLong ? parseLongJson(response.body) : null
  if (long !== null) return long
  const text = decodeText(response)
  try {
    return parseJson(text)
  } catch (error) {
    // RangeError: it nests too deep.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
    throw notDecodable(response, text, whatIsWrong(response, text), error)
  }
}

/** The JSON value of a response of any kind, null when it is not JSON. The read will not parse it again. */
export function peekJson(response: HttpResponse): ParsedJson | null {
  try {
    const decoded = decodeJson(response)
    response.peeked ??= { body: response.body, decoded }
    return decoded
  } catch {
    return null
  }
}

/** What a response that is not read is shown as: its JSON, or nothing. */
export function peekOrNothing(response: HttpResponse): ParsedJson {
  return peekJson(response) ?? { value: {}, hasFloats: false }
}

/** The text of a response: a byte order mark says its encoding, else the content type, else the text itself; else it is UTF-8. */
export function decodeText(response: HttpResponse, declaredInside?: string): string {
  const { body } = response
  const declared = charsetOf(response) ?? declaredInside
  try {
    return textIn(declared ?? 'utf-8', body)
  } catch (error) {
    const westernText = textIn('windows-1252', body)
    // Servers that leave the charset out and do not write UTF-8 are old ones, and write this.
    if (declared === undefined) return westernText
    throw notDecodable(response, westernText, { says: `is not valid ${declared}` }, error)
  }
}

function charsetOf(response: HttpResponse): string | undefined {
  return byteOrderMark(response.body) ?? /charset\s*=\s*"?([^\s";]+)/i.exec(contentType(response))?.[1]
}

function isUtf8(charset: string): boolean {
  return /^utf-?8$/i.test(charset)
}

/** The address without its query, which may hold a secret. */
export function responseAddress(response: HttpResponse): string {
  const { origin, pathname } = new URL(response.url)
  return origin + pathname
}

/** Whether the text is a page for people. */
export function looksLikeHtml(text: string): boolean {
  return /^\s*(<!doctype html|<html|<head|<body|<!--)/i.test(text)
}

/** Makes control characters visible, so that a quoted response cannot steer a terminal. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => JSON.stringify(character).slice(1, -1))
}

function textIn(charset: string, body: Uint8Array): string {
  if (isUtf8(charset)) return utf8Text(body)
  // An unknown charset is ignored; JSON is UTF-8 by its specification.
  const text = readText(charsetLabel(charset) ?? 'utf-8')
  return text.read(body) + text.end()
}

function charsetLabel(charset: string): string | null {
  try {
    return new TextDecoder(charset).encoding
  } catch {
    return null
  }
}

function contentType(response: HttpResponse): string {
  return response.headers['content-type'] ?? ''
}

/** A format that is not JSON, and that a decoder reads. A page for people is none. */
export function otherFormat(response: HttpResponse, text: string): { name: string; decoder: string } | null {
  const packed = packedFormat(response.body)
  if (packed !== null) return packed
  const kind = contentType(response)
  if (looksLikeHtml(text) || /html/i.test(kind)) return null
  if (/^\s*<(\?xml|[a-z])/i.test(text)) return { name: 'XML', decoder: '`decoder: { type: XmlDecoder }`' }
  if (isJsonLines(response) || /^\s*\{.*\}\r?\n\{/.test(text))
    return { name: 'JSON Lines', decoder: '`decoder: { type: JsonlDecoder }`' }
  return /^(text|application)\/csv\b/i.test(kind) ? { name: 'CSV', decoder: '`decoder: { type: CsvDecoder }`' } : null
}

/** By its content type: a single line of it looks like JSON. */
export function isJsonLines(response: HttpResponse): boolean {
  return /^(?:application|text)\/(?:x-)?(?:ndjson|jsonl|json-?lines)\b/i.test(contentType(response))
}

/** A file in the body; of a compressed transfer nothing is left here. */
function packedFormat(body: Uint8Array): { name: string; decoder: string } | null {
  const inside = 'decoder: { type: JsonDecoder }'
  if (isGzip(body)) return { name: 'gzip', decoder: `\`decoder: { type: GzipDecoder, ${inside} }\`` }
  const [first, second, third, fourth] = body
  const isZip = first === 0x50 && second === 0x4b && third === 3 && fourth === 4
  return isZip ? { name: 'ZIP', decoder: `\`decoder: { type: ZipfileDecoder, ${inside} }\`` } : null
}

function whatIsWrong(response: HttpResponse, text: string): Wrong {
  if (looksLikeHtml(text)) return { says: 'looks like an HTML page, not JSON' }
  const other = otherFormat(response, text)
  if (other !== null) {
    const hint = `Name the format in the manifest: add ${other.decoder} to the retriever of the stream.`
    return { says: `looks like ${other.name}, not JSON`, hint }
  }
  if (/^\s*<[a-z]/i.test(text)) return { says: 'looks like an HTML page, not JSON' }
  if (endsInTheMiddle(text)) return { says: 'ends in the middle of its JSON', hint: cutHint }
  return { says: 'is not JSON' }
}

/** The usual hint doubts the address; half a response comes from the right one. */
type Wrong = { readonly says: string; readonly hint?: string }

const cutHint = 'Run again; if it happens again, request smaller pages: a server or a proxy cuts long responses.'

/** Starts as JSON does and leaves a string, list or object open. Detected here, since parsers report it in different words. */
function endsInTheMiddle(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  const structure = text.replace(/"(?:[^"\\]|\\.)*"/gs, '')
  const count = (pattern: RegExp) => structure.match(pattern)?.length ?? 0
  return structure.includes('"') || count(/[[{]/g) > count(/[\]}]/g)
}

const quotedLength = 120

function notDecodable(response: HttpResponse, text: string, { says, hint }: Wrong, cause: unknown): ConnectorError {
  const start = visible(text.slice(0, quotedLength)) + (text.length > quotedLength ? '…' : '')
  const quoted = packedFormat(response.body) === null ? ` It starts: ${start}` : ''
  return new ConnectorError('response/not-decodable', `${describeResponse(response)} ${says}.${quoted}`, {
    cause,
    ...(hint !== undefined && { hint }),
  })
}

/** `The response of https://api.shop/orders (status 200, text/csv)` */
export function describeResponse(response: HttpResponse): string {
  const kind = contentType(response) || 'no content type'
  return `The response of ${responseAddress(response)} (status ${response.status}, ${visible(kind)})`
}

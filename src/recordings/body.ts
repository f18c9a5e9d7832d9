/** The bytes of a body ↔ what a file shows of them: JSON as JSON, text as lines, everything else as base64. */
import { gunzipSync, gzipSync } from 'node:zlib'
import { FormatError } from '../engine/response/formats/item-parser.ts'
import { isGzip } from '../engine/response/formats/is-gzip.ts'
import { collected } from '../engine/response/formats/unpack.ts'
import { zipMembers } from '../engine/response/formats/zip.ts'
import { ConnectorError } from '../std/errors.ts'
import { parseJson, stringifyJson } from '../std/json.ts'
import type { RecordedBody } from './recording.ts'

/** Undefined for an empty body. `hide` takes the secrets out of a text, `hideIn` out of a value. */
export function recordBody(
  bytes: Uint8Array,
  hide: { readonly text: (text: string) => string; readonly value: (value: unknown) => unknown },
): RecordedBody | undefined {
  if (bytes.length === 0) return undefined
  if (isGzip(bytes)) {
    const inside = textOf(gunzipped(bytes))
    // Compressed text hides secrets from every search, so it is kept as what it says.
    if (inside !== null && inside !== '') return { gzip: hide.text(inside).split('\n') }
  }
  const text = textOf(bytes)
  // Byte by byte, so that what is no text comes back as it was.
  if (text === null) return { base64: Buffer.from(hide.text(latin(bytes)), 'latin1').toString('base64') }
  const parsed = jsonIn(text)
  return parsed === undefined ? { lines: hide.text(text).split('\n') } : { json: hide.value(parsed) }
}

export function bodyBytesOf(body: RecordedBody | undefined): Uint8Array {
  if (body === undefined) return new Uint8Array()
  if ('json' in body) return Buffer.from(stringifyJson(body.json))
  if ('lines' in body) return Buffer.from(body.lines.join('\n'))
  if ('gzip' in body) return gzipSync(body.gzip.join('\n'))
  return Buffer.from(body.base64, 'base64')
}

/** What a search for secrets has to look at; null where the bytes are no text. */
export function searchableText(bytes: Uint8Array): string | null {
  return textOf(isGzip(bytes) ? gunzipped(bytes) : bytes)
}

/** What bytes that are no text may hide: themselves, and the files of an archive. */
export async function hiddenTexts(bytes: Uint8Array): Promise<string[]> {
  const files = isGzip(bytes) ? [gunzipped(bytes)] : await filesIn(bytes)
  return [bytes, ...files].map((one) => Buffer.from(one).toString())
}

async function filesIn(bytes: Uint8Array): Promise<Uint8Array[]> {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b
  if (!isZip) return []
  try {
    return await Promise.all(zipMembers(bytes).map((member) => collected(member.bytes(), mostUnpacked)))
  } catch (error) {
    // Nothing reads what is no archive after all.
    if (error instanceof FormatError) return []
    throw error
  }
}

/** More than any page that is worth recording. */
const mostUnpacked = 64 * 1024 * 1024

function gunzipped(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: mostUnpacked })
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'ERR_BUFFER_TOO_LARGE') return new Uint8Array()
    throw new ConnectorError('recordings/too-large', 'A compressed response has more than 64 MiB.', { cause })
  }
}

function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Objects and lists; a bare word or number stays a text. */
function jsonIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return parseJson(text).value
  } catch {
    return undefined
  }
}

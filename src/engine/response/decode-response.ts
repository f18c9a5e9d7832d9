/** A response and a decoder → its value, whole or part by part, or the error that says what is wrong with it. */
import { ConnectorError } from '../../std/errors.ts'
import type { ParsedJson } from '../../std/json.ts'
import { type DecoderPlan, hasItems } from '../plan/decoder.ts'
import { decodeJson, decodeText, describeResponse, visible } from './decode.ts'
import type { Decoder } from './decoder.ts'
import { customItems } from './formats/custom.ts'
import { type Items, itemsIn } from './formats/items.ts'
import { type BodyPart, partsOf } from './formats/parts.ts'
import { collected, gunzipIfPacked } from './formats/unpack.ts'
import { encodingInXml, parseXml } from './formats/xml.ts'
import { pieces } from './formats/zip.ts'
import type { HttpResponse } from './http-response.ts'
import { FormatError } from './formats/item-parser.ts'

type Decoding = {
  readonly plan: DecoderPlan
  /** The custom decoder, where the plan names one. */
  readonly custom: Decoder | null
  /** Of whatever is held whole, after decompression. */
  readonly maxBytes: number
  readonly warn?: (text: string) => void
}

/**
 * Whether to ask for the body as it arrives. Not for a zip archive, which has its directory at the end; Airbyte does for
 * whatever is in gzip, and then minds no content encoding that is not there.
 */
export function readsStreams({ plan, custom }: Pick<Decoding, 'plan' | 'custom'>): boolean {
  switch (plan.kind) {
    case 'custom':
      return custom?.isStreamed === true
    case 'gzip':
      return true
    case 'zip':
      return false
    default:
      return hasItems(plan)
  }
}

/** Formats of one value are one part. The others are cut into parts, unless they are wanted `atOnce`. */
export function decodeParts(decoding: Decoding, response: HttpResponse, atOnce: boolean): AsyncIterable<BodyPart> {
  return atOnce || !hasItems(decoding.plan) ? onePart(decoding, response) : explained(decoding, response)
}

/** The value of a response; of a format with items, the list of them. */
export async function decodeWhole(decoding: Decoding, response: HttpResponse): Promise<Whole> {
  const { plan } = decoding
  if (hasItems(plan)) return listOf(decoding, response)
  const held = await explain(decoding, response, () => heldWhole(decoding, response))
  const bytes = held.body.length
  switch (plan.kind) {
    case 'xml':
      return { ...(await explain(decoding, held, () => decodeXml(held))), bytes }
    case 'gzip': {
      const unpacked = await explain(decoding, held, () => unpackedWhole(decoding, held))
      return decodeWhole({ ...decoding, plan: plan.inner }, unpacked)
    }
    default:
      return { ...decodeJson(held), bytes }
  }
}

/** A value, and how many bytes it was made of. */
type Whole = ParsedJson & { readonly bytes: number }

async function* onePart(decoding: Decoding, response: HttpResponse): AsyncGenerator<BodyPart> {
  yield { ...(await decodeWhole(decoding, response)), isLast: true }
}

function decodeXml(response: HttpResponse): ParsedJson {
  const { body } = response
  // Airbyte: an empty body decodes to an empty object.
  if (body.length === 0) return { value: {}, hasFloats: false }
  return { value: parseXml(decodeText(response, encodingInXml(body))), hasFloats: false }
}

async function heldWhole({ maxBytes }: Decoding, response: HttpResponse): Promise<HttpResponse> {
  const { stream, ...head } = response
  return stream === undefined ? response : { ...head, body: await collected(stream.chunks, maxBytes) }
}

async function unpackedWhole({ maxBytes }: Decoding, response: HttpResponse): Promise<HttpResponse> {
  return { ...response, body: await collected(gunzipIfPacked(pieces(response.body)), maxBytes) }
}

async function listOf(decoding: Decoding, response: HttpResponse): Promise<Whole> {
  const { maxBytes } = decoding
  const value: unknown[] = []
  let hasFloats = false
  let bytes = 0
  for await (const part of explained(decoding, response)) {
    bytes += part.bytes
    if (bytes > maxBytes) {
      const message = `${describeResponse(response)} is larger than the limit of ${maxBytes} bytes.`
      throw new ConnectorError('response/too-large', message)
    }
    for (const item of part.value as unknown[]) value.push(item)
    hasFloats ||= part.hasFloats
  }
  return { value, hasFloats, bytes }
}

async function* explained(decoding: Decoding, response: HttpResponse): AsyncGenerator<BodyPart> {
  try {
    yield* partsOf(itemsOf(decoding, response))
  } catch (error) {
    throw notDecoded(decoding.plan, response, error)
  }
}

function itemsOf({ plan, custom, maxBytes, warn }: Decoding, response: HttpResponse): AsyncGenerator<Items> {
  const chunks = response.stream?.chunks ?? pieces(response.body)
  if (plan.kind === 'custom') return customItems(plan, custom as Decoder, response, chunks)
  return itemsIn(plan, chunks, maxBytes, warn)
}

async function explain<T>(decoding: Decoding, response: HttpResponse, decode: () => T | Promise<T>): Promise<T> {
  try {
    return await decode()
  } catch (error) {
    throw notDecoded(decoding.plan, response, error)
  }
}

function notDecoded(plan: DecoderPlan, response: HttpResponse, cause: unknown): unknown {
  if (cause instanceof FormatError) {
    const code = cause.isTooLarge ? 'response/too-large' : 'response/not-decodable'
    const message = `${describeResponse(response)} cannot be read as ${nameOf(plan)}: ${visible(cause.message)}.`
    return new ConnectorError(code, message, { cause })
  }
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (!code.startsWith('Z_')) return cause
  return code === 'Z_BUF_ERROR'
    ? new ConnectorError(
        'response/cut-short',
        `${describeResponse(response)} ends in the middle of a compressed file.`,
        {
          cause,
        },
      )
    : new ConnectorError('response/not-decodable', `${describeResponse(response)} has a damaged compressed file.`, {
        cause,
      })
}

const names = {
  json: 'JSON',
  xml: 'XML',
  'json-lines': 'JSON Lines',
  'json-items': 'JSON',
  csv: 'CSV',
  lines: 'lines of text',
  custom: 'its own format',
} as const

/** `zip of gzip of CSV` */
function nameOf(plan: DecoderPlan): string {
  return 'inner' in plan ? `${plan.kind} of ${nameOf(plan.inner)}` : names[plan.kind]
}

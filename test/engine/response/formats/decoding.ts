/** Short ways to decode a body, whole or in pieces of any size. */
import type { DecoderPlan } from '../../../../src/engine/plan/decoder.ts'
import { loadManifest, planStream } from '../../../../src/index.ts'
import { decodeParts, decodeWhole } from '../../../../src/engine/response/decode-response.ts'
import type { BodyPart } from '../../../../src/engine/response/formats/parts.ts'
import type { Chunks } from '../../../../src/engine/response/formats/unpack.ts'
import { manifestOf } from '../../../helpers/manifests.ts'
import { answered } from '../asking.ts'

/** The plan of a decoder as a manifest writes it. */
export function planOf(decoder: Record<string, unknown>): DecoderPlan {
  return planStream(loadManifest(manifestOf({ retriever: { decoder } })), undefined, {}).decoder
}

export async function decoded(
  plan: DecoderPlan,
  body: string | Uint8Array,
  options: { pieceLength?: number; maxBytes?: number; headers?: Record<string, string> } = {},
): Promise<unknown> {
  const { pieceLength, maxBytes = 1_000_000, headers = {} } = options
  const whole = answered(200, body, headers)
  const stream = { chunks: piecesOf(whole.body, pieceLength ?? 1), discard() {} }
  const response = pieceLength === undefined ? whole : { ...whole, body: new Uint8Array(), stream }
  return (await decodeWhole({ plan, custom: null, maxBytes }, response)).value
}

/** The parts of a body that comes in these chunks. */
export async function* partsOf(plan: DecoderPlan, chunks: Chunks): AsyncGenerator<BodyPart> {
  const response = { ...answered(200), stream: { chunks, discard() {} } }
  yield* decodeParts({ plan, custom: null, maxBytes: 1_000_000 }, response, false)
}

export async function* piecesOf(bytes: Uint8Array, length: number): Chunks {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

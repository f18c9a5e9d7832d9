/** A decoder's plan → what makes values of the bodies of answers. */
import { instantiate } from './custom/component.ts'
import type { DecoderPlan } from './plan/decoder.ts'
import type { ParsedJson } from '../json.ts'
import { decodeParts, decodeWhole, readsStreams } from './response/decode-answer.ts'
import { Decoder } from './response/decoder.ts'
import type { Part } from './response/formats/parts.ts'
import type { HttpResponse } from './response/http-response.ts'
import type { Run } from './run.ts'

export type OpenDecoder = {
  /** Whether a request that is not one of many pages should say `streams: true`. */
  readonly streams: boolean
  /** The answer part by part: at least one, `isLast` on the last. Formats of one value have exactly one part. */
  parts(response: HttpResponse, options?: { readonly atOnce: boolean }): Part[] | AsyncIterable<Part>
  /** The same as one value: of formats with items, the list of them. */
  whole(response: HttpResponse): Promise<ParsedJson>
}

/** @example const { value } = await (await openDecoder(run, planDecoder(run, null))).whole(await send(request, signal)) */
export async function openDecoder(run: Run, plan: DecoderPlan): Promise<OpenDecoder> {
  const custom = plan.kind === 'custom' ? await instantiate(plan, Decoder, run) : null
  const decoding = { plan, custom, maxBytes: run.network.maxBodyBytes }
  return {
    streams: readsStreams(decoding),
    parts: (response, { atOnce } = { atOnce: false }) => decodeParts(decoding, response, atOnce),
    whole: (response) => decodeWhole(decoding, response),
  }
}

/** A decoder's plan → what decodes the bodies of responses. */
import { instantiate } from '../custom/component.ts'
import type { OpenDecoder } from '../pages/stream.ts'
import type { DecoderPlan } from '../plan/decoder.ts'
import { decodeParts, decodeWhole, readsStreams } from '../response/decode-response.ts'
import { Decoder } from '../response/decoder.ts'
import type { Run } from '../run/run.ts'

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

/** A decoder's plan → what decodes the bodies of responses. */
import { instantiate } from '../custom/component.ts'
import type { OpenDecoder } from '../pages/stream.ts'
import type { DecoderPlan } from '../plan/decoder.ts'
import { decodeJson } from '../response/decode.ts'
import { Decoder } from '../response/decoder.ts'
import type { HttpResponse } from '../response/http-response.ts'
import type { Run } from '../run/run.ts'

/** @example const { value } = await (await openDecoder(run, planDecoder(run, null))).whole(await send(request, signal)) */
export async function openDecoder(run: Run, plan: DecoderPlan): Promise<OpenDecoder> {
  if (plan.kind === 'json') return jsonDecoder
  // Most APIs give JSON only: the other formats, with their unpacking, are loaded for a stream that has one.
  const { decodeParts, decodeWhole, readsStreams } = await import('../response/decode-response.ts')
  const custom = plan.kind === 'custom' ? await instantiate(plan, Decoder, run) : null
  const warned = new Set<string>()
  const warn = (text: string) => {
    if (!warned.has(text)) run.report({ kind: 'warning', text })
    warned.add(text)
  }
  const decoding = { plan, custom, maxBytes: run.network.maxBodyBytes, warn }
  return {
    streams: readsStreams(decoding),
    parts: (response, { atOnce } = { atOnce: false }) => decodeParts(decoding, response, atOnce),
    whole: (response) => decodeWhole(decoding, response),
  }
}

const jsonDecoder: OpenDecoder = {
  streams: false,
  parts: (response) => [jsonPart(response)],
  whole: async (response) => jsonPart(response),
}

function jsonPart(response: HttpResponse) {
  const { value, hasFloats } = decodeJson(response)
  return { value, hasFloats, bytes: response.body.length, isLast: true }
}

/** A stream of the connector → the first request of it as it is sent, credentials included: what detection starts from. */
import { loadManifest } from '../../connector/load-manifest.ts'
import type { Config } from '../../engine/plan/plan.ts'
import type { HttpRequest } from '../../engine/request/http-request.ts'
import type { Network } from '../../engine/response/send.ts'
import type { DetectionRequest } from '../../proof/detection/detection.ts'
import { readPages } from '../../read-manifest.ts'
import { ConnectorError } from '../../std/errors.ts'
import { parseJson } from '../../std/json.ts'
import { sleep } from '../../std/sleep.ts'

/** An API that wants to be left alone for longer is left alone. */
const longestWaitMs = 5_000

export type AskedStream = {
  readonly manifest: string
  readonly stream: string
  readonly config: Config
  readonly network: Network
  readonly signal: AbortSignal
}

/** Null where nothing was sent: a stream whose parent has no records. */
export async function signedRequest({
  manifest,
  stream,
  config,
  network,
  signal,
}: AskedStream): Promise<DetectionRequest | null> {
  let sent: HttpRequest | null = null
  const watching: Network = {
    ...network,
    send: async (request, stopping) => {
      if (request.purpose === undefined) sent = request
      return network.send(request, stopping)
    },
  }
  const pages = readPages(loadManifest(manifest), {
    config,
    stream,
    network: watching,
    prefetch: 'off',
    signal,
    sleep: async (ms, stopping) => {
      if (ms > longestWaitMs)
        throw new ConnectorError('response/gave-up', 'The API asks to wait for longer than a few seconds.')
      await sleep(ms, stopping)
    },
  })
  for await (const _ of pages) break
  return sent === null ? null : detectionRequest(sent)
}

function detectionRequest({ url, method, headers, body }: HttpRequest): DetectionRequest {
  const kept = Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(content-length|content-type)$/i.test(name)),
  )
  const type = Object.entries(headers).find(([name]) => /^content-type$/i.test(name))?.[1] ?? ''
  const isPost = method === 'POST'
  const common = { url, headers: kept, ...(isPost && { method: 'POST' as const }) }
  if (body === null || body === '') return common
  if (/form-urlencoded/i.test(type)) return { ...common, form: Object.fromEntries(new URLSearchParams(body)) }
  return { ...common, json: parseJson(body).value }
}

/** Reads the first slice of a stream from the mirror: its records, how it ended, and the receipt. */
import type { LoadedManifest } from '../../connector/load-manifest.ts'
import { readStream } from '../../engine/pages/read-stream.ts'
import type { Config, JsonRecord } from '../../engine/plan/plan.ts'
import { openStreamNamed } from '../../engine/streams-of.ts'
import { ConnectorError } from '../../std/errors.ts'
import type { Judgement } from '../../proof/verdict/verdict.ts'
import { openReceipts } from '../../proof/receipts/open-receipts.ts'
import { stringifyJson } from '../../std/json.ts'
import { openRunOf } from '../../read.ts'
import { movingClock } from '../mirror/calendar.ts'
import { answerOf, type Endpoint } from '../mirror/endpoint.ts'
import type { AnsweringServer } from '../mirror/server.ts'

export type SurveyRead = {
  readonly server: AnsweringServer
  readonly manifest: LoadedManifest
  readonly config: Config
  readonly stream: string
  readonly endpoints: readonly Endpoint[]
  readonly signal: AbortSignal
}

export type ReadResult = {
  /** The identity of each record received, in order. */
  readonly came: readonly string[]
  readonly pages: number
  readonly requests: number
  /** Null where the read failed or did not end. */
  readonly verdict: Judgement | null
  readonly error: ConnectorError | null
  readonly isEndless: boolean
  /** Requests that no endpoint answers. */
  readonly unanswered: readonly string[]
}

/** Includes parents, logins and retries; the engine notices a circle much sooner. */
const maxRequests = 400

export async function readFirstSlice({
  server,
  manifest,
  config,
  stream,
  endpoints,
  signal,
}: SurveyRead): Promise<ReadResult> {
  const came: string[] = []
  const unanswered: string[] = []
  const stopping = new AbortController()
  let requests = 0
  let pages = 0
  const network = server.network((request) => {
    if (++requests > maxRequests) stopping.abort()
    const response = answerOf(endpoints, request)
    if (response === null) unanswered.push(`${request.method} ${request.url.origin}${request.url.pathname}`)
    return response
  })
  const ended = (verdict: Judgement | null, error: ConnectorError | null): ReadResult => {
    return { came, pages, requests, verdict, error, isEndless: stopping.signal.aborted, unanswered }
  }
  const either = AbortSignal.any([signal, stopping.signal])
  const shared = { config, isNormalized: true, network, concurrency: 1, ...movingClock() }
  const { run, close } = await openRunOf(manifest, shared)
  try {
    const open = await openStreamNamed(run, stream, { signal: either })
    const receipts = openReceipts(open)
    for await (const { slice, page } of readStream(open, { prefetch: 'off', concurrency: 1, signal: either })) {
      if (page.part === 0) pages++
      for (const record of page.records) came.push(identityOf(record))
      const receipt = receipts.observe(slice, page)
      if (receipt !== null) return ended({ verdict: receipt.verdict, reason: receipt.reason }, null)
    }
    return ended(null, null)
  } catch (error) {
    if (signal.aborted || !(error instanceof ConnectorError)) throw error
    return ended(null, stopping.signal.aborted ? null : error)
  } finally {
    await close()
    await network.close()
  }
}

/** The number that the mirror gives each record; the whole record where a transformation removed it. */
function identityOf(record: JsonRecord): string {
  return stringifyJson(record.leaf ?? record)
}

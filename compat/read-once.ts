/** One stream, read once from the answering server: what it asked, what it gave, how it ended. */
import type { LoadedManifest } from '../src/connector/load-manifest.ts'
import type { JsonRecord, Config } from '../src/engine/plan/plan.ts'
import { ConnectorError } from '../src/std/errors.ts'
import type { Message } from '../src/protocol/messages.ts'
import { readStreams } from '../src/protocol/read.ts'
import { type States, statesIn } from '../src/protocol/state-input.ts'
import type { MirrorRequest } from '../src/lab/mirror/mirror-request.ts'
import { movingClock } from '../src/lab/mirror/calendar.ts'
import { type Endpoint, endpointFor } from '../src/lab/mirror/endpoint.ts'
import type { AnsweringServer } from '../src/lab/mirror/server.ts'
import type { StreamOutcome } from '../src/protocol/receipt-messages.ts'

export type Reading = {
  readonly server: AnsweringServer
  readonly manifest: LoadedManifest
  readonly config: Config
  readonly stream: string
  readonly endpoints: readonly Endpoint[]
  readonly states?: States
  readonly clock?: ReturnType<typeof movingClock>
}

export type Ask = { readonly endpoint: Endpoint; readonly asked: MirrorRequest }

export type Read = {
  readonly outcome: StreamOutcome
  readonly asks: readonly Ask[]
  /** Requests that no endpoint takes for its own. */
  readonly unanswered: readonly string[]
  readonly records: readonly JsonRecord[]
  readonly states: States
  /** Why the read was stopped by this program; null when it ended by itself. */
  readonly cut: string | null
}

const maxRequests = 2500
const maxMs = 60_000

export async function readOnce({
  server,
  manifest,
  config,
  stream,
  endpoints,
  states = new Map(),
  clock = movingClock(),
}: Reading): Promise<Read> {
  const asks: Ask[] = []
  const unanswered: string[] = []
  const records: JsonRecord[] = []
  const stateMessages: Message[] = []
  const stopping = new AbortController()
  let cut: string | null = null
  const stop = (reason: string) => {
    cut ??= reason
    stopping.abort(new ConnectorError('response/aborted', reason))
  }
  const network = server.network((asked) => {
    if (asks.length + unanswered.length >= maxRequests) stop(`did not end within ${maxRequests} requests`)
    const endpoint = endpointFor(endpoints, asked)
    if (endpoint === null) unanswered.push(`${asked.method} ${asked.url.href.slice(0, 200)}`)
    else asks.push({ endpoint, asked })
    return endpoint?.answer(asked) ?? null
  })
  const timer = setTimeout(() => stop(`did not end within ${maxMs / 1000} seconds`), maxMs)
  try {
    const [outcome] = await readStreams({
      manifest,
      config,
      streams: [{ name: stream, isIncremental: true }],
      states,
      options: { network, signal: stopping.signal, random: () => 0.5, ...clock },
      emit: (messages) => {
        for (const message of messages) {
          if (message.type === 'RECORD') records.push(message.record.data)
          if (message.type === 'STATE') stateMessages.push(message)
        }
      },
    })
    if (outcome === undefined) throw new Error('nothing was read')
    return { outcome, asks, unanswered, records, states: statesIn(stateMessages), cut }
  } finally {
    clearTimeout(timer)
    await network.close()
  }
}

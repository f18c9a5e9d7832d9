/** One stream, read by Turnleaf and by airbyte-cdk from servers that answer alike. */
import type { LoadedManifest } from '../../src/connector/load-manifest.ts'
import type { Component } from '../../src/engine/manifest/manifest.ts'
import type { Config } from '../../src/engine/plan/plan.ts'
import { frozenClock, now } from '../../src/lab/mirror/calendar.ts'
import { type Endpoint, endpointFor } from '../../src/lab/mirror/endpoint.ts'
import { endpointsOf } from '../../src/lab/mirror/endpoints.ts'
import type { AnsweringServer } from '../../src/lab/mirror/server.ts'
import { type States, statesIn } from '../../src/protocol/state-input.ts'
import { stringifyJson } from '../../src/std/json.ts'
import { readOnce } from '../read-once.ts'
import { requestLine, type Side } from './compare.ts'
import { type Airbyte, streamStateIn } from './open-airbyte.ts'

export type StreamOfBoth = {
  readonly server: AnsweringServer
  readonly airbyte: Airbyte
  readonly manifest: LoadedManifest
  /** The file that Airbyte reads. */
  readonly file: string
  /** As the user gives it, and as the rules of the spec leave it. */
  readonly given: Config
  readonly config: Config
  readonly name: string
  readonly stream: Component
  /** Endpoints that are asked before the stream is known. */
  readonly before: readonly Endpoint[]
  /** How an endpoint answers in a situation. */
  readonly endpoint?: ((endpoint: Endpoint) => Endpoint) | undefined
}

/** Where a read continues: the states of an earlier one, each in its engine's words. */
export type Earlier = { readonly ours: States; readonly theirs: unknown }

export type Both = {
  readonly ours: Side
  readonly theirs: Side
  readonly earlier: Earlier
  /** Whether the states of both say how far they read. */
  readonly isResumable: boolean
}

export async function readBoth(of: StreamOfBoth, from?: Earlier): Promise<Both> {
  const isIncremental = of.stream.incremental_sync !== undefined
  const [ours, states, isIncomplete] = await readOurs(of, from?.ours)
  const [theirs, state] = await readTheirs(of, isIncremental, from?.theirs)
  // Where something is known to be missing, our state stays, and Airbyte's moves.
  const isResumable = isIncremental && !isIncomplete
  const judged = (side: Side) => (isResumable ? side : { ...side, state: null })
  return { ours: judged(ours), theirs: judged(theirs), earlier: { ours: states, theirs: state }, isResumable }
}

async function readOurs(of: StreamOfBoth, from?: States): Promise<[Side, States, isIncomplete: boolean]> {
  const { server, manifest, config, name } = of
  const endpoints = endpointsFor(of)
  // The clock of Airbyte's process is frozen, too.
  const clock = frozenClock()
  const reading = { server, manifest, config, stream: name, endpoints, clock }
  const read = await readOnce({ ...reading, ...(from && { states: from }) })
  const { outcome, asks, unanswered, records, states, cut } = read
  const requests = asks.filter(({ endpoint }) => isCompared(endpoint)).map(({ asked }) => requestLine(asked))
  const isIncomplete = outcome.ending === 'incomplete'
  const side = {
    requests: [...requests, ...unanswered],
    records: records.map(asJson),
    state: asJson(states.get(name) ?? null),
    // Airbyte says nothing of what is known to be missing.
    error: isIncomplete ? null : (outcome.error?.message ?? cut),
  }
  return [side, states, isIncomplete]
}

async function readTheirs(of: StreamOfBoth, isIncremental: boolean, from: unknown): Promise<[Side, unknown]> {
  const endpoints = endpointsFor(of)
  const requests: string[] = []
  const relay = of.server.relay((asked) => {
    const endpoint = endpointFor(endpoints, asked)
    if (isCompared(endpoint)) requests.push(requestLine(asked))
    return endpoint?.answer(asked) ?? null
  })
  try {
    const { records, state, error } = await of.airbyte.read({
      manifest: of.file,
      config: of.given,
      stream: of.name,
      isIncremental,
      states: from === undefined || from === null ? [] : [from],
      now: new Date(now).toISOString(),
      port: relay.port,
      run: relay.run,
    })
    return [{ requests, records, state: streamStateIn(state), error }, state]
  } finally {
    relay.close()
  }
}

/** Made anew for each read: a list remembers who requested it first. */
function endpointsFor({ stream, config, before, endpoint = (one) => one }: StreamOfBoth): Endpoint[] {
  return [...before, ...endpointsOf(stream, config).map(endpoint)]
}

/** One state for both. */
export function earlierWith(name: string, state: Record<string, unknown>): Earlier {
  const theirs = { type: 'STREAM', stream: { stream_descriptor: { name }, stream_state: state } }
  return { ours: statesIn(theirs), theirs }
}

/** How often an engine logs in is its own affair: here equal authenticators share a token. */
function isCompared(endpoint: Endpoint | null): boolean {
  return endpoint?.role !== 'login'
}

function asJson(value: unknown): unknown {
  return JSON.parse(stringifyJson(value))
}

/** The exchanges of a live read → a recording without secrets, replayed before it is accepted. */
import type { LoadedManifest } from '../connector/load-manifest.ts'
import type { Config } from '../engine/plan/plan.ts'
import type { HttpResponse } from '../engine/response/http-response.ts'
import type { StreamState } from '../engine/slices/stream-cursor.ts'
import { ConnectorError } from '../std/errors.ts'
import { isList, isObject } from '../std/values/objects.ts'
import { bodyBytesOf, hiddenTexts, recordBody, searchableText } from './body.ts'
import { replayClock } from './clock.ts'
import { cutPage } from './cut-lists.ts'
import { expectedOfBoth } from './expected-read.ts'
import { fileText } from './file-text.ts'
import { learnFromRequest, learnFromResponse } from './find-credentials.ts'
import { withThrowawayKeys } from './placeholder-config.ts'
import type { SecretPlaceholders } from './placeholders.ts'
import { readStreamOnce, type StreamReadOnce } from './read-stream-once.ts'
import type { HeardExchange } from './record-network.ts'
import {
  type RecordedRequest,
  type RecordedResponse,
  type Recording,
  recordingFormat,
  type RecordingLimits,
} from './recording.ts'
import { type Matching, replayNetwork, type ReplayedExchange } from './replay-network.ts'
import { sayRequest } from './same-request.ts'
import { hiddenMark, isAsExpected, markVarying } from './varying.ts'

export type LiveRead = {
  readonly manifest: LoadedManifest
  readonly stream: string
  readonly startedAt: number
  /** With placeholders. */
  readonly config: Config
  readonly state: StreamState | null
  readonly limits: RecordingLimits
  readonly recordsPerPage: number
  readonly heard: readonly HeardExchange[]
  readonly read: StreamReadOnce
  readonly placeholders: SecretPlaceholders
  /** Learns what the engine knows as a secret, once everything with a name is known. */
  readonly learnRest: () => void
  /** The manifest contains this text: it is no secret of the config. */
  readonly isPublic: (text: string) => boolean
  readonly signal: AbortSignal
}

/** A file that people review in git. */
const mostBytes = 5 * 1024 * 1024

export async function makeRecording(heard: LiveRead): Promise<Recording> {
  const whole = exchangesOf(heard)
  // What was learned from the exchanges may be a part of another value of the config: an address with a key in it.
  const live = { ...heard, config: heard.placeholders.value(heard.config) as Config }
  const { stream, startedAt, config, state, limits, placeholders } = live
  const first = await rehearse(live, whole, 'in-order')
  refuseOther(live, first)
  const exchanges = await shortened(live, whole, first)
  const [one, other] = [await rehearse(live, exchanges, 'in-order'), await rehearse(live, exchanges, 'in-order')]
  const requests = markVarying(one.requests, other.requests) as readonly RecordedRequest[]
  const recording: Recording = {
    format: recordingFormat,
    stream,
    recordedAt: new Date(startedAt).toISOString(),
    config,
    state: placeholders.value(state) as StreamState | null,
    limits,
    exchanges: exchanges.map(({ purpose, response, failure, clock }, index) => ({
      ...(purpose !== undefined && { purpose }),
      request: withoutSecretsIn(requests[index], placeholders),
      response,
      ...(failure !== undefined && { failure }),
      ...(clock !== undefined && { clock }),
    })),
    expected: expectedOfBoth(one.read, other.read),
  }
  refuseSecrets(live, recording)
  await refuseSecretsInside(live, recording)
  await refuseUnlike(live, recording)
  return recording
}

function exchangesOf({ heard, placeholders, isPublic, learnRest }: LiveRead): ReplayedExchange[] {
  const learn = (secret: string, name: string) => {
    if (!isPublic(secret)) placeholders.learn(secret, name)
  }
  // All are searched before any is written: a secret may come back in an earlier response.
  for (const { request, response } of heard) {
    learnFromRequest(request, learn)
    if (response === null) continue
    const isToken = request.purpose?.kind === 'token'
    const { headers, cookies = [], body } = response
    learnFromResponse({ headers, cookies, body: searchableText(body), isToken }, learn)
  }
  learnRest()
  return heard.map(({ request, response, failure, clock }) => ({
    ...(request.purpose !== undefined && { purpose: purposeName(request.purpose) }),
    request: null,
    response: response === null ? null : recordResponse(response, placeholders),
    ...(failure !== null && { failure: { code: failure.code, message: placeholders.text(failure.message) } }),
    ...(clock !== null && { clock: new Date(clock).toISOString() }),
  }))
}

function purposeName(purpose: NonNullable<HeardExchange['request']['purpose']>): string {
  switch (purpose.kind) {
    case 'parent':
      return `parent ${purpose.stream}`
    case 'job':
      return `job ${purpose.step}`
    default:
      return purpose.kind
  }
}

/** Different in every response, and of no use to a manifest. */
const noise =
  /^(date|age|server|etag|via|vary|connection|keep-alive|transfer-encoding|content-length|alt-svc|nel|report-to|set-cookie|strict-transport-security|last-modified|cf-.*|x-(request-id|runtime|trace.*|amzn?-.*|served-by|cache.*|timer|powered-by|correlation-id|envoy-.*))$/

function recordResponse(
  { status, headers, cookies, body }: HttpResponse,
  placeholders: SecretPlaceholders,
): RecordedResponse {
  const kept = Object.entries(headers)
    .filter(([name]) => !noise.test(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => [name, placeholders.text(value)])
  const recorded = recordBody(body, placeholders)
  return {
    status,
    headers: Object.fromEntries(kept) as Record<string, string>,
    ...(cookies !== undefined && { cookies: cookies.map((line) => placeholders.text(line)) }),
    ...(recorded !== undefined && { body: recorded }),
  }
}

type Rehearsal = { readonly read: StreamReadOnce; readonly requests: readonly RecordedRequest[] }

async function rehearse(
  live: LiveRead,
  exchanges: readonly ReplayedExchange[],
  matching: Matching,
): Promise<Rehearsal> {
  const { manifest, stream, startedAt, config, state, limits, placeholders, signal } = live
  const clock = replayClock(startedAt)
  const { network, sent } = replayNetwork(exchanges, { clock, matching })
  const read = await readStreamOnce(manifest, {
    stream,
    config: withThrowawayKeys(config),
    state: placeholders.value(state) as StreamState | null,
    limits,
    network,
    clock,
    signal,
  })
  return { read, requests: sent.map(({ request }) => request) }
}

/** Without its secrets, the read must be the one that was recorded. */
function refuseOther({ read, heard, stream }: LiveRead, rehearsal: Rehearsal): void {
  const { error } = rehearsal.read
  if (error !== null) throw notReplayable(stream, `the replay ends with ${error.code}: ${error.message}`)
  if (rehearsal.requests.length !== heard.length) {
    const [was, is] = [heard.length, rehearsal.requests.length]
    throw notReplayable(stream, `the read sent ${was} requests, and the replay ${is}`)
  }
  if (rehearsal.read.records.length !== read.records.length) {
    const [was, is] = [read.records.length, rehearsal.read.records.length]
    throw notReplayable(stream, `the read has ${was} records, and the replay ${is}`)
  }
  const unlike = rehearsal.requests.findIndex((request, index) => request.method !== heard[index]?.request.method)
  const other = rehearsal.requests[unlike]
  if (other !== undefined) throw notReplayable(stream, `request ${unlike + 1} is ${sayRequest(other)}`)
  if (!isSameEnd(read, rehearsal.read)) throw notReplayable(stream, 'its slices end differently in the replay')
}

/** Whether slices ended for the same reasons with the same verdicts. */
function isSameEnd(one: StreamReadOnce, other: StreamReadOnce): boolean {
  const ends = ({ slices }: StreamReadOnce) => slices.map(({ pages, stop, verdict }) => [pages, stop, verdict])
  return isAsExpected(ends(one), ends(other))
}

function notReplayable(stream: string, why: string): ConnectorError {
  return new ConnectorError(
    'recordings/not-replayable',
    `Stream "${stream}" cannot be replayed with placeholders in the place of its secrets: ${why}.`,
  )
}

/** Fewer records in a page where the read stays the same: the same requests, stop reasons and verdicts. */
async function shortened(
  live: LiveRead,
  whole: readonly ReplayedExchange[],
  { read, requests }: Rehearsal,
): Promise<readonly ReplayedExchange[]> {
  const { recordPath } = read
  if (recordPath === null) return whole
  const cut = whole.map((exchange) =>
    exchange.purpose === undefined && exchange.response !== null
      ? { ...exchange, response: cutPage(exchange.response, recordPath, live.recordsPerPage) }
      : exchange,
  )
  if (!cut.some(({ response }) => response?.cutFrom !== undefined)) return whole
  const rehearsal = await rehearse(live, cut, 'in-order').catch(() => null)
  if (rehearsal === null || rehearsal.read.error !== null || !isSameEnd(read, rehearsal.read)) return whole
  const again = await rehearse(live, whole, 'in-order')
  return isAsExpected(markVarying(requests, again.requests), rehearsal.requests) ? cut : whole
}

/** What a manifest writes out itself is in a request whatever the config says: it is compared by its presence only. */
function withoutSecretsIn(request: RecordedRequest | undefined, placeholders: SecretPlaceholders): RecordedRequest {
  const cleaned = (value: unknown): unknown => {
    if (typeof value === 'string') return placeholders.text(value) === value ? value : hiddenMark
    if (isList(value)) return value.map(cleaned)
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cleaned(member)]))
  }
  return cleaned(request) as RecordedRequest
}

function refuseSecrets({ stream, placeholders, isPublic }: LiveRead, recording: Recording): void {
  const text = fileText(recording)
  if (text.length > mostBytes) {
    const message = `The recording of "${stream}" has ${Math.ceil(text.length / 1024 / 1024)} MB; at most 5 MB are kept.`
    throw new ConnectorError('recordings/too-large', message)
  }
  const left = placeholders.foundIn(text, isPublic)
  if (left !== null) throw secretLeft(stream, left)
}

/** An archive is kept as it is: a secret in one cannot be replaced. */
async function refuseSecretsInside({ stream, placeholders, isPublic }: LiveRead, recording: Recording): Promise<void> {
  for (const { response } of recording.exchanges) {
    if (response?.body === undefined || !('base64' in response.body)) continue
    for (const text of await hiddenTexts(bodyBytesOf(response.body))) {
      const left = placeholders.foundIn(text, isPublic)
      if (left !== null) throw secretLeft(stream, left)
    }
  }
}

function secretLeft(stream: string, placeholder: string): ConnectorError {
  const message = `The recording of "${stream}" would contain the secret that ${placeholder} replaces; nothing was written.`
  return new ConnectorError('recordings/secret-left', message)
}

/** As `turnleaf test` will do it. */
async function refuseUnlike(live: LiveRead, { exchanges, expected }: Recording): Promise<void> {
  const { read, requests } = await rehearse(live, exchanges, 'exact')
  if (read.error !== null) throw notReplayable(live.stream, `${read.error.code}: ${read.error.message}`)
  const isSame = requests.length === exchanges.length && read.records.length === expected.records.count
  if (!isSame) throw notReplayable(live.stream, 'two replays differ')
}

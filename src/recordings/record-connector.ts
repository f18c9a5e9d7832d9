/** A connector and its config → recordings of its streams, in the folder of the connector. */
import type { LoadedManifest } from '../connector/load-manifest.ts'
import { type ManifestText, readConnector } from '../connector/open-connector.ts'
import type { Config } from '../engine/plan/plan.ts'
import { type Network, openNetwork } from '../engine/response/send.ts'
import type { StreamState } from '../engine/slices/stream-cursor.ts'
import { streamsOf } from '../engine/streams-of.ts'
import { unknownStream } from '../engine/plan/stream.ts'
import { openRunOf } from '../read.ts'
import { ConnectorError, hasCode } from '../std/errors.ts'
import { sleep } from '../std/sleep.ts'
import { recordingClock } from './clock.ts'
import { type LiveRead, makeRecording } from './make-recording.ts'
import { placeholderConfig, type PlaceholderForm } from './placeholder-config.ts'
import { openSecretPlaceholders } from './placeholders.ts'
import { readStreamOnce, type StreamReadOnce } from './read-stream-once.ts'
import { type HeardExchange, recordingNetwork } from './record-network.ts'
import { writeRecording } from './recording-file.ts'
import type { Recording, RecordingLimits } from './recording.ts'
import { withSmallPages } from './small-pages.ts'
import { surveyOutcomes } from './survey-outcomes.ts'

export type RecordOptions = {
  readonly config?: Config
  /** The streams to record; all when absent. */
  readonly streams?: readonly string[] | undefined
  /** Of each slice (default: 5). */
  readonly maxPages?: number | undefined
  /** Of each stream (default: 3). */
  readonly maxSlices?: number | undefined
  /** How many records a page should have, where the API lets the manifest choose (default: 5). */
  readonly recordsPerPage?: number | undefined
  /** The states to begin with, by stream. */
  readonly states?: ReadonlyMap<string, StreamState> | undefined
  /** The largest response, in bytes (default: 8 MiB). */
  readonly maxBodyBytes?: number | undefined
  /** Whether to survey the streams as well (default: true). */
  readonly survey?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** Receives the config whenever the API changes it: refresh tokens that work once. */
  readonly onConfig?: ((config: Config) => void | Promise<void>) | undefined
  readonly onResult?: (result: RecordedStream) => void
  /** A network to record, instead of one of its own; closed by the caller. */
  readonly network?: Network | undefined
  /** For tests: the clock, and the wait between retries. */
  readonly now?: (() => number) | undefined
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
}

export type RecordedStream = {
  readonly stream: string
  /** Null where it was not recorded. */
  readonly file: string | null
  readonly requests: number
  readonly records: number
  /** Whether the recording has the last page of every slice it reads: otherwise a test cannot notice how pagination ends. */
  readonly hasEnd: boolean
  /** Why it was not recorded. An earlier recording is kept. */
  readonly error: ConnectorError | null
}

const defaults = { maxPages: 5, maxSlices: 3, recordsPerPage: 5, maxBodyBytes: 8 * 1024 * 1024 }

/** Streams that paginate differently, as far as they are surveyed. */
const mostSurveys = 5

/**
 * Reads some pages of each stream and keeps the exchanges, without secrets, in `recordings/` next to the manifest.
 *
 * @example const results = await recordConnector('shop', { config, streams: ['orders'] })
 */
export async function recordConnector(path: string, options: RecordOptions = {}): Promise<RecordedStream[]> {
  const source = await readConnector(path)
  let config = options.config ?? {}
  const { manifest } = withSmallPages(source, null, config)
  const onConfig = async (changed: Config) => {
    config = changed
    await options.onConfig?.(changed)
  }
  const results: RecordedStream[] = []
  const surveyed = new Set<string>()
  for (const stream of await namesOf(manifest, config, options, onConfig)) {
    const result = await recordStream(source, stream, config, { ...options, onConfig }, surveyed)
    results.push(result)
    options.onResult?.(result)
  }
  return results
}

async function namesOf(
  manifest: LoadedManifest,
  config: Config,
  { streams: wanted, signal, network, now }: RecordOptions,
  onConfig: RecordOptions['onConfig'],
): Promise<string[]> {
  const given = { ...(network !== undefined && { network }), ...(now !== undefined && { now }) }
  const { run, close } = await openRunOf(manifest, { config, onConfig, ...given })
  try {
    const known = (await streamsOf(run, { signal })).map(({ name }) => name)
    for (const name of wanted ?? []) if (!known.includes(name)) throw unknownStream(manifest, name, known)
    return wanted === undefined ? known : [...new Set(wanted)]
  } finally {
    await close()
  }
}

async function recordStream(
  source: ManifestText,
  stream: string,
  config: Config,
  options: RecordOptions,
  surveyed: Set<string>,
): Promise<RecordedStream> {
  try {
    const { recording, paginationKey } = await liveRecording(source, stream, config, options)
    const isSurveyed = options.survey !== false && !surveyed.has(paginationKey) && surveyed.size < mostSurveys
    surveyed.add(paginationKey)
    const outcomes = isSurveyed ? await surveyOutcomes(source, recording, options.signal) : null
    const whole =
      outcomes === null ? recording : { ...recording, expected: { ...recording.expected, survey: outcomes } }
    const file = await writeRecording(source.folder, whole)
    const { exchanges, expected } = whole
    const hasEnd = expected.slices.every(({ stop }) => stop !== 'limit')
    return { stream, file, requests: exchanges.length, records: expected.records.count, hasEnd, error: null }
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.code === 'response/aborted') throw error
    return { stream, file: null, requests: 0, records: 0, hasEnd: false, error: explained(error) }
  }
}

function explained(error: ConnectorError): ConnectorError {
  if (error.code !== 'response/too-large') return error
  return new ConnectorError('recordings/too-large', `${error.message} Nothing was recorded.`, { cause: error })
}

type Live = { readonly recording: Recording; readonly paginationKey: string }

/** With small pages first. An API that refuses them, or sends too few records then, is read as the manifest says. */
async function liveRecording(
  source: ManifestText,
  stream: string,
  given: Config,
  recordOptions: RecordOptions,
): Promise<Live> {
  // A refresh token that works once is used up by the first read.
  let config = given
  const onConfig = async (changed: Config) => {
    config = changed
    await recordOptions.onConfig?.(changed)
  }
  const options = { ...recordOptions, onConfig }
  const read = async (pageSize: number | null) => {
    const { manifest, isChanged } = withSmallPages(source, pageSize, config)
    if (pageSize !== null && !isChanged) return null
    return await readLive(source, manifest, stream, config, options, pageSize)
  }
  const small = await read(options.recordsPerPage ?? defaults.recordsPerPage)
  const larger = options.recordsPerPage === undefined ? sizeToTheEnd(small?.read, options) : null
  const whole = larger === null ? null : await read(larger)
  const live = [whole, small].find((one) => one !== null && isGood(one.read)) ?? (await read(null))
  if (live === null) throw new Error('a read with the page size of the manifest was not made')
  const { error, paginationKey } = live.read
  if (error !== null) throw error
  const recording = await makeRecording(live.with('word')).catch((failure: unknown) => {
    const isOther = !hasCode(failure, 'recordings/not-replayable')
    if (isOther) throw failure
    // A template may split the secret: `key-us20` names a data centre.
    return makeRecording(live.with('shape'))
  })
  return { recording, paginationKey }
}

/** A read that our own limit ended lacks records, of course. */
function isGood({ error, slices }: StreamReadOnce): boolean {
  return error === null && slices.every(({ stop, verdict }) => stop === 'limit' || !isAlarming(verdict))
}

const isAlarming = (verdict: string) => verdict === 'incomplete' || verdict === 'duplicated'

/** Larger pages would be long to read in a file. */
const largestPage = 20

/** The page size with which a read that the limit ended comes to its end; null where the API reports no total, or too many. */
function sizeToTheEnd(
  read: StreamReadOnce | undefined,
  { maxPages = defaults.maxPages }: RecordOptions,
): number | null {
  const totals =
    read?.slices.filter(({ stop }) => stop === 'limit').map(({ claimed }) => claimed.total?.value ?? null) ?? []
  if (totals.length === 0 || totals.includes(null) || maxPages < 2) return null
  // One page less: many an API is done only when a page is empty.
  const size = Math.ceil(Math.max(...totals.map(Number)) / (maxPages - 1))
  return size <= largestPage ? size : null
}

async function readLive(
  { text }: ManifestText,
  manifest: LoadedManifest,
  stream: string,
  config: Config,
  options: RecordOptions,
  pageSize: number | null,
) {
  const { signal = new AbortController().signal, onConfig } = options
  const limits: RecordingLimits = {
    maxPages: options.maxPages ?? defaults.maxPages,
    maxSlices: options.maxSlices ?? defaults.maxSlices,
    pageSize,
  }
  const isPublic = (secret: string) => text.includes(secret)
  const clock = recordingClock({ now: options.now ?? Date.now, sleep: options.sleep ?? sleep })
  const startedAt = clock.now()
  const heard: HeardExchange[] = []
  const learned: string[] = []
  const { maxBodyBytes = defaults.maxBodyBytes } = options
  const network = options.network ?? openNetwork({ limits: { maxBodyBytes } })
  const state = options.states?.get(stream) ?? null
  try {
    const read = await readStreamOnce(manifest, {
      stream,
      config,
      state,
      limits,
      network: recordingNetwork(network, clock, heard),
      clock,
      signal,
      onSecret: (secret) => learned.push(secret),
      onConfig,
    })
    const { recordsPerPage = defaults.recordsPerPage } = options
    const made = { manifest, stream, startedAt, state, limits, recordsPerPage, heard, read, isPublic, signal }
    return {
      read,
      with(form: PlaceholderForm): LiveRead {
        const placeholders = openSecretPlaceholders()
        const kept = placeholderConfig(manifest, config, placeholders, isPublic, form, learned)
        // By their names in responses first; what is left has none.
        const learnRest = () => {
          for (const secret of learned) if (!isPublic(secret)) placeholders.learn(secret, 'token')
        }
        return { ...made, config: kept, placeholders, learnRest }
      },
    }
  } finally {
    if (options.network === undefined) await network.close()
  }
}

/** A connector's folder with recordings → whether its manifest still sends the same requests and makes the same of the responses. */
import { type ManifestText, readConnector } from '../connector/open-connector.ts'
import { withoutConnections } from '../engine/response/refuse-connections.ts'
import { ConnectorError } from '../std/errors.ts'
import { replayClock } from './clock.ts'
import { type Difference, readDifferences, requestDifferences } from './compare-read.ts'
import { expectedRead } from './expected-read.ts'
import { withThrowawayKeys } from './placeholder-config.ts'
import { readStreamOnce, type StreamReadOnce } from './read-stream-once.ts'
import { readRecording, recordingFiles, writeRecording } from './recording-file.ts'
import type { ExpectedRead, Recording } from './recording.ts'
import { type Matching, type Replay, replayNetwork } from './replay-network.ts'
import { withSmallPages } from './small-pages.ts'
import { surveyChanges, surveyOutcomes } from './survey-outcomes.ts'
import { keepMarks } from './varying.ts'

export type ConnectorTestOptions = {
  /** The streams to test; all with a recording when absent. */
  readonly streams?: readonly string[] | undefined
  /** Writes what the replay made as what is expected from now on. */
  readonly update?: boolean | undefined
  /** Whether to compare the survey as well (default: true). */
  readonly survey?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  readonly onResult?: (result: StreamTest) => void
}

export type StreamTest = {
  readonly stream: string
  /** The recording. */
  readonly file: string
  readonly outcome: 'passed' | 'failed' | 'updated'
  readonly differences: readonly Difference[]
  /** What is better than recorded, or cannot be compared: no failure. */
  readonly notes: readonly string[]
  readonly requests: number
  readonly records: number
  readonly tookMs: number
}

export type ConnectorTest = {
  readonly folder: string
  readonly results: readonly StreamTest[]
}

/**
 * Replays the recordings of a connector without network and credentials, and compares requests, records, receipts and schema.
 *
 * @example const { results } = await testConnector('shop')
 */
export async function testConnector(path: string, options: ConnectorTestOptions = {}): Promise<ConnectorTest> {
  const source = await readConnector(path)
  const files = await recordingFiles(source.folder)
  if (files.length === 0) {
    throw new ConnectorError('recordings/none', `The connector in ${source.folder} has no recordings.`)
  }
  const recordings: { readonly file: string; readonly recording: Recording }[] = []
  for (const file of files) recordings.push({ file, recording: await readRecording(file) })
  const known = recordings.map(({ recording }) => recording.stream)
  for (const name of options.streams ?? []) {
    if (known.includes(name)) continue
    const message = `There is no recording of stream "${name}" in ${source.folder}; there are ${known.join(', ')}.`
    throw new ConnectorError('recordings/none', message)
  }
  const results: StreamTest[] = []
  for (const { file, recording } of recordings) {
    if (options.streams !== undefined && !options.streams.includes(recording.stream)) continue
    const result = await testStream(source, file, recording, options)
    results.push(result)
    options.onResult?.(result)
  }
  return { folder: source.folder, results }
}

type Compared = {
  readonly differences: readonly Difference[]
  readonly replay: Replay
  readonly read: StreamReadOnce
}

async function testStream(
  source: ManifestText,
  file: string,
  recording: Recording,
  options: ConnectorTestOptions,
): Promise<StreamTest> {
  const { stream } = recording
  const startedAt = performance.now()
  const compared = await compare(source, recording, 'exact', options.signal)
  const surveyed = options.survey === false ? null : await compareSurvey(source, recording, options.signal)
  const differences = [...compared.differences, ...(surveyed?.differences ?? [])]
  const shown = {
    stream,
    file,
    notes: surveyed?.notes ?? [],
    requests: compared.replay.sent.length,
    records: compared.read.records.length,
  }
  const tookMs = () => Math.round(performance.now() - startedAt)
  const isChanged = differences.length > 0 || shown.notes.length > 0
  if (options.update !== true || !isChanged) {
    return { ...shown, outcome: differences.length === 0 ? 'passed' : 'failed', differences, tookMs: tookMs() }
  }
  const trouble = await update(source, recording, surveyed?.outcomes, options.signal)
  if (trouble === null) return { ...shown, outcome: 'updated', differences, notes: [], tookMs: tookMs() }
  return { ...shown, outcome: 'failed', differences: trouble, tookMs: tookMs() }
}

async function compare(
  source: ManifestText,
  recording: Recording,
  matching: Matching,
  signal = new AbortController().signal,
): Promise<Compared> {
  const { stream, config, state, limits, exchanges, expected, recordedAt } = recording
  const { manifest } = withSmallPages(source, limits.pageSize, config)
  const clock = replayClock(Date.parse(recordedAt))
  const replay = replayNetwork(exchanges, { clock, matching })
  const attempts: string[] = []
  const reading = { stream, config: withThrowawayKeys(config), state, limits, network: replay.network, clock, signal }
  const read = await withoutConnections(
    () => failingAsRead(() => readStreamOnce(manifest, reading)),
    (target) => attempts.push(target),
  )
  const requests = requestDifferences(exchanges, replay)
  const differences: Difference[] = [...networkDifferences(attempts), ...requests]
  const isUnexpected = replay.unexpected() !== null
  if (read.error !== null && !isUnexpected) {
    const { code, message } = read.error
    differences.push({ in: 'error', says: `The read fails with ${code}: ${message}`, lines: [] })
  }
  // After a request without a response the rest is missing, which would only repeat what is wrong.
  if (read.error === null) differences.push(...readDifferences(expected, expectedRead(read)))
  return { differences, replay, read }
}

/** An error before the first page is one of the stream, too: a stream that the manifest no longer has, a template that fails. */
async function failingAsRead(work: () => Promise<StreamReadOnce>): Promise<StreamReadOnce> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.code === 'response/aborted') throw error
    const schema = { from: 'records', schema: null } as const
    const nothing = { records: [], slices: [], receipt: null, schema, primaryKey: [], state: null }
    return { ...nothing, recordPath: null, paginationKey: '', error }
  }
}

function networkDifferences(attempts: readonly string[]): Difference[] {
  if (attempts.length === 0) return []
  const says = 'A class of the connector used the network by itself; a replay refuses that.'
  return [{ in: 'network', says, lines: [...new Set(attempts)].map((target) => `+ ${target}`) }]
}

async function compareSurvey(source: ManifestText, recording: Recording, signal: AbortSignal | undefined) {
  const { survey: was } = recording.expected
  if (was === undefined) return null
  const outcomes = await surveyOutcomes(source, recording, signal)
  const changes = surveyChanges(was, outcomes)
  const worse = changes.filter(({ isWorse }) => isWorse)
  const differences: Difference[] =
    worse.length === 0
      ? []
      : [
          {
            in: 'survey',
            says: 'With faults of the API, the manifest does worse than recorded.',
            lines: worse
              .map(({ fault, was: before, is }) => `- ${fault}: ${before}\n+ ${fault}: ${is}`)
              .flatMap((two) => two.split('\n')),
          },
        ]
  const notes = changes
    .filter(({ isWorse }) => !isWorse)
    .map(
      ({ fault, was: before, is }) =>
        `With the fault ${fault}, the manifest now ${is}; it was recorded as "${before}".`,
    )
  return { outcomes, differences, notes }
}

/** Requests that changed get the response of the closest recorded one. Null when written; otherwise what cannot be updated. */
async function update(
  source: ManifestText,
  recording: Recording,
  survey: Readonly<Record<string, string>> | null | undefined,
  signal: AbortSignal | undefined,
): Promise<readonly Difference[] | null> {
  const { replay, read, differences } = await compare(source, recording, 'nearest', signal)
  if (read.error !== null) return differences
  const answered = replay.sent.flatMap(({ request, answeredBy }) => {
    const exchange = answeredBy === null ? undefined : recording.exchanges[answeredBy]
    return exchange === undefined ? [] : [{ ...exchange, request: keepMarks(exchange.request, request) }]
  })
  const { survey: surveyedBefore } = recording.expected
  const kept = survey ?? surveyedBefore
  const expected: ExpectedRead = {
    ...keepMarks(recording.expected, expectedRead(read)),
    ...(kept !== undefined && { survey: kept }),
  }
  await writeRecording(source.folder, { ...recording, exchanges: answered, expected })
  return null
}

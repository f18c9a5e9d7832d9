/** `turnleaf read` */
import { isatty } from 'node:tty'
import { validateConfig } from '../../engine/config/normalize-config.ts'
import type { Run } from '../../engine/run/run.ts'
import { streamsOf } from '../../engine/streams-of.ts'
import { writtenStreams } from '../../engine/streams/resolve-streams.ts'
import { type ChosenStream, everyStream, streamsInCatalog, streamsNamed } from '../../protocol/choose-streams.ts'
import { logMessage } from '../../protocol/messages.ts'
import { exitCodeOf, readStreams } from '../../protocol/read.ts'
import { statesIn } from '../../protocol/state-input.ts'
import { customToolsOf, openRunOf } from '../../read.ts'
import { openCatalog, openState } from '../files.ts'
import { judgeSlices } from '../../proof/receipts/open-receipts.ts'
import type { Requirement } from '../../proof/verdict/verdict-name.ts'
import type { ReadEvent } from '../../protocol/emit-stream.ts'
import { listenForInterrupt } from '../interrupt.ts'
import { openSource } from '../open-source.ts'
import type { SourceOptions, StreamChoice } from '../arguments.ts'
import { emitTo, reportRetries } from '../output.ts'
import { isWatched } from '../terminal/print.ts'
import { showProgress } from '../terminal/progress.ts'
import { type EndedStream, sayReceipts } from '../terminal/receipts.ts'
import type { ProgressEvent } from '../terminal/stream-progress.ts'
import { reportError, withFailureTrace } from '../report-error.ts'
import { open } from 'node:fs/promises'
import { ConnectorError } from '../../std/errors.ts'
import { stringifyJson } from '../../std/json.ts'
import { shownError } from '../../sync/receipt.ts'
import type { StreamOutcome } from '../../protocol/receipt-messages.ts'
import { messageOf } from '../../std/text/message-of.ts'

type ReadCommandOptions = SourceOptions &
  StreamChoice & {
    readonly state?: string
    readonly maxPages?: number
    readonly require?: Requirement
    readonly receipts?: string
  }

export function runRead(given: ReadCommandOptions): Promise<number> {
  return withFailureTrace(async (learn) => {
    const { manifest, config, save, keep, saveAgain } = await openSource(given, learn)
    const states = statesIn(given.state === undefined ? [] : await openState(given.state))
    const { signal, exitCode } = listenForInterrupt()
    const leftOut = await validateConfig(manifest, config, customToolsOf(manifest))
    await emitTo(process.stdout)(leftOut.map((text) => logMessage('WARN', text)))
    const file = given.receipts === undefined ? null : await openReceiptsFile(given.receipts)
    // Requests that list the streams are not repeated by the read.
    const { maxPages, prefetch, concurrency } = given
    const { run, close } = await openRunOf(manifest, {
      config,
      isNormalized: true,
      states,
      concurrency,
      onConfig: keep,
      // For requests that list the streams; retries of a stream are reported with it.
      onNotice: reportRetries(emitTo(process.stdout)),
    })
    try {
      const streams = await choose(run, given, signal)
      const emit = emitTo(process.stdout, signal)
      const { shortage } = run.resolved
      if (shortage !== undefined) await emit([logMessage('WARN', shortage)])
      const options = { signal, maxPages, prefetch, concurrency, run, onConfig: save }
      // Messages on the same screen would break up rows that are redrawn: then only the table at the end is shown.
      const display = isWatched && !isatty(1) ? showProgress({ isLive: true, streams: streams.map(nameOf) }) : null
      const onEvent = (event: ReadEvent) => {
        display?.show(progressEvent(event))
        file?.write(event)
      }
      const { require: required } = given
      const outcomes = await readStreams({ manifest, config, streams, states, options, required, emit, onEvent })
      display?.end()
      if (isWatched) sayReceipts(outcomes.map(endedStream))
      for (const { ending, error } of outcomes) {
        if (error !== undefined && ending !== 'cancelled') reportError(error)
      }
      return exitCode() ?? exitCodeOf(outcomes)
    } finally {
      await file?.close()
      await close()
      await saveAgain()
    }
  })
}

async function choose(run: Run, given: ReadCommandOptions, signal: AbortSignal): Promise<ChosenStream[]> {
  const { catalog, stream: names = [] } = given
  if (catalog !== undefined) return streamsInCatalog(await openCatalog(catalog), catalog)
  if (names.length === 0) return everyStream(await streamsOf(run, { signal, judge: judgeSlices }))
  const written = writtenStreams(run)
  const areWritten = names.every((name) => written.some((one) => one.name === name))
  return streamsNamed(run.manifest, areWritten ? written : await streamsOf(run, { signal }), names)
}

function nameOf({ name }: ChosenStream): string {
  return name
}

/** In the terms of the progress display, which shows reads and syncs alike. */
function progressEvent(event: ReadEvent): ProgressEvent {
  switch (event.kind) {
    case 'stream-started':
      return { ...event, before: { pages: 0, records: 0 } }
    case 'page': {
      const { stream, slice, index, records, response } = event.page
      const { bytes } = response
      const sliceText = stringifyJson({ ...slice.partition, ...slice.window })
      return { kind: 'page', stream, slice: sliceText, page: index + 1, records: records.length, bytes, total: null }
    }
    case 'notice':
      return event
    case 'stream-ended':
      return { kind: 'stream-ended', receipt: endedStream(event.outcome) }
  }
}

function endedStream({ name, records, pages, stop, ending, error, proof }: StreamOutcome): EndedStream {
  const { verdict, reason, keys } = proof
  const shown = error === undefined ? {} : { error: shownError(error) }
  return { stream: name, records, pages, stop, ending, verdict, reason, keys, ...shown }
}

type ReceiptsFile = {
  write(event: ReadEvent): void
  /** Fulfilled once everything is written. */
  close(): Promise<void>
}

/** `--receipts`: a JSON line per slice and per stream. Opened first: a path that cannot be written must not cost a read. */
async function openReceiptsFile(path: string): Promise<ReceiptsFile> {
  const refuse = (cause: unknown) => {
    const reason = messageOf(cause)
    return new ConnectorError('cli/file', `Cannot write the receipts to ${path}: ${reason}.`, { cause })
  }
  const file = await open(path, 'w').catch((cause: unknown) => {
    throw refuse(cause)
  })
  let failure: unknown = null
  const stream = file.createWriteStream().on('error', (error) => (failure = error))
  const write = (line: object) => void stream.write(`${stringifyJson(line)}\n`)
  return {
    write(event) {
      if (event.kind === 'stream-ended') write(streamLine(event.outcome))
      if (event.kind !== 'page' || event.page.receipt === undefined) return
      const { stream: name, slice, receipt } = event.page
      const { stream: _soFar, ...ofSlice } = receipt
      write({ kind: 'slice', stream: name, slice: { ...slice.partition, ...slice.window }, ...ofSlice })
    },
    async close() {
      await new Promise<void>((resolve) => stream.on('close', () => resolve()).end())
      if (failure !== null) throw refuse(failure)
    },
  }
}

function streamLine({ name, ending, error, stop, proof }: StreamOutcome): object {
  return {
    kind: 'stream',
    stream: name,
    ending,
    stop,
    ...proof,
    ...(error !== undefined && { error: shownError(error) }),
  }
}

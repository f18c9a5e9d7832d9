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
import type { Requirement } from '../../proof/verdict/verdict.ts'
import type { Watch } from '../../protocol/read-stream.ts'
import { listenForInterrupt } from '../interrupt.ts'
import { openSource } from '../open-source.ts'
import type { SourceOptions, StreamChoice } from '../options.ts'
import { emitTo } from '../output.ts'
import { isWatched } from '../terminal/print.ts'
import { showProgress } from '../terminal/progress.ts'
import { openReceiptsFile } from '../receipts-file.ts'
import { reportError } from '../report.ts'
import { tellRetries } from '../tell-retries.ts'
import { traced } from '../report-failure.ts'

export type ReadCommandOptions = SourceOptions &
  StreamChoice & {
    readonly state?: string
    readonly maxPages?: number
    readonly require?: Requirement
    readonly receipts?: string
  }

export function runRead(given: ReadCommandOptions): Promise<number> {
  return traced(async (learn) => {
    const { manifest, config, save, keep } = await openSource(given, learn)
    const states = statesIn(given.state === undefined ? [] : await openState(given.state))
    const { signal, exitCode } = listenForInterrupt()
    const leftOut = await validateConfig(manifest, config, customToolsOf(manifest))
    await emitTo(process.stdout)(leftOut.map((text) => logMessage('WARN', text)))
    const file = given.receipts === undefined ? null : await openReceiptsFile(given.receipts)
    // What had to be asked to know the streams serves the read as well.
    const { maxPages, prefetch, concurrency } = given
    const { run, close } = await openRunOf(manifest, {
      config,
      isNormalized: true,
      states,
      concurrency,
      onConfig: keep,
      // Of requests that find out which streams there are; those of a stream are reported with it.
      onNotice: tellRetries(emitTo(process.stdout)),
    })
    try {
      const streams = await choose(run, given, signal)
      const emit = emitTo(process.stdout, signal)
      const options = { signal, maxPages, prefetch, concurrency, run, onConfig: save }
      const progress = isWatched ? watchStreams(streams) : null
      const watch = both(progress, file)
      const { require: required } = given
      const outcomes = await readStreams({ manifest, config, streams, states, options, required, emit, watch })
      progress?.end()
      for (const { ending, error } of outcomes) {
        if (error !== undefined && ending !== 'cancelled') reportError(error)
      }
      return exitCode() ?? exitCodeOf(outcomes)
    } finally {
      await file?.close()
      await close()
    }
  })
}

async function choose(run: Run, given: ReadCommandOptions, signal: AbortSignal): Promise<ChosenStream[]> {
  const { catalog, stream: names = [] } = given
  if (catalog !== undefined) return streamsInCatalog(await openCatalog(catalog), catalog)
  if (names.length === 0) return everyStream(await streamsOf(run, { signal }))
  const written = writtenStreams(run)
  const areWritten = names.every((name) => written.some((one) => one.name === name))
  return streamsNamed(run.manifest, areWritten ? written : await streamsOf(run, { signal }), names)
}

function both(progress: Watch | null, file: Watch | null): Watch {
  return {
    started: (stream) => progress?.started?.(stream),
    notice: (stream, notice) => progress?.notice?.(stream, notice),
    page(page) {
      progress?.page?.(page)
      file?.page?.(page)
    },
    ended(outcome) {
      progress?.ended?.(outcome)
      file?.ended?.(outcome)
    },
  }
}

/** Rows that move would be torn apart by messages on the same screen. */
function watchStreams(streams: readonly ChosenStream[]) {
  const names = streams.map(({ name }) => name)
  return showProgress(names, { isLive: !isatty(1) })
}

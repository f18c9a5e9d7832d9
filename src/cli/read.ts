/** `turnleaf read` */
import { isatty } from 'node:tty'
import type { LoadedManifest } from '../connector/load-manifest.ts'
import { type ChosenStream, everyStream, streamsInCatalog, streamsNamed } from '../protocol/choose-streams.ts'
import { exitCodeOf, readStreams } from '../protocol/read.ts'
import { redactorFor } from '../protocol/secrets.ts'
import { statesIn } from '../protocol/state-input.ts'
import { openCatalog, openConfig, openManifest, openState } from './files.ts'
import { listenForInterrupt } from './interrupt.ts'
import { emitTo } from './output.ts'
import { isWatched } from './print.ts'
import type { ReadCommandOptions } from './program.ts'
import { showProgress } from './progress.ts'
import { reportError } from './report.ts'
import { traced } from './traced.ts'

export function runRead(given: ReadCommandOptions): Promise<number> {
  return traced(async (learn) => {
    const manifest = await openManifest(given.manifestPath)
    const config = await openConfig(given.config)
    learn(redactorFor(manifest, config))
    const streams = await choose(manifest, given)
    const states = statesIn(given.state === undefined ? [] : await openState(given.state))

    const { signal, exitCode } = listenForInterrupt()
    const emit = emitTo(process.stdout, signal)
    const options = { signal, maxPages: given.maxPages, prefetch: given.prefetch }
    const progress = isWatched ? watchStreams(streams) : null
    const watch = progress === null ? {} : { watch: progress }
    const outcomes = await readStreams({ manifest, config, streams, states, options, emit, ...watch })
    progress?.end()
    for (const { ending, error } of outcomes) if (ending === 'failed') reportError(error)
    return exitCode() ?? exitCodeOf(outcomes)
  })
}

async function choose(manifest: LoadedManifest, { catalog, stream = [] }: ReadCommandOptions): Promise<ChosenStream[]> {
  if (catalog !== undefined) return streamsInCatalog(await openCatalog(catalog))
  return stream.length > 0 ? streamsNamed(manifest, stream) : everyStream(manifest)
}

/** Rows that move would be torn apart by messages on the same screen. */
function watchStreams(streams: readonly ChosenStream[]) {
  const names = streams.map(({ name }) => name)
  return showProgress(names, { mode: isatty(1) ? 'end' : 'live' })
}

/** Manifest + config + chosen streams → RECORD, STATE, LOG and TRACE messages, stream by stream. */
import type { LoadedManifest } from '../connector/load-manifest.ts'
import { validateConfig } from '../engine/config/normalize-config.ts'
import type { Config } from '../engine/plan/plan.ts'
import { dynamicStreamsOf, type ResolvedStream, writtenStreams } from '../engine/streams/resolve-streams.ts'
import { customToolsOf, openRunOf, type ReadOptions } from '../read.ts'
import type { ChosenStream } from './choose-streams.ts'
import type { Requirement } from '../proof/verdict/verdict.ts'
import { isFault } from './failure.ts'
import { configMessage, type Emit, logMessage } from './messages.ts'
import { readStream, type StreamOutcome, type Watch } from './read-stream.ts'
import { redactorFor } from './secrets.ts'
import type { States } from './state-input.ts'

export type ReadRequest = {
  readonly manifest: LoadedManifest
  /** Normalised; and validated where a run is shared. */
  readonly config: Config
  readonly streams: readonly ChosenStream[]
  readonly states: States
  /** How to read each stream: page limit, prefetch, signal, network, clock. */
  readonly options: Omit<ReadOptions, 'stream' | 'config' | 'state' | 'from'>
  /** A stream that proves less is incomplete; when absent, only one that the API shows to be incomplete is. */
  readonly required?: Requirement | undefined
  readonly emit: Emit
  /** Told how far each stream got, for whoever shows progress. */
  readonly watch?: Watch
}

/** Reads the streams one after the other. A stream that fails does not stop the others; a cancelled read ends there. */
export async function readStreams(request: ReadRequest): Promise<StreamOutcome[]> {
  const { manifest, config, streams, options, emit } = request
  const leftOut = options.run === undefined ? await validateConfig(manifest, config, customToolsOf(manifest)) : []
  const redact = redactorFor(manifest, config)
  const warnings = manifest.problems.filter(({ severity }) => severity === 'warning')
  const told = [...warnings.map(({ code, message }) => `${code}: ${message}`), ...leftOut]
  await emit(told.map((text) => logMessage('WARN', redact(text))))

  // One run for all streams: kept-alive connections, and what had to be asked to find the streams.
  const states = new Map(request.states)
  for (const { name, isIncremental } of streams) if (!isIncremental) states.delete(name)
  const onConfig = async (changed: Config) => {
    await emit([configMessage(changed, (options.now ?? Date.now)())])
    await options.onConfig?.(changed)
  }
  const { run: shared, close } = await openRunOf(manifest, { ...options, config, isNormalized: true })
  const run = { ...shared, states, onConfig }
  const outcomes: StreamOutcome[] = []
  try {
    const strange = strangeStates(request, writtenStreams(shared))
    if (strange.length > 0) await emit([logMessage('WARN', sayStrange(strange))])
    for (const stream of streams) {
      if (options.signal?.aborted) break
      const outcome = await readStream(request, run, stream)
      await run.jobs.ended()
      outcomes.push(outcome)
    }
  } finally {
    await close()
  }
  return outcomes
}

/** The streams that a state is for and that are not there: it may be that of another connector. */
function strangeStates({ manifest, streams, states }: ReadRequest, written: readonly ResolvedStream[]): string[] {
  // Which streams are made from templates is known only once they are.
  if (dynamicStreamsOf(manifest).length > 0) return []
  const known = new Set([...streams, ...written].map(({ name }) => name))
  return [...states.keys()].filter((name) => !known.has(name))
}

function sayStrange(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ') + (names.length > 5 ? ` and ${names.length - 5} more` : '')
  return `The state names streams that are not there, and is not used for them: ${shown}.`
}

/**
 * 0 when every stream was read to its end, or to a limit of pages, and proves what was required; 2 when none could even
 * start for a fault in manifest or config; otherwise 1.
 */
export function exitCodeOf(outcomes: readonly StreamOutcome[]): 0 | 1 | 2 {
  const failed = outcomes.filter(isFailure)
  if (failed.length === 0) return 0
  return failed.length === outcomes.length && failed.every(isRefused) ? 2 : 1
}

function isFailure({ ending, error }: StreamOutcome): boolean {
  return error !== undefined || (ending !== 'complete' && ending !== 'incomplete')
}

/** Before its first answer, and for good. */
function isRefused({ pages, error }: StreamOutcome): boolean {
  return pages === 0 && isFault(error)
}

/** Manifest + config + chosen streams → RECORD, STATE, LOG and TRACE messages, stream by stream. */
import { validateConfig } from '../engine/config/normalize-config.ts'
import type { Config } from '../engine/plan/plan.ts'
import { dynamicStreamsOf, type ResolvedStream, writtenStreams } from '../engine/streams/resolve-streams.ts'
import { customToolsOf, openRunOf } from '../read.ts'
import { isFault } from './failure.ts'
import { configMessage, logMessage } from './messages.ts'
import { emitStream, type ReadRequest } from './emit-stream.ts'
import { redactorFor } from './secrets.ts'
import type { StreamOutcome } from './receipt-messages.ts'

/** Reads the streams one after the other. A stream that fails does not stop the others; cancelling does. */
export async function readStreams(request: ReadRequest): Promise<StreamOutcome[]> {
  const { manifest, config, streams, options, emit } = request
  const leftOut = options.run === undefined ? await validateConfig(manifest, config, customToolsOf(manifest)) : []
  const redact = redactorFor(manifest, config)
  const warnings = manifest.problems.filter(({ severity }) => severity === 'warning')
  const logged = [...warnings.map(({ code, message }) => `${code}: ${message}`), ...leftOut]
  await emit(logged.map((text) => logMessage('WARN', redact(text))))

  // One run for all streams: they share connections, and the requests that listed the streams.
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
    const unknown = unknownStates(request, writtenStreams(shared))
    if (unknown.length > 0) await emit([logMessage('WARN', sayUnknown(unknown))])
    for (const stream of streams) {
      if (options.signal?.aborted) break
      const outcome = await emitStream(request, run, stream)
      await run.jobs.ended()
      outcomes.push(outcome)
    }
  } finally {
    await close()
  }
  return outcomes
}

/** The streams of the state that do not exist: it may belong to another connector. */
function unknownStates({ manifest, streams, states }: ReadRequest, written: readonly ResolvedStream[]): string[] {
  // Streams that templates generate are not known yet.
  if (dynamicStreamsOf(manifest).length > 0) return []
  const known = new Set([...streams, ...written].map(({ name }) => name))
  return [...states.keys()].filter((name) => !known.has(name))
}

function sayUnknown(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ') + (names.length > 5 ? ` and ${names.length - 5} more` : '')
  return `The state has streams that do not exist, which are ignored: ${shown}.`
}

/**
 * 0: every stream was read to its end, or to a page limit, and has the required verdict. 2: no stream could start because
 * of an error in manifest or config. 1: otherwise.
 */
export function exitCodeOf(outcomes: readonly StreamOutcome[]): 0 | 1 | 2 {
  const failed = outcomes.filter(isFailure)
  if (failed.length === 0) return 0
  return failed.length === outcomes.length && failed.every(isRefused) ? 2 : 1
}

function isFailure({ ending, error }: StreamOutcome): boolean {
  return error !== undefined || (ending !== 'complete' && ending !== 'incomplete')
}

/** It failed before the first response, and will again. */
function isRefused({ pages, error }: StreamOutcome): boolean {
  return pages === 0 && isFault(error)
}

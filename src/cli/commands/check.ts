/** `turnleaf check` */
import { checkConnection } from '../../protocol/check.ts'
import { listenForInterrupt } from '../interrupt.ts'
import { openSource } from '../open-source.ts'
import { emitTo, reportRetries } from '../output.ts'
import { isWatched } from '../terminal/print.ts'
import type { SourceOptions } from '../arguments.ts'
import { reportError, withFailureTrace } from '../report-error.ts'

/** Airbyte: a failed connection is a result, so the exit code stays 0. */
export function runCheck(given: SourceOptions): Promise<number> {
  return withFailureTrace(async (learn) => {
    const { manifest, config, keep, saveAgain } = await openSource(given, learn)
    const interrupt = listenForInterrupt()
    const { signal } = interrupt
    const emit = emitTo(process.stdout)
    const options = { signal, onConfig: keep, onNotice: reportRetries(emit) }
    const { messages, failure } = await checkConnection(manifest, config, options).finally(saveAgain)
    await emit(messages)
    if (failure !== null && isWatched) reportError(failure)
    return interrupt.exitCode() ?? 0
  })
}

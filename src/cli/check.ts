/** `turnleaf check` */
import { checkConnection } from '../protocol/check.ts'
import { configMessage } from '../protocol/messages.ts'
import { redactorFor } from '../protocol/secrets.ts'
import { openConfig, openManifest } from './files.ts'
import { listenForInterrupt } from './interrupt.ts'
import { emitTo } from './output.ts'
import { isWatched } from './print.ts'
import type { ProtocolOptions } from './program.ts'
import { reportError } from './report.ts'
import { traced } from './traced.ts'

/** Airbyte: a connection that fails is an answer, and the exit code stays 0. */
export function runCheck({ manifestPath, config: configPath }: ProtocolOptions): Promise<number> {
  return traced(async (learn) => {
    const manifest = await openManifest(manifestPath)
    const config = await openConfig(configPath)
    learn(redactorFor(manifest, config))
    const interrupt = listenForInterrupt()
    const emit = emitTo(process.stdout)
    const { messages, failure } = await checkConnection(manifest, config, {
      signal: interrupt.signal,
      onConfig: (changed) => emit([configMessage(changed, Date.now())]),
    })
    await emit(messages)
    if (failure !== null && isWatched) reportError(failure)
    return interrupt.exitCode() ?? 0
  })
}

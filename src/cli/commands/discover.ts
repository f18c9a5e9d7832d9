/** `turnleaf discover` */
import { discoverMessages } from '../../protocol/discover.ts'
import { listenForInterrupt } from '../interrupt.ts'
import { openSource } from '../open-source.ts'
import { emitTo, reportRetries } from '../output.ts'
import type { SourceOptions } from '../arguments.ts'
import { withFailureTrace } from '../report-error.ts'

export function runDiscover(given: SourceOptions): Promise<number> {
  return withFailureTrace(async (learn) => {
    const { manifest, config, keep, saveAgain } = await openSource(given, learn)
    const interrupt = listenForInterrupt()
    const emit = emitTo(process.stdout)
    const options = { signal: interrupt.signal, onConfig: keep, onNotice: reportRetries(emit) }
    await emit(await discoverMessages(manifest, config, options).finally(saveAgain))
    return interrupt.exitCode() ?? 0
  })
}

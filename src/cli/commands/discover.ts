/** `turnleaf discover` */
import { discoverMessages } from '../../protocol/discover.ts'
import { listenForInterrupt } from '../interrupt.ts'
import { openSource } from '../open-source.ts'
import { emitTo } from '../output.ts'
import type { SourceOptions } from '../options.ts'
import { tellRetries } from '../tell-retries.ts'
import { traced } from '../report-failure.ts'

export function runDiscover(given: SourceOptions): Promise<number> {
  return traced(async (learn) => {
    const { manifest, config, keep } = await openSource(given, learn)
    const interrupt = listenForInterrupt()
    const emit = emitTo(process.stdout)
    const options = { signal: interrupt.signal, onConfig: keep, onNotice: tellRetries(emit) }
    await emit(await discoverMessages(manifest, config, options))
    return interrupt.exitCode() ?? 0
  })
}

/** `turnleaf discover` */
import { discoverMessages } from '../protocol/discover.ts'
import { listenForInterrupt } from './interrupt.ts'
import { openSource } from './open-source.ts'
import { emitTo } from './output.ts'
import type { ProtocolOptions } from './options.ts'
import { traced } from './traced.ts'

export function runDiscover(given: ProtocolOptions): Promise<number> {
  return traced(async (learn) => {
    const { manifest, config, keep } = await openSource(given, learn)
    const interrupt = listenForInterrupt()
    await emitTo(process.stdout)(await discoverMessages(manifest, config, { signal: interrupt.signal, onConfig: keep }))
    return interrupt.exitCode() ?? 0
  })
}

/** `turnleaf spec` */
import { specMessage } from '../protocol/spec.ts'
import { openSource } from './open-source.ts'
import { emitTo } from './output.ts'
import type { ProtocolOptions } from './options.ts'
import { traced } from './traced.ts'

export function runSpec(given: ProtocolOptions): Promise<number> {
  return traced(async (learn) => {
    const { manifest } = await openSource(given, learn)
    await emitTo(process.stdout)([specMessage(manifest)])
    return 0
  })
}

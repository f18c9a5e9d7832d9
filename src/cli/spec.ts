/** `turnleaf spec` */
import { specMessage } from '../protocol/spec.ts'
import { openManifest } from './files.ts'
import { emitTo } from './output.ts'
import type { ProtocolOptions } from './program.ts'
import { traced } from './traced.ts'

export function runSpec({ manifestPath }: ProtocolOptions): Promise<number> {
  return traced(async () => {
    await emitTo(process.stdout)([specMessage(await openManifest(manifestPath))])
    return 0
  })
}

/** `turnleaf discover` */
import { discoverMessages } from '../protocol/discover.ts'
import { redactorFor } from '../protocol/secrets.ts'
import { openConfig, openManifest } from './files.ts'
import { emitTo } from './output.ts'
import type { ProtocolOptions } from './program.ts'
import { traced } from './traced.ts'

export function runDiscover({ manifestPath, config: configPath }: ProtocolOptions): Promise<number> {
  return traced(async (learn) => {
    const manifest = await openManifest(manifestPath)
    const config = await openConfig(configPath)
    learn(redactorFor(manifest, config))
    await emitTo(process.stdout)(await discoverMessages(manifest, config))
    return 0
  })
}

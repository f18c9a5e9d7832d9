/** `turnleaf plan` */
import { planNamed } from '../../engine/streams-of.ts'
import { openRunOf } from '../../read.ts'
import { stringifyJson } from '../../std/json.ts'
import { openConfig } from '../../connections/config-file.ts'
import { openManifest } from '../files.ts'
import { indentJson } from '../terminal/print.ts'
import type { ProtocolOptions } from '../arguments.ts'
import { savingTo } from '../open-named-source.ts'

export async function runPlan({
  manifestPath,
  config,
  stream,
}: ProtocolOptions & { stream?: string }): Promise<number> {
  const manifest = await openManifest(manifestPath)
  const opened = await openConfig(config)
  // Streams that the API names are requested, and a refresh token may be spent for them.
  const { onConfig, atEnd } = savingTo(opened)
  const { run, close } = await openRunOf(manifest, { config: opened.config, onConfig })
  try {
    process.stdout.write(`${indentJson(stringifyJson(await planNamed(run, stream)))}\n`)
    return 0
  } finally {
    await close()
    await atEnd()
  }
}

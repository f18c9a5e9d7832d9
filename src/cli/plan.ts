/** `turnleaf plan` */
import { secretsOf } from '../engine/plan/config.ts'
import { planStream } from '../engine/plan/stream.ts'
import { createRedactor } from '../engine/response/redact.ts'
import { stringifyJson } from '../json.ts'
import { openConfig, openManifest } from './files.ts'
import { indentJson } from './print.ts'
import type { ProtocolOptions } from './program.ts'

export async function runPlan({
  manifestPath,
  config,
  stream,
}: ProtocolOptions & { stream?: string }): Promise<number> {
  const manifest = await openManifest(manifestPath)
  const values = await openConfig(config)
  try {
    process.stdout.write(`${indentJson(stringifyJson(planStream(manifest, stream, values)))}\n`)
    return 0
  } catch (error) {
    throw createRedactor(secretsOf(manifest, values)).error(error)
  }
}

/** `turnleaf plan` */
import { planStream } from '../engine/plan/stream.ts'
import { stringifyJson } from '../json.ts'
import { openConfig, openManifest } from './files.ts'
import { indentJson } from './print.ts'
import type { ProtocolOptions } from './program.ts'

export async function runPlan({
  manifestPath,
  config,
  stream,
}: ProtocolOptions & { stream?: string }): Promise<number> {
  const plan = planStream(await openManifest(manifestPath), stream, await openConfig(config))
  process.stdout.write(`${indentJson(stringifyJson(plan))}\n`)
  return 0
}

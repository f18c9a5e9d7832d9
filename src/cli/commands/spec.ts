/** `turnleaf spec` */
import { plainSpecMessage, specMessage } from '../../protocol/spec.ts'
import { openSource } from '../open-source.ts'
import type { SourceOptions } from '../options.ts'
import { emitTo } from '../output.ts'
import { traced } from '../report-failure.ts'

/** Airbyte: `spec` needs no manifest. Without one it says that the config brings it. */
export function runSpec(given: SourceOptions): Promise<number> {
  return traced(async (learn) => {
    const hasSource = given.manifestPath !== undefined || given.config !== undefined
    const message = hasSource ? specMessage((await openSource(given, learn)).manifest) : plainSpecMessage
    await emitTo(process.stdout)([message])
    return 0
  })
}

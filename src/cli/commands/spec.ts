/** `turnleaf spec` */
import { plainSpecMessage, specMessage } from '../../protocol/spec.ts'
import { openSource } from '../open-source.ts'
import type { SourceOptions } from '../arguments.ts'
import { emitTo } from '../output.ts'
import { withFailureTrace } from '../report-error.ts'

/** Airbyte: `spec` needs no manifest. Without one, the spec asks for a manifest in the config. */
export function runSpec(given: SourceOptions): Promise<number> {
  return withFailureTrace(async (learn) => {
    const hasSource = given.manifestPath !== undefined || given.config !== undefined
    const message = hasSource ? specMessage((await openSource(given, learn)).manifest) : plainSpecMessage
    await emitTo(process.stdout)([message])
    return 0
  })
}

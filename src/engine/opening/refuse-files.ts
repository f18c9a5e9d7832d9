/** `file_uploader`: the files that records name cannot be fetched yet. */
import { ConnectorError } from '../../std/errors.ts'
import type { StreamPlan } from '../plan/stream.ts'
import type { Run } from '../run/run.ts'

/** Whoever wants only the records gets them, and is told. */
export function refuseFiles(run: Run, { name, at }: StreamPlan, wantsFiles: boolean): void {
  const text = 'The files that its records name are not fetched: `file_uploader` cannot run yet.'
  if (!wantsFiles) return run.report({ kind: 'warning', text })
  throw new ConnectorError('manifest/unsupported-component', `Stream "${name}": ${text}`, {
    at,
    hint: 'Set `include_files` to false in the catalog: the records can be read.',
  })
}

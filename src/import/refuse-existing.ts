/** A connector that exists is overwritten only on request. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ConnectorError } from '../std/errors.ts'

/** Before any request is sent, so that no result is lost. */
export async function refuseExisting(folder: string, files: readonly string[], force: boolean): Promise<void> {
  const found = await stat(folder).catch(() => null)
  if (found === null) return
  if (!found.isDirectory()) throw new ConnectorError('import/exists', `${folder} is a file, not a folder.`)
  if (force) return
  for (const file of files) {
    if ((await stat(join(folder, file)).catch(() => null)) !== null)
      throw new ConnectorError('import/exists', `${join(folder, file)} already exists.`)
  }
}

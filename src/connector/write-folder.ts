/** A connector → its folder on disk: all of it or nothing. */
import { mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { describeDiskError, isPathTaken } from '../std/disk/disk-error.ts'
import { replaceFile } from '../std/disk/durable.ts'
import { ConnectorError } from '../std/errors.ts'
import { makeFolder } from '../std/disk/make-folder.ts'

export type FolderFiles = Readonly<Record<string, string>>

/** Other files of an existing folder stay as they are. */
export async function writeConnectorFolder(folder: string, files: FolderFiles): Promise<void> {
  try {
    const found = await stat(folder).catch(() => null)
    if (found !== null) {
      for (const [name, text] of Object.entries(files)) await replaceFile(join(folder, name), Buffer.from(text))
      return
    }
    const target = resolve(folder)
    await makeFolder(dirname(target))
    const draft = await mkdtemp(join(dirname(target), `.${basename(target)}-`))
    try {
      for (const [name, text] of Object.entries(files)) await writeFile(join(draft, name), text)
      await rename(draft, target)
    } catch (error) {
      await rm(draft, { recursive: true, force: true })
      throw error
    }
  } catch (cause) {
    if (cause instanceof ConnectorError) throw cause
    const reason = isPathTaken(cause) ? 'something else was written there' : (describeDiskError(cause) ?? String(cause))
    throw new ConnectorError('cli/file', `Cannot write ${folder}: ${reason}.`, { cause })
  }
}

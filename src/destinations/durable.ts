/** Makes sure that what was written outlives the machine, not only the process. */
import { open } from 'node:fs/promises'

export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.datasync().finally(() => file.close())
}

/** The names in a folder are the folder's own data. Windows cannot do it, and need not. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null)
  if (folder === null) return
  await folder
    .sync()
    .catch(() => undefined)
    .finally(() => folder.close())
}

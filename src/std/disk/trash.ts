/** A folder that is deleted → `<trash>/<time>-<name>`, with everything in it. */
import { rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isPathTaken } from './disk-error.ts'
import { syncFolder } from './durable.ts'
import { makeFolder } from './make-folder.ts'

/** What comes before the name of a folder in the trash. */
export const trashPrefix = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-/

/** @returns where the folder is now */
export async function moveToTrash(folder: string, trash: string): Promise<string> {
  const made = await makeFolder(trash, 0o700)
  if (made !== undefined) await writeFile(join(trash, '.gitignore'), '*\n')
  // A folder of that name that was deleted in the same millisecond keeps its place; the later one sorts after it.
  for (let time = Date.now(); ; time++) {
    const target = join(trash, `${new Date(time).toISOString().replaceAll(':', '-')}-${basename(folder)}`)
    try {
      await rename(folder, target)
    } catch (error) {
      if (isPathTaken(error)) continue
      throw error
    }
    await syncFolder(dirname(folder))
    return target
  }
}

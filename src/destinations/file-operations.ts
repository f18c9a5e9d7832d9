/** File operations whose errors name the file and what went wrong. */
import { randomUUID } from 'node:crypto'
import { link, open, rename, rm, writeFile } from 'node:fs/promises'
import { errorCode, describeDiskError } from '../std/disk/disk-error.ts'
import { ConnectorError } from '../std/errors.ts'

/** Runs `use`; an error of the file system becomes `destinations/write-refused` with the file's path. */
export async function withFile<T>(path: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } catch (error) {
    const trouble = describeDiskError(error)
    if (error instanceof ConnectorError || trouble === null) throw error
    throw new ConnectorError('destinations/write-refused', `${path} cannot be written: ${trouble}.`, { cause: error })
  }
}

export async function renameIfThere(from: string, to: string): Promise<void> {
  await withFile(to, async () => {
    try {
      await rename(from, to)
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error
    }
  })
}

/** Creates a file with its whole content, or not at all. False when a file of that name exists: it is left unchanged. */
export async function createWhole(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, text, { flag: 'wx' })
  try {
    // A hard link to a complete file: only one process can create it.
    await link(draft, path)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    return await createInPlace(path, text)
  } finally {
    await rm(draft, { force: true })
  }
}

/** For file systems without hard links (FAT, some network drives): a crash may leave an empty file. */
export async function createInPlace(path: string, text: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx')
    await file.writeFile(text).finally(() => file.close())
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

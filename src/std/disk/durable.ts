/** Makes sure that what was written outlives the machine, not only the process. */
import { randomBytes } from 'node:crypto'
import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

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

export type Replacing = {
  /** Who may do what with the file; as the system has it for new ones, unless given. */
  readonly mode?: number | undefined
  /** The temporary file: on the same disk, and left there by a crash. Next to the file unless given. */
  readonly draftsIn?: string
}

/** Writes a file completely or not at all: a reader finds the old file or the new one. */
export async function replaceFile(path: string, bytes: Uint8Array, { mode, draftsIn }: Replacing = {}): Promise<void> {
  // Not named by the process: in containers that share a disk, all have the same id.
  const draft = join(draftsIn ?? dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.draft`)
  try {
    const file = await open(draft, 'wx')
    try {
      if (mode !== undefined) await file.chmod(mode)
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined)
    throw error
  }
  await syncFolder(dirname(path))
}

/** As `replaceFile`, for a file of the user's that is there: its permissions stay, and a link to it stays a link. */
export async function rewriteFile(path: string, bytes: Uint8Array): Promise<void> {
  const target = await realpath(path)
  const { mode } = await stat(target)
  await replaceFile(target, bytes, { mode: mode & 0o777 })
}

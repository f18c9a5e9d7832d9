/** A step that may have been taken before a crash: what is not there any more has its new name already. */
import { rename } from 'node:fs/promises'
import { errorCode } from '../std/disk/trouble.ts'
import { withFile } from './file-errors.ts'

export async function renameIfThere(from: string, to: string): Promise<void> {
  await withFile(to, async () => {
    try {
      await rename(from, to)
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error
    }
  })
}

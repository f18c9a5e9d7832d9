/** A folder, with those above it. */
import { mkdir } from 'node:fs/promises'
import { errorCode } from './disk-error.ts'

/** @returns the first folder that was made; undefined where all were there */
export async function makeFolder(path: string, mode?: number): Promise<string | undefined> {
  const make = () => mkdir(path, { recursive: true, mode })
  try {
    return await make()
  } catch (error) {
    const { path: refused } = error as NodeJS.ErrnoException
    if (errorCode(error) !== 'ENOENT' || refused === undefined) throw error
    // Node reports the folder that a read-only or a full disk refuses as missing. Made alone, it is refused with the reason.
    await mkdir(refused, { mode })
    return await make()
  }
}

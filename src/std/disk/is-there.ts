import { lstat } from 'node:fs/promises'

/** Whether a file, folder or link has this path, also a link that leads nowhere. */
export async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null
}

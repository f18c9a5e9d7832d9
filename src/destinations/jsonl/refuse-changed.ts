/** A file that somebody else has changed is left as it is: their lines are not ours to drop. */
import { stat } from 'node:fs/promises'
import { ConnectorError } from '../../std/errors.ts'
import { errorCode } from '../../std/disk/trouble.ts'

/** @param size how long it is now; null when it is gone. */
export function refuseChanged(path: string, length: number, size: number | null): void {
  if (size === length) return
  const there = size === null ? 'is gone' : `has ${size} bytes`
  const message = `${path} ${there}, and the last sync left ${length}: somebody else has changed it.`
  const isLonger = size !== null && size > length
  const hint = isLonger ? `Move what stands behind byte ${length} to another file; then run again.` : undefined
  throw new ConnectorError('destinations/unreadable', message, { hint })
}

/** Does something with lines that we wrote: should one not be readable, somebody has changed it. */
export async function refuseEdited<T>(path: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const message = `${path} has a line that no sync has written: somebody else has changed it.`
    throw new ConnectorError('destinations/unreadable', message, { cause: error })
  }
}

/** Null when there is no such file. */
export async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

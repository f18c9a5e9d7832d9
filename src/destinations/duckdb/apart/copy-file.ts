/** A DuckDB file that nobody writes at this moment → a copy of it, log included. */
import { constants, copyFile, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { ConnectorError } from '../../../std/errors.ts'

/** A copy of more would keep the sync waiting for longer than a person waits for an answer. */
const mostBytes = 4 * 2 ** 30

/** Left to the sync, whatever the copy takes: a full disk would make it fail. */
const leftBytes = 2 ** 30

/** File systems that can share blocks do so, and the copy takes no time. */
export async function copyDatabase(file: string, folder: string, address: string): Promise<string> {
  const log = `${file}.wal`
  const sizes = await Promise.all([stat(file), stat(log).catch(() => null)])
  const bytes = sizes.reduce((sum, one) => sum + (one?.size ?? 0), 0)
  const { bavail, bsize } = await statfs(folder)
  if (bytes > mostBytes || bavail * bsize < bytes + leftBytes) {
    const reason = bytes > mostBytes ? 'it is too large to be copied meanwhile' : 'there is no room for a copy of it'
    throw new ConnectorError('destinations/busy', `A sync is writing to ${address}, and ${reason}.`, {
      hint: 'Query it when the sync has ended.',
    })
  }
  const copy = join(folder, 'copy.duckdb')
  await copyFile(file, copy, constants.COPYFILE_FICLONE)
  if (sizes[1] !== null) await copyFile(log, `${copy}.wal`, constants.COPYFILE_FICLONE)
  return copy
}

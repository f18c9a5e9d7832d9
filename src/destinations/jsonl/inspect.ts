/** The notes in the ledgers of a folder, for whoever only looks. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoredCheckpoint } from '../destination.ts'
import { errorCode } from '../../std/disk/trouble.ts'
import { replay } from './ledger-entry.ts'
import { connectionsIn, ledgerName } from './places.ts'

/** A line that is just being written does not count yet; a ledger that is written anew is there under its name all the time. */
export async function inspectLedgers(folder: string, prefix: string): Promise<readonly StoredCheckpoint[]> {
  const found: StoredCheckpoint[] = []
  const names = (await ifThere(readdir(connectionsIn(folder)))) ?? []
  for (const name of names.toSorted()) {
    const path = join(connectionsIn(folder), name, ledgerName)
    const bytes = await ifThere(readFile(path))
    if (bytes === null) continue
    const { connection, state } = replay(bytes, path)
    if (connection === null) continue
    for (const [key, text] of state.notes) if (key.startsWith(prefix)) found.push({ connection, key, text })
  }
  return found
}

async function ifThere<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null
    throw error
  }
}

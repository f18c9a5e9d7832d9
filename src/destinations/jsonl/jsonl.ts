/** A folder of files with one record per line. */
import { mkdir } from 'node:fs/promises'
import type { Destination, OpenDestination } from '../destination.ts'
import { withFile } from '../file-errors.ts'
import { type FolderLock, lockFolder } from '../folder-lock.ts'
import { askLines } from './ask-lines.ts'
import { committer } from './commit.ts'
import { countLines } from './count-lines.ts'
import { inspectLedgers } from './inspect.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { addressOf, type Places, placesOf } from './places.ts'
import { endAppending, recover } from './recover.ts'

/**
 * `FOLDER/orders.jsonl`: each record as the API gave it, with `_turnleaf_…` behind.
 *
 * @example await sync(manifest, { config, to: jsonlDestination('out') })
 */
export function jsonlDestination(folder: string): Destination {
  return {
    address: addressOf(folder),
    open: async (connection) => await openFolder(folder, connection),
    inspect: async (prefix) => await inspectLedgers(folder, prefix),
    query: (sql, limit) => askLines(folder, sql, limit),
  }
}

async function openFolder(folder: string, connection: string): Promise<OpenDestination> {
  const places = placesOf(folder, connection)
  const lock = await lockFolder(places.own, places.address)
  try {
    await withFile(places.staged, async () => await mkdir(places.staged, { recursive: true }))
    const ledger = await openLedger(places.ledger, connection)
    try {
      await recover(ledger, places)
    } catch (error) {
      await ledger.close()
      throw error
    }
    return openConnection(places, ledger, lock)
  } catch (error) {
    await lock.release()
    throw error
  }
}

function openConnection(places: Places, ledger: Ledger, lock: FolderLock): OpenDestination {
  return {
    notes: async (prefix) => new Map([...ledger.state.notes].filter(([key]) => key.startsWith(prefix))),
    commit: committer(places, ledger),
    count: ({ name }) => countLines(places, ledger, name),
    async close() {
      // Should it fail, the next process finds what a killed one would have left.
      await endAppending(ledger).catch(() => undefined)
      await ledger.close()
      await lock.release()
    },
  }
}

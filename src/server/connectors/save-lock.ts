/** One save of a connector at a time, over all processes of a home: a server, and MCP servers that clients start. */
import { join } from 'node:path'
import { type FolderLock, lockFolder } from '../../destinations/folder-lock.ts'
import { ConnectorError } from '../../std/errors.ts'
import { setTimeout } from 'node:timers/promises'
import { historyOf, makeHistoryFolder } from './history-folder.ts'

/** A save takes milliseconds, and more where a disk is slow. */
const pollMs = 10
const patienceMs = 10_000

export async function whileLocked<T>(name: string, folder: string, work: () => Promise<T>): Promise<T> {
  await makeHistoryFolder(folder)
  const lock = await takeLock(name, join(historyOf(folder), '.saving'))
  try {
    return await work()
  } finally {
    await lock.release()
  }
}

async function takeLock(name: string, folder: string): Promise<FolderLock> {
  const until = Date.now() + patienceMs
  for (;;) {
    try {
      return await lockFolder(folder, `"${name}"`)
    } catch (error) {
      if (!(error instanceof ConnectorError) || error.code !== 'destinations/busy') throw error
      if (Date.now() > until) throw new ConnectorError('server/busy', error.message, { hint: error.hint })
    }
    await setTimeout(pollMs)
  }
}

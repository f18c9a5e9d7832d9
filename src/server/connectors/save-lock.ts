/** One save of a connector at a time, over all processes of a home: a server, and MCP servers that clients start. */
import { join } from 'node:path'
import { type FolderLock, lockFolder } from '../../destinations/folder-lock.ts'
import { ConnectorError, hasCode } from '../../std/errors.ts'
import { setTimeout } from 'node:timers/promises'
import { historyOf, makeHistoryFolder } from './history-folder.ts'

/** A save takes milliseconds, and more where a disk is slow. */
const pollMs = 10
const patienceMs = 10_000

export async function whileLocked<T>(name: string, folder: string, work: () => Promise<T>): Promise<T> {
  await makeHistoryFolder(folder)
  const lock = await waitForLock(join(historyOf(folder), '.saving'), `"${name}"`)
  try {
    return await work()
  } finally {
    await lock.release()
  }
}

/** @param what is locked, for the error after ten seconds of waiting. */
export async function waitForLock(folder: string, what: string): Promise<FolderLock> {
  const until = Date.now() + patienceMs
  for (;;) {
    try {
      return await lockFolder(folder, what)
    } catch (error) {
      if (!hasCode(error, 'destinations/busy')) throw error
      if (Date.now() > until) throw new ConnectorError('server/busy', error.message, { hint: error.hint })
    }
    await setTimeout(pollMs)
  }
}

/** The ledger: a file to which every commit adds one line. Once the line is on the disk, the commit has happened. */
import { type FileHandle, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '../../std/disk/trouble.ts'
import { withFile } from '../file-errors.ts'
import { syncFolder } from '../../std/disk/durable.ts'
import { applyEntry, headLine, type LedgerEntry, type LedgerState, replay, wholeState } from './ledger-entry.ts'

export type Ledger = {
  readonly state: LedgerState
  /** Once it is fulfilled, the entry is there for good; when it is refused, it was never there. */
  append(entry: LedgerEntry): Promise<void>
  close(): Promise<void>
}

/** Below this, nobody minds what a ledger remembers. */
const smallLedger = 1 << 20

/** The state of the connection, and the file to go on with. */
export async function openLedger(path: string, connection: string): Promise<Ledger> {
  return await withFile(path, async () => {
    const file = await openFile(path)
    try {
      const { state, length } = replay(await file.readFile(), path)
      return await writeOn(path, connection, file, state, length)
    } catch (error) {
      await file.close()
      throw error
    }
  })
}

/** Never `w`: it would empty the file first. */
async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r+')
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    return await open(path, 'wx+')
  }
}

async function writeOn(
  path: string,
  connection: string,
  opened: FileHandle,
  state: LedgerState,
  lengthThere: number,
): Promise<Ledger> {
  let file = opened
  let length = lengthThere
  /** As long as the ledger was when it was last written from scratch. */
  let startLength = 0

  const write = async (text: string) => {
    const bytes = Buffer.from(text)
    try {
      await writeAll(file, bytes, length)
      await file.datasync()
    } catch (error) {
      // What stands of the line must not count. Where even that fails, a line without its end does not count either.
      await file.truncate(length).catch(() => undefined)
      throw error
    }
    length += bytes.length
  }

  /** Written anew beside, and renamed: whoever reads finds the one or the other, whole. Should it fail, the long one stays. */
  const compact = async () => {
    const bytes = Buffer.from(`${headLine(connection)}${JSON.stringify(wholeState(state))}\n`)
    const fresh = await open(`${path}.new`, 'w+').catch(() => null)
    try {
      if (fresh === null) return
      await writeAll(fresh, bytes, 0)
      await fresh.datasync()
      await rename(`${path}.new`, path)
    } catch {
      await fresh?.close()
      return
    }
    await file.close()
    await syncFolder(dirname(path))
    file = fresh
    length = bytes.length
    startLength = length
  }

  await file.truncate(length)
  if (length === 0) {
    await write(headLine(connection))
    await syncFolder(dirname(path))
  } else if (length > smallLedger) await compact()

  return {
    state,
    append: async (entry) =>
      await withFile(path, async () => {
        await write(`${JSON.stringify(entry)}\n`)
        applyEntry(state, entry)
        if (length > smallLedger && length > 4 * startLength) await compact()
      }),
    close: async () => await file.close(),
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}

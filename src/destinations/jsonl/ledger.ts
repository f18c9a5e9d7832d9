/** The ledger: every commit appends one line. Once that line is on disk, the commit has happened. */
import { type FileHandle, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { withFile } from '../file-operations.ts'
import { syncFolder } from '../../std/disk/durable.ts'
import { errorCode } from '../../std/disk/disk-error.ts'
import { ConnectorError } from '../../std/errors.ts'

export type Ledger = {
  readonly state: LedgerState
  /** Once fulfilled, the entry is durable; when rejected, it was not written. */
  append(entry: LedgerEntry): Promise<void>
  close(): Promise<void>
}

/** A ledger below this size is not compacted. */
const smallLedger = 1 << 20

/** Reads the state of the connection, and opens the file for appending. */
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
      // A partial line must not count. If truncating fails too, a line without its end does not count either.
      await file.truncate(length).catch(() => undefined)
      throw error
    }
    length += bytes.length
  }

  /** Writes a new file and renames it, so a reader always finds a complete one. If it fails, the long file stays. */
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

/** The files of one table, as of the last commit. */
export type LedgerTable = {
  /** Its name in the folder. */
  readonly file: string
  /** Null until the table is published, or appended to, for the first time. */
  readonly live: LiveFile | null
  readonly staged: StagedFile | null
  /** A sync is appending to the live file, or was when it was killed: what follows its length may be ours. */
  readonly isAppending: boolean
}

export type LiveFile = {
  readonly length: number
  /** The staged file that becomes the live one: while it exists, the rename is still to be done. */
  readonly madeFrom: string | null
}

export type StagedFile = { readonly file: string; readonly length: number }

/** One line: what a commit changes. */
export type LedgerEntry = {
  readonly tables?: Readonly<Record<string, LedgerTable>>
  readonly forget?: readonly string[]
  readonly notes?: Readonly<Record<string, string>>
}

export type LedgerState = {
  readonly tables: Map<string, LedgerTable>
  readonly notes: Map<string, string>
}

/** The first line. */
export type LedgerHead = { readonly format: 'turnleaf-jsonl'; readonly version: 1; readonly connection: string }

function applyEntry(state: LedgerState, { tables = {}, forget = [], notes = {} }: LedgerEntry): void {
  for (const [stream, files] of Object.entries(tables)) state.tables.set(stream, files)
  for (const prefix of forget) {
    for (const key of state.notes.keys()) if (key.startsWith(prefix)) state.notes.delete(key)
  }
  for (const [key, text] of Object.entries(notes)) state.notes.set(key, text)
}

function headLine(connection: string): string {
  const head: LedgerHead = { format: 'turnleaf-jsonl', version: 1, connection }
  return `${JSON.stringify(head)}\n`
}

/** The whole state as one entry. */
function wholeState(state: LedgerState): LedgerEntry {
  return { tables: Object.fromEntries(state.tables), notes: Object.fromEntries(state.notes) }
}

export type Replayed = {
  /** Null for an empty ledger. */
  readonly connection: string | null
  readonly state: LedgerState
  /** Number of valid bytes. What follows is a line that a crash cut short. */
  readonly length: number
}

/** A damaged last line was never committed; a damaged line before it is an error. */
export function replay(bytes: Buffer, path: string): Replayed {
  const state: LedgerState = { tables: new Map(), notes: new Map() }
  let connection: string | null = null
  let length = 0
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, length)) {
    const entry = parseLine(bytes.toString('utf8', length, end))
    if (entry === null) {
      if (end + 1 === bytes.length) break
      throw new ConnectorError('destinations/unreadable', `${path} is damaged at byte ${length}.`)
    }
    if (connection === null) connection = connectionOf(entry, path)
    else applyEntry(state, entry)
    length = end + 1
  }
  return { connection, state, length }
}

function parseLine(text: string): object | null {
  try {
    return JSON.parse(text) as object
  } catch {
    return null
  }
}

function connectionOf(line: object, path: string): string {
  const { format, version, connection } = line as Partial<LedgerHead>
  if (format === 'turnleaf-jsonl' && version === 1 && connection !== undefined) return connection
  throw new ConnectorError('destinations/unreadable', `${path} was not written by this version of Turnleaf.`)
}

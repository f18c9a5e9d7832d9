/** What the ledger says, line by line → the notes and tables of a connection. */
import { ConnectorError } from '../../std/errors.ts'

/** The files of one table, as of the last commit. */
export type TableFiles = {
  /** Its name in the folder. */
  readonly file: string
  /** Null until the table is published, or appended to, for the first time. */
  readonly live: LiveFile | null
  readonly staged: StagedFile | null
  /** A sync is appending to the live file, or was when it was killed: what stands behind its length may be ours. */
  readonly isAppending: boolean
}

export type LiveFile = {
  readonly length: number
  /** The staged file that becomes the live one: when it is still there, the rename is yet to be done. */
  readonly madeFrom: string | null
}

export type StagedFile = { readonly file: string; readonly length: number }

/** One line: what a commit changes. */
export type LedgerEntry = {
  readonly tables?: Readonly<Record<string, TableFiles>>
  readonly forget?: readonly string[]
  readonly notes?: Readonly<Record<string, string>>
}

export type LedgerState = {
  readonly tables: Map<string, TableFiles>
  readonly notes: Map<string, string>
}

/** The first line. */
export type LedgerHead = { readonly format: 'turnleaf-jsonl'; readonly version: 1; readonly connection: string }

export function applyEntry(state: LedgerState, { tables = {}, forget = [], notes = {} }: LedgerEntry): void {
  for (const [stream, files] of Object.entries(tables)) state.tables.set(stream, files)
  for (const prefix of forget) {
    for (const key of state.notes.keys()) if (key.startsWith(prefix)) state.notes.delete(key)
  }
  for (const [key, text] of Object.entries(notes)) state.notes.set(key, text)
}

export function headLine(connection: string): string {
  const head: LedgerHead = { format: 'turnleaf-jsonl', version: 1, connection }
  return `${JSON.stringify(head)}\n`
}

/** All that is known, as one entry. */
export function wholeState(state: LedgerState): LedgerEntry {
  return { tables: Object.fromEntries(state.tables), notes: Object.fromEntries(state.notes) }
}

export type Replayed = {
  /** Null for a ledger that was never begun. */
  readonly connection: string | null
  readonly state: LedgerState
  /** Bytes that count. What follows is a line that a crash cut short. */
  readonly length: number
}

/** A damaged last line was never committed; a damaged line before it is no work of ours. */
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

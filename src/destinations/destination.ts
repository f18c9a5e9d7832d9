/** What a destination is: tables, and the checkpoints that are committed with them. */
import type { JsonRecord, JsonSchema } from '../engine/plan/plan.ts'

/**
 * Implement this to write records somewhere else. `docs/destinations.md` has an example in a page of code.
 *
 * @example await sync(manifest, { config, to: myDestination })
 */
export interface Destination {
  /** Its name in messages, without a password: `duckdb:shop.duckdb`. */
  readonly address: string
  /**
   * Locks it for one connection; throws `destinations/busy` while another sync of that connection runs. With a claim it is
   * shared: several processes may have it open, each with a claim of its own name. Never called with one unless `canShare`.
   */
  open(connection: string, claim?: Claim): Promise<OpenDestination>
  /** Whether several processes may write to one connection, each with its claim. */
  readonly canShare?: boolean
  /** The checkpoints of every connection whose keys have this prefix. Read-only: takes no lock and creates nothing. */
  inspect?(prefix: string): Promise<readonly StoredCheckpoint[]>
  /** Runs a SQL query on its tables and returns at most `limit` rows. Changes nothing. */
  query?(sql: string, limit: number, options?: QueryOptions): Promise<QueryResult>
}

/** The right to write under a name. The process that takes it next has it alone: commits of the one before are refused (`destinations/taken-over`). */
export type Claim = {
  /** A string that all processes know: that of the lead, or of one part of a stream. */
  readonly name: string
  /** Valid only as long as this claim of another process is: a part ends with the lead that planned it. */
  readonly under?: HeldClaim | undefined
}

export type HeldClaim = {
  readonly name: string
  /** Grows by one each time the claim is taken. */
  readonly epoch: number
}

/** The claim of the process that plans and publishes. A sync without a claim takes this one as well. */
export const leadClaim: Claim = { name: 'lead' }

export type QueryOptions = {
  /** Ends a query that takes too long. */
  readonly signal?: AbortSignal | undefined
  /** The query may see the tables and nothing else of this machine: no files, no network, no settings. */
  readonly isConfined?: boolean | undefined
  /** The query is part of this program and safe: it may run in this process. */
  readonly isOwn?: boolean | undefined
}

/** JSON values; numbers that JavaScript cannot hold are strings. */
export type QueryResult = {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  /** Whether there are more rows. */
  readonly isCut: boolean
}

/** `text` is opaque: store it as it is. */
export type StoredCheckpoint = { readonly connection: string; readonly key: string; readonly text: string }

/** @deprecated Use `StoredCheckpoint`. */
export type StoredNote = StoredCheckpoint

/** Open for one connection until it is closed or the process ends. */
export interface OpenDestination {
  /** What it was opened with, or the lead's; absent where the destination knows no claims. */
  readonly claim?: HeldClaim
  /** The checkpoints of the connection whose keys have this prefix. */
  notes(prefix: string): Promise<ReadonlyMap<string, string>>
  /** Applies all of it in order, or nothing. Once fulfilled, it must survive a crash. Called once at a time. */
  commit(commit: Commit): Promise<void>
  /**
   * How many rows a table has, and how many are staged for it. A sync calls it before a read that is not proven complete
   * replaces a table; without it, the sync compares the counts in its receipts.
   */
  count?(table: Table): Promise<TableRows>
  /**
   * Whether the table of a stream was made by an earlier commit and is no longer there, until a commit discards or publishes
   * it. A sync then reads the stream from the start; without it, the table would have only what is new.
   */
  isGone?(stream: string): Promise<boolean>
  /** Whether rows that earlier commits staged for the stream are no longer there. A sync then begins its read anew. */
  isStagedGone?(stream: string): Promise<boolean>
  /**
   * Throws what every commit to the table would be refused for: it belongs to another connection, or was changed. A sync calls
   * it before it reads the stream; without it, the stream is read first. Changes nothing.
   */
  check?(table: Table): Promise<void>
  close(): Promise<void>
}

export type TableRows = {
  /** Rows that readers see; 0 where the table does not exist. */
  readonly published: number
  readonly staged: number
  /** The name of the staged rows in `query`; null where nothing is staged or it cannot be queried. */
  readonly stagedAs: string | null
}

/** Rows and checkpoints, written in one transaction. */
export type Commit = {
  readonly steps: readonly Step[]
  /** Key prefixes: checkpoints that match are deleted before `notes` are written. */
  readonly forget: readonly string[]
  /** Checkpoints by key. */
  readonly notes: ReadonlyMap<string, string>
}

export type Step =
  /** Appends the pages to the table, or to what is staged for it. */
  | { readonly kind: 'write'; readonly table: Table; readonly pages: readonly TablePage[] }
  /** Deletes the rows of a slice from a page on, staged or not: they will be written again. */
  | { readonly kind: 'rewind'; readonly table: Table; readonly rows: RowsOfSlice }
  /** The read is complete: staged rows replace the table (`overwrite`) or are merged into it (`dedup`). */
  | { readonly kind: 'publish'; readonly table: Table }
  /** Drops staged rows; the table stays as it is. No error where nothing is staged. */
  | { readonly kind: 'discard'; readonly table: Table }

export type Table = {
  /** The stream's name, and the table's as far as the destination allows it. */
  readonly name: string
  /**
   * `overwrite`: pages are staged; publishing replaces the table, also when there are no rows.
   * `append`: pages are added to the table; they may be staged until they are published.
   * `dedup`: pages are staged; publishing keeps one row per key, that with the highest cursor, the last one among equals.
   */
  readonly mode: TableMode
  /** Paths of the key's fields; empty where there is no key. */
  readonly primaryKey: readonly (readonly string[])[]
  /** Null where there is no cursor, or its format (`%d/%m/%Y`) gives it no order. */
  readonly cursorField: string | null
  /** The JSON schema of the records; null where the stream declares none. */
  readonly schema: JsonSchema | null
}

export type TableMode = 'overwrite' | 'append' | 'dedup'

/** The records of one page, and the values of the columns `_turnleaf_…`. */
export type TablePage = {
  readonly records: readonly JsonRecord[]
  /** When the page was requested, ms since 1970: `_turnleaf_extracted_at`. */
  readonly extractedAt: number
  /** `_turnleaf_run` */
  readonly run: string
  /** The slice as JSON text: `_turnleaf_slice`. */
  readonly slice: string
  /** The page's number within the slice, from 1: `_turnleaf_page`. */
  readonly page: number
}

/** @deprecated Use `TablePage`. */
export type LandedPage = TablePage

export type RowsOfSlice = {
  readonly slice: string
  /** Runs that wrote rows of this read; rows of other runs stay. */
  readonly runs: readonly string[]
  /** The first page to delete. */
  readonly fromPage: number
}

/** The columns that every table has after those of its records, in this order. */
export const sourceColumns = ['_turnleaf_extracted_at', '_turnleaf_run', '_turnleaf_slice', '_turnleaf_page'] as const

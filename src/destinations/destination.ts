/** Where records land: tables, and the notes that are kept in the same transaction. */
import type { JsonRecord, JsonSchema } from '../engine/plan/plan.ts'

/**
 * What to implement to land records somewhere else. `docs/destinations.md` has one in a page of code.
 *
 * @example await sync(manifest, { config, to: myDestination })
 */
export interface Destination {
  /** What it is called in messages, without a password: `duckdb:shop.duckdb`. */
  readonly address: string
  /** Takes it for one connection; throws `destinations/busy` while another sync of that connection is under way. */
  open(connection: string): Promise<OpenDestination>
  /** The notes of every connection whose keys start so, for whoever only looks: takes nothing, makes nothing. */
  inspect?(prefix: string): Promise<readonly StoredNote[]>
  /** Answers a question in SQL about its tables, so many rows of it at most. Changes nothing. */
  query?(sql: string, limit: number, options?: QueryOptions): Promise<QueryResult>
}

export type QueryOptions = {
  /** Ends a question that takes too long. */
  readonly signal?: AbortSignal | undefined
  /** Asked by somebody who may see the tables and nothing else of this machine: no files, no network, no settings. */
  readonly isConfined?: boolean | undefined
  /** The question is part of this program, and harmless: it may be answered in this process while a sync has the tables open. */
  readonly isOwn?: boolean | undefined
}

/** Values as JSON has them; numbers that JavaScript cannot hold are texts. */
export type QueryResult = {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  /** Whether there are more rows. */
  readonly isCut: boolean
}

export type StoredNote = { readonly connection: string; readonly key: string; readonly text: string }

/** Open for one connection, until it is closed or the process ends, whichever way. */
export interface OpenDestination {
  /** The notes of the connection whose keys start so. */
  notes(prefix: string): Promise<ReadonlyMap<string, string>>
  /** All of it or nothing, in order. Once it is fulfilled, no crash takes any of it back. One at a time. */
  commit(commit: Commit): Promise<void>
  /**
   * How many rows a table has, and how many are staged for it. A sync asks before it replaces a table that its read may
   * not be good enough for; without an answer it relies on what its own receipts say.
   */
  count?(table: Table): Promise<TableRows>
  close(): Promise<void>
}

export type TableRows = {
  /** Rows that readers see; 0 where there is no table yet. */
  readonly published: number
  readonly staged: number
  /** What `query` calls the staged rows; null where nothing is staged, or where they cannot be queried. */
  readonly stagedAs: string | null
}

/** Records and the notes that say how far they go: both are kept, or neither. */
export type Commit = {
  readonly steps: readonly Step[]
  /** Notes whose keys start so are dropped before `notes` are written. */
  readonly forget: readonly string[]
  readonly notes: ReadonlyMap<string, string>
}

export type Step =
  /** Puts the pages behind what the table has, or has staged. */
  | { readonly kind: 'write'; readonly table: Table; readonly pages: readonly LandedPage[] }
  /** Takes back the rows of a slice from a page on, staged or not: they will be written again. */
  | { readonly kind: 'rewind'; readonly table: Table; readonly rows: RowsOfSlice }
  /** The read is over: what is staged becomes the table (`overwrite`) or part of it (`dedup`). */
  | { readonly kind: 'publish'; readonly table: Table }
  /** Drops what is staged; the table stays as it is. Nothing staged is no error. */
  | { readonly kind: 'discard'; readonly table: Table }

export type Table = {
  /** The stream's name: what the table is called, as far as the destination can. */
  readonly name: string
  /**
   * `overwrite`: pages are staged, and replace the table at once when published; even when there are none.
   * `append`: pages are added to the table; they may be staged until they are published.
   * `dedup`: pages are staged; published, of all rows with the same key the one with the highest cursor stays, the one
   * that came last among equals.
   */
  readonly mode: TableMode
  /** Paths of the fields that tell records apart; empty where there are none. */
  readonly primaryKey: readonly (readonly string[])[]
  readonly cursorField: string | null
  /** What the stream declares its records to be; null when nobody does. */
  readonly schema: JsonSchema | null
}

export type TableMode = 'overwrite' | 'append' | 'dedup'

/** The records of one page, and where they come from: what the columns `_turnleaf_…` say of each. */
export type LandedPage = {
  readonly records: readonly JsonRecord[]
  /** When the page was asked for, ms since 1970: `_turnleaf_extracted_at`. */
  readonly extractedAt: number
  /** `_turnleaf_run` */
  readonly run: string
  /** The slice as JSON text: `_turnleaf_slice`. */
  readonly slice: string
  /** Its number within the slice, from 1: `_turnleaf_page`. */
  readonly page: number
}

export type RowsOfSlice = {
  readonly slice: string
  /** Runs that wrote rows of this read; those of other runs stay. */
  readonly runs: readonly string[]
  /** The first page to go. */
  readonly fromPage: number
}

/** The columns that every table has besides those of its records, in this order, behind them. */
export const ownColumns = ['_turnleaf_extracted_at', '_turnleaf_run', '_turnleaf_slice', '_turnleaf_page'] as const

/** Where published tables stand: in the DuckDB file itself, or in files beside it. */
import type { JsonRecord, JsonSchema } from '../../engine/plan/plan.ts'
import type { Columns } from '../columns/columns.ts'
import type { RowsOfSlice, Table } from '../destination.ts'
import type { KeptTable } from './kept-tables.ts'
import type { Target } from './target.ts'

export type Published = { readonly columns: Columns }

/** All but `settle` is called within the transaction of a commit. */
export type Shelf<Live extends Published> = {
  /** A name for the table of a stream, other than those of the connection's other streams. */
  chooseName(stream: string, others: readonly string[]): string
  /** Whether something stands where a table of that name would. */
  isTaken(name: string): Promise<boolean>
  /** What is remembered of a table, as JSON. */
  toStored(live: Live): unknown
  /** The table as it was left; null when somebody has taken it away. */
  open(name: string, stored: unknown, schema: JsonSchema | null): Promise<Live | null>
  /** Where rows are appended to at once, made for these records if need be; null where they wait to be published. */
  appendTo(kept: KeptTable<Live>, table: Table, records?: readonly JsonRecord[]): Promise<Target | null>
  publish(kept: KeptTable<Live>, table: Table): Promise<void>
  /** Deletes published rows where `appendTo` gives no table to delete them from. */
  rewind?(kept: KeptTable<Live>, rows: readonly RowsOfSlice[]): Promise<void>
  /** How many rows are published; 0 where there is no table. */
  countRows(kept: KeptTable<Live>): Promise<number>
  /** Does what could not be part of a transaction: after each, and before the first, of which a crash may have left some. */
  settle(): Promise<void>
}

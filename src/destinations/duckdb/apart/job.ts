/** What a process that answers one query is given, and what it writes back: JSON, one value each way. */
import type { QueryResult } from '../../destination.ts'

export type QueryJob = {
  /** The DuckDB file, or a copy of it. */
  readonly file: string
  /** What messages call it. */
  readonly address: string
  /** Where DuckDB may write what does not fit into memory. */
  readonly spillFolder: string
  readonly sql: string
  readonly limit: number
  readonly limits: QueryLimits
}

export type QueryLimits = {
  /** For DuckDB itself, which then spills or gives up. */
  readonly databaseMebibytes: number
  /** For the whole process: some operators take more than DuckDB counts. */
  readonly processMebibytes: number
  readonly spillMebibytes: number
  readonly answerMebibytes: number
}

export type QueryReply =
  | { readonly answer: QueryResult }
  | { readonly refusal: { readonly code: RefusalCode; readonly message: string; readonly hint?: string } }

export type RefusalCode =
  | 'destinations/not-one-select'
  | 'destinations/query-refused'
  | 'destinations/query-memory'
  | 'destinations/unreadable'
  | 'destinations/lost'
  | 'destinations/write-refused'
  | 'destinations/busy'

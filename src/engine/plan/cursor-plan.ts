/** How a stream is read from where the last read stopped: the cursor, and what is done to older states. */
import type { SourceLocation } from '../../std/errors.ts'
import type { CustomPlan } from '../custom/component.ts'
import type { Template } from '../template/template.ts'
import type { Parameters, Placement } from './plan.ts'

export type CursorPlan = WindowPlan | CountPlan

type CursorFields = {
  readonly at: SourceLocation
  readonly cursorField: string
  /** Whether a catalog may name another field. */
  readonly fieldIsFree: boolean
  /** Where a slice's window keeps its bounds, and where they go in a request. */
  readonly startField: string
  readonly endField: string
  readonly startPlacement: Placement | null
  readonly endPlacement: Placement | null
  /** The API cannot filter: records outside of the read are dropped here. */
  readonly isClientSide: boolean
  /** Newest first: what lies behind the first old record was read before. */
  readonly isDataFeed: boolean
  /** All partitions share one cursor. */
  readonly isShared: boolean
}

/** One slice per window of time. */
export type WindowPlan = CursorFields & {
  readonly kind: 'time'
  readonly format: string
  /** The formats of records, when they differ from the format above; tried first. */
  readonly cursorFormats: readonly string[]
  readonly start: DatePlan
  readonly end: DatePlan | null
  readonly step: string | null
  readonly granularity: string | null
  readonly lookback: string | null
  readonly clamping: ClampingPlan | null
}

/** One slice, from the highest number an earlier read saw. */
export type CountPlan = CursorFields & { readonly kind: 'count'; readonly start: number }

/** Windows begin and end with whole days, weeks or months. Monday is 0. */
export type ClampingPlan = { readonly target: 'day' | 'month' } | { readonly target: 'week'; readonly weekday: number }

export type DatePlan = {
  readonly value: Template
  readonly format: string
  readonly min: Template | null
  readonly max: Template | null
  readonly parameters: Parameters
}

export type MigrationPlan =
  /** `{ "<partition value>": { "<cursor field>": … } }` → a state per partition. */
  | { readonly kind: 'legacy'; readonly partitionField: string; readonly cursorField: string }
  | ({ readonly kind: 'custom' } & CustomPlan)

/** `incremental_sync` and `state_migrations` → the cursor of a stream. */
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import type { CustomPlan } from '../custom/component.ts'
import type { Component, Manifest } from '../manifest/manifest.ts'
import type { Template } from '../template/template.ts'
import { pythonText } from '../template/text.ts'
import type { Parameters, Placement } from './plan.ts'
import {
  compileAt,
  componentsIn,
  type Fields,
  numberIn,
  parametersOf,
  placementIn,
  type PlanInput,
  requiredTemplateIn,
  templateIn,
  textIn,
  evaluatedText,
  unsupported,
  planCustom,
} from './read-fields.ts'

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
  /** Newest first: what comes after the first old record was read before. */
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

export function planCursor(input: PlanInput, cursor: Component, retriever: Component): CursorPlan {
  switch (cursor.type) {
    case 'DatetimeBasedCursor':
      return planWindow(input, cursor, retriever)
    case 'IncrementingCountCursor':
      return planCount(input, cursor, retriever)
    default:
      throw unsupported(input, cursor)
  }
}

function planWindow(input: PlanInput, cursor: Component, retriever: Component): WindowPlan {
  const format = String(cursor.datetime_format)
  return {
    kind: 'time',
    at: input.manifest.at(cursor),
    cursorField: textIn(input, cursor, 'cursor_field') ?? '',
    fieldIsFree: cursor.allow_catalog_defined_cursor_field === true,
    format,
    cursorFormats: (cursor.cursor_datetime_formats as string[] | undefined) ?? [],
    start: planDate(input, cursor, 'start_datetime', format),
    end: cursor.end_datetime ? planDate(input, cursor, 'end_datetime', format) : null,
    // Airbyte: a template that gives nothing means none.
    step: textIn(input, cursor, 'step') || null,
    granularity: textIn(input, cursor, 'cursor_granularity') || null,
    lookback: textIn(input, cursor, 'lookback_window') || null,
    clamping: planClamping(input, cursor),
    startField: textIn(input, cursor, 'partition_field_start') || 'start_time',
    endField: textIn(input, cursor, 'partition_field_end') || 'end_time',
    startPlacement: placementIn(input, cursor, 'start_time_option'),
    endPlacement: placementIn(input, cursor, 'end_time_option'),
    isClientSide: cursor.is_client_side_incremental === true,
    isDataFeed: cursor.is_data_feed === true,
    isShared: cursor.global_substream_cursor === true || isGrouped(retriever),
  }
}

/** Each read makes new groups, so no group has a cursor. */
function isGrouped({ partition_router: router }: Fields): boolean {
  return (router as Component | undefined)?.type === 'GroupingPartitionRouter'
}

function planCount(input: PlanInput, cursor: Component, retriever: Component): CountPlan {
  const at = input.manifest.at(cursor)
  if (componentsIn(retriever, 'partition_router').length > 0) {
    const message = 'An IncrementingCountCursor cannot be combined with a partition router.'
    throw new ConnectorError('manifest/unsupported-component', message, {
      at,
      hint: 'Remove one of the two; a DatetimeBasedCursor can be combined with routers.',
    })
  }
  return {
    kind: 'count',
    at,
    cursorField: textIn(input, cursor, 'cursor_field') ?? '',
    fieldIsFree: cursor.allow_catalog_defined_cursor_field === true,
    start: Math.trunc(numberIn(input, cursor, 'start_value') ?? 0),
    startField: 'start',
    endField: 'end',
    startPlacement: placementIn(input, cursor, 'start_value_option'),
    endPlacement: null,
    isClientSide: false,
    isDataFeed: false,
    isShared: false,
  }
}

const weekdays = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY']

function planClamping(input: PlanInput, cursor: Component): ClampingPlan | null {
  const clamping = cursor.clamping as { target: string; target_details?: Fields } | undefined
  if (clamping === undefined) return null
  const at = input.manifest.at(clamping, 'target')
  const target = evaluatedText(input, compileAt(clamping.target, at), parametersOf(cursor))
  if (target === 'DAY' || target === 'MONTH') return { target: target === 'DAY' ? 'day' : 'month' }
  if (target !== 'WEEK') {
    const message = `Windows can be clamped to DAY, WEEK or MONTH, not to \`${target.slice(0, 40)}\`.`
    throw new ConnectorError('manifest/invalid-value', message, { at })
  }
  const weekday = weekdays.indexOf(pythonText(clamping.target_details?.weekday))
  if (weekday >= 0) return { target: 'week', weekday }
  const message = `Clamping to WEEK needs the \`weekday\` a week begins with, one of ${weekdays.join(', ')}.`
  throw new ConnectorError('manifest/invalid-value', message, { at: input.manifest.at(clamping, 'target_details') })
}

/** A date is a string in the cursor's format, or a component with bounds and perhaps another format. */
function planDate(input: PlanInput, cursor: Component, field: string, format: string): DatePlan {
  const date = cursor[field]
  if (typeof date === 'string') {
    return {
      value: compileAt(date, input.manifest.at(cursor, field)),
      format,
      min: null,
      max: null,
      parameters: parametersOf(cursor),
    }
  }
  const component = date as Component
  return {
    value: requiredTemplateIn(input, component, 'datetime'),
    format: (component.datetime_format as string | undefined) || format,
    min: templateIn(input, component, 'min_datetime'),
    max: templateIn(input, component, 'max_datetime'),
    parameters: parametersOf(component),
  }
}

export function planMigrations(input: PlanInput, stream: Component, retriever: Component): MigrationPlan[] {
  return componentsIn(stream, 'state_migrations').flatMap((migration): MigrationPlan[] => {
    switch (migration.type) {
      case 'CustomStateMigration':
        return [{ kind: 'custom', ...planCustom(input, migration) }]
      case 'LegacyToPerPartitionStateMigration':
        return planLegacy(input, stream, retriever)
      default:
        throw unsupported(input, migration)
    }
  })
}

/** Airbyte: a legacy state names the values of one field, so it is understood where there is one parent only. */
function planLegacy(input: PlanInput, stream: Component, retriever: Component): MigrationPlan[] {
  const cursor = stream.incremental_sync as Component | undefined
  const router = retriever.partition_router as Component | undefined
  if (cursor === undefined || router === undefined || Array.isArray(router)) return []
  const parents = componentsIn(router, 'parent_stream_configs')
  const holder = router.type === 'UnionPartitionRouter' ? router : parents.length === 1 ? parents[0] : undefined
  const partitionField = holder === undefined ? null : textIn(input, holder, 'partition_field')
  if (partitionField === null) return []
  return [{ kind: 'legacy', partitionField, cursorField: textIn(input, cursor, 'cursor_field') ?? '' }]
}

/** Airbyte had custom cursors up to version 6 of its engine. */
export function removedCursor(manifest: Manifest, cursor: Fields): ConnectorError {
  const message = `The class \`${String(cursor.class_name)}\` is a CustomIncrementalSync, which Airbyte removed.`
  return new ConnectorError('manifest/unsupported-component', message, {
    at: manifest.at(cursor),
    hint: 'Use a DatetimeBasedCursor or an IncrementingCountCursor instead.',
  })
}

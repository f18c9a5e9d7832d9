/** `partition_router` and `incremental_sync` → how a stream is cut into slices. */
import type { Component } from '../manifest/manifest.ts'
import type { DatePlan, SlicingPlan, WindowPlan } from './plan.ts'
import { planRouter, type RouterInput } from './routers.ts'
import {
  compileAt,
  componentIn,
  componentsIn,
  parametersOf,
  type PlanInput,
  placementIn,
  requiredTemplateIn,
  templateIn,
  textIn,
  unsupported,
} from './read-fields.ts'

export function planSlicing(input: RouterInput, stream: Component, retriever: Component): SlicingPlan {
  const cursor = componentIn(stream, 'incremental_sync')
  return {
    routers: componentsIn(retriever, 'partition_router').map((router) => planRouter(input, router)),
    cursor: cursor === null ? null : planWindow(input, cursor),
  }
}

function planWindow(input: PlanInput, cursor: Component): WindowPlan {
  if (cursor.type !== 'DatetimeBasedCursor') throw unsupported(input, cursor)
  const format = String(cursor.datetime_format)
  return {
    kind: 'time',
    at: input.manifest.at(cursor),
    cursorField: textIn(input, cursor, 'cursor_field') ?? '',
    format,
    cursorFormats: (cursor.cursor_datetime_formats as string[] | undefined) ?? [],
    start: planDate(input, cursor, 'start_datetime', format),
    end: cursor.end_datetime === undefined ? null : planDate(input, cursor, 'end_datetime', format),
    step: textIn(input, cursor, 'step'),
    granularity: textIn(input, cursor, 'cursor_granularity'),
    lookback: textIn(input, cursor, 'lookback_window'),
    startField: textIn(input, cursor, 'partition_field_start') ?? 'start_time',
    endField: textIn(input, cursor, 'partition_field_end') ?? 'end_time',
    startPlacement: placementIn(input, cursor, 'start_time_option'),
    endPlacement: placementIn(input, cursor, 'end_time_option'),
    isClientSide: cursor.is_client_side_incremental === true,
  }
}

/** A date is a plain text in the cursor's format, or a component with bounds and a format of its own. */
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
    // Airbyte: an empty format means ISO 8601 with offset.
    format: (component.datetime_format as string | undefined) || format,
    min: templateIn(input, component, 'min_datetime'),
    max: templateIn(input, component, 'max_datetime'),
    parameters: parametersOf(component),
  }
}

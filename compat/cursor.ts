/** `incremental_sync` → which field of a record holds its time, and how it is written. */
import type { Component } from '../src/engine/manifest/manifest.ts'
import { dateText } from './calendar.ts'
import { asComponent, parametersOf } from './components.ts'
import type { Config } from './config.ts'
import { textOr } from './evaluate.ts'

export type Cursor = {
  readonly field: string
  /** Those of requests, then those of records. */
  readonly formats: readonly string[]
  /** Newest first. */
  readonly isFeed: boolean
  /** The API sends everything; the engine drops what is old. */
  readonly isClientSide: boolean
  readonly hasLookback: boolean
  /** The value a record of this moment has; `serial` where the stream counts instead. */
  readonly valueAt: (at: number, serial: number) => string | number
}

export function cursorOf(stream: Component | null, config: Config): Cursor | null {
  const component = asComponent(stream?.incremental_sync)
  if (component === null) return null
  const scope = { config, parameters: parametersOf(component) }
  const common = {
    field: textOr(component.cursor_field, scope),
    isFeed: component.is_data_feed === true,
    isClientSide: component.is_client_side_incremental === true,
    hasLookback: component.lookback_window !== undefined,
  }
  if (component.type === 'IncrementingCountCursor') return { ...common, formats: [], valueAt: (_, serial) => serial }
  const sent = textOr(component.datetime_format, scope)
  const own = (component.cursor_datetime_formats as string[] | undefined) ?? []
  const [format = sent] = own
  return { ...common, formats: [sent, ...own], valueAt: (at) => dateText(at, format) }
}

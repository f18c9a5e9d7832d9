/** `incremental_sync` → which field of a record holds its time, how it is written, and what carries it in requests. */
import type { Component } from '../../engine/manifest/manifest.ts'
import { dateText } from './calendar.ts'
import { asComponent, namesMentioning, parametersOf, textIn } from './components.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { textOr } from './evaluate.ts'

export type Cursor = {
  readonly field: string
  /** Those of requests, then those of records. */
  readonly formats: readonly string[]
  /** Names of the values of a request that a window can be in; `any` where it may be anywhere. */
  readonly carriers: ReadonlySet<string> | 'any'
  /** Newest first. */
  readonly isFeed: boolean
  /** The API sends everything; the engine drops what is old. */
  readonly isClientSide: boolean
  readonly hasLookback: boolean
  /** The value a record of this moment has; `serial` where the stream counts instead. */
  readonly valueAt: (at: number, serial: number) => string | number
}

export function cursorOf(stream: Component | null, config: Config): Cursor | null {
  if (stream?.type === 'StateDelegatingStream') return cursorOf(asComponent(stream.incremental_stream), config)
  const retriever = asComponent(stream?.retriever)
  const component = asComponent(stream?.incremental_sync)
  if (component === null) return null
  const scope = { config, parameters: parametersOf(component) }
  const common = {
    field: textOr(component.cursor_field, scope),
    carriers: carriersOf(component, asComponent(retriever?.requester ?? retriever?.creation_requester), scope),
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

const mentionsSlice = /stream_(?:interval|slice|partition)/

function carriersOf(
  cursor: Component,
  requester: Component | null,
  scope: Record<string, unknown>,
): Cursor['carriers'] {
  const options = [cursor.start_time_option, cursor.end_time_option, cursor.start_value_option].flatMap((option) => {
    const component = asComponent(option)
    const name = component?.field_name ?? (component?.field_path as unknown[] | undefined)?.at(-1)
    return name === undefined ? [] : [textOr(name, scope)]
  })
  const fields = ['request_parameters', 'request_headers', 'request_body_json', 'request_body_data', 'request_body']
  const texts = fields.map((field) => textIn(requester, field))
  if (texts.some((text) => mentionsSlice.test(text))) return 'any'
  const inPath = ['path', 'url', 'url_base'].some((field) => mentionsSlice.test(textIn(requester, field)))
  const templated = fields.flatMap((field) => namesMentioning(mentionsSlice, field, requester?.[field]))
  return new Set([...options, ...templated, ...(inPath ? [''] : [])].map((name) => name.toLowerCase()))
}

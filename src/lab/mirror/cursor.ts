/** `incremental_sync` → which field of a record holds its time, how it is written, and what carries it in requests. */
import type { Component } from '../../engine/manifest/manifest.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { parametersOf } from '../../engine/plan/read-fields.ts'
import { type MirrorRequest, carriedIn } from './mirror-request.ts'
import { dateNearNow, dateText, now, type TimeRange } from './calendar.ts'
import { asComponent, namesMentioning, textField } from './find-components.ts'
import { textOr } from './evaluate-at-fixed-time.ts'

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
  const texts = fields.map((field) => textField(requester, field))
  if (texts.some((text) => mentionsSlice.test(text))) return 'any'
  const inPath = ['path', 'url', 'url_base'].some((field) => mentionsSlice.test(textField(requester, field)))
  const templated = fields.flatMap((field) => namesMentioning(mentionsSlice, field, requester?.[field]))
  return new Set([...options, ...templated, ...(inPath ? [''] : [])].map((name) => name.toLowerCase()))
}

/** Null where the request names no date. With one date, the window reaches from there to now. */
export function windowIn(
  request: MirrorRequest,
  { formats, carriers }: Pick<Cursor, 'formats' | 'carriers'>,
): TimeRange | null {
  const carried = carriedIn(request).filter(([name]) => carriers === 'any' || carriers.has(name.toLowerCase()))
  const dates = carried.flatMap(([, text]) => datesIn(text, formats))
  if (dates.length === 0) return null
  const from = Math.min(...dates)
  const to = Math.max(...dates)
  return { from, to: to > from ? to : Math.max(from, dates.length > 1 ? from : now) }
}

const isoDates = /\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g
const epochs = /(?<![\d.])\d{10}(?:\d{3})?(?![\d.])/g
const year = 365 * 86_400_000

function datesIn(text: string, formats: readonly string[]): number[] {
  const whole = formats.flatMap((format) => dateNearNow(text, format) ?? [])
  if (whole.length > 0) return whole.slice(0, 1)
  const written = [...text.matchAll(isoDates)].map(([date]) => isoDate(date))
  const counted = [...text.matchAll(epochs)].map(([digits]) => Number(digits) * (digits.length === 10 ? 1000 : 1))
  return [...written, ...counted].filter((at) => Math.abs(now - at) < 10 * year)
}

function isoDate(text: string): number {
  const joined = text.replace(' ', 'T')
  return Date.parse(/T/.test(joined) && !/(?:Z|[+-]\d\d:?\d\d)$/.test(joined) ? `${joined}Z` : joined)
}

/** Decoded response → records: find the list, count it, filter it, change it. */
import { ConnectorError } from '../../errors.ts'
import { type ParsedJson, plainNumbers } from '../../json.ts'
import type { Config, JsonRecord, SelectorPlan, StreamPlan } from '../plan/plan.ts'
import { sliceForTemplates, type Slice } from '../slices/slice.ts'
import type { Scope } from '../template/template.ts'
import { describeValue, pythonText } from '../template/text.ts'
import { fitToSchema } from './coerce.ts'
import { followPath } from '../../follow-path.ts'
import { transformRecord } from './transform.ts'

export type Selection = {
  /** What is handed on: filtered and transformed. */
  readonly records: JsonRecord[]
  /** What the API sent, counted before any filter: pagination goes by this. */
  readonly receivedCount: number
  /** Everything received, transformed, kept or not: cursors are read from these. */
  readonly received: readonly JsonRecord[]
}

export function selectNothing(): Selection {
  return { records: [], receivedCount: 0, received: [] }
}

export type SelectInput = {
  readonly stream: StreamPlan
  readonly config: Config
  readonly slice: Slice
  readonly decoded: ParsedJson
  /** Drops what an API that cannot filter by time sends too much. */
  readonly isWanted: ((record: JsonRecord) => boolean) | null
}

export function selectRecords({ stream, config, slice, decoded, isWanted }: SelectInput): Selection {
  const { selector } = stream
  const received = extract(selector, config, decoded.value).map((found) => asRecord(stream, found))
  const receivedCount = received.length
  const schema = selector.fitsSchema ? stream.schema : null
  const changesNothing = selector.transformations.length === 0 && schema === null
  if (changesNothing && selector.keepIf === null && isWanted === null) {
    return { records: decoded.hasFloats ? received.map(toPlain) : received, receivedCount, received }
  }

  const scope = {
    config,
    parameters: selector.parameters,
    stream_slice: sliceForTemplates(slice),
    next_page_token: null,
  }
  const changed = received.map((record) => change(selector, record, scope))
  const wanted = changed.map(({ record, passes }) => passes && (isWanted?.(record) ?? true))
  const fitted = changed.map(({ record }) => (schema === null ? record : (fitToSchema(record, schema) as JsonRecord)))
  const records = fitted.filter((_, index) => wanted[index])
  const mayHaveFloats = decoded.hasFloats || schema !== null
  return { records: mayHaveFloats ? records.map(toPlain) : records, receivedCount, received: fitted }
}

/** A record after the transformations, and whether it passes the filter. */
type Changed = { readonly record: JsonRecord; readonly passes: boolean }

function change(selector: SelectorPlan, record: JsonRecord, scope: Scope): Changed {
  const transform = () => transformRecord(selector.transformations, record, scope)
  if (selector.transformFirst) {
    const transformed = transform()
    return { record: transformed, passes: isKept(selector, transformed, scope) }
  }
  if (isKept(selector, record, scope)) return { record: transform(), passes: true }
  try {
    return { record: transform(), passes: false }
  } catch (error) {
    // The filter may be there to keep such records from the transformations.
    if (error instanceof ConnectorError) return { record, passes: false }
    throw error
  }
}

function isKept({ keepIf }: SelectorPlan, record: JsonRecord, scope: Scope): boolean {
  return keepIf === null || keepIf.evaluate({ ...scope, record }, 'boolean') === true
}

/**
 * Airbyte: a body that is a list is taken apart first and the path is followed into each item,
 * so an empty object in it counts as nothing.
 */
function extract(selector: SelectorPlan, config: Config, body: unknown): unknown[] {
  const path = selector.path.map((name) => pythonText(name.evaluate({ config, parameters: selector.parameters })))
  if (path.length === 0 && Array.isArray(body)) return body.flatMap(itemsOf)
  return Array.isArray(body) ? body.flatMap((item) => extractFrom(item, path)) : extractFrom(body, path)
}

function extractFrom(body: unknown, path: readonly string[]): unknown[] {
  const found = followPath(body, path)
  // With a wildcard, each match may be a record or a list of records.
  return path.includes('*') ? (found as unknown[]).flatMap(itemsOf) : itemsOf(found)
}

function itemsOf(found: unknown): unknown[] {
  if (Array.isArray(found)) return found
  return isEmpty(found) ? [] : [found]
}

function isEmpty(found: unknown): boolean {
  if (typeof found !== 'object') return !found
  return found === null || Object.keys(found).length === 0
}

function asRecord(stream: StreamPlan, found: unknown): JsonRecord {
  if (typeof found === 'object' && found !== null && !Array.isArray(found)) return found as JsonRecord
  const path = stream.selector.path.map((name) => name.source).join('.') || 'the top of the response'
  const message = `Stream "${stream.name}": the list at \`${path}\` holds ${describeValue(found)}, not an object.`
  throw new ConnectorError('records/not-an-object', message, { at: stream.at })
}

function toPlain(record: JsonRecord): JsonRecord {
  return plainNumbers(record) as JsonRecord
}

/** Responses → pages that can be compared: which records they have, and where those are on the first page. */
import { stringifyJson } from '../../std/json.ts'
import type { Members } from '../../std/values/objects.ts'
import type { ProbeResponse } from './probe-sender.ts'
import { bareListsIn, idField, type RecordList, recordListsIn, recordsAt } from './record-lists.ts'

/** How records are found and identified, decided on the first page. */
export type RecordLayout = {
  readonly path: readonly string[]
  /** The field that identifies a record; null where only the whole of it does. */
  readonly id: string | null
  /** Names of its fields: a list elsewhere whose records have them is the same list in another shape. */
  readonly fields: readonly string[]
}

export type ProbedPage = {
  readonly response: ProbeResponse
  /** Where its records are, which may be another place than on the first page. */
  readonly path: readonly string[]
  readonly records: readonly Members[]
  readonly keys: readonly string[]
}

/** Null without a list of objects, or where a list of other values is more likely the data. */
export function recordLayoutOf(body: unknown, streamName: string): RecordLayout | null {
  const [best] = recordListsIn(body, streamName)
  const [bare] = bareListsIn(body, streamName)
  if (best === undefined || (bare !== undefined && bare.score > best.score)) return null
  return { path: best.path, id: idField(best.records), fields: Object.keys(best.records[0] ?? {}) }
}

/** Null when the response is no page: refused, not JSON, or another shape. */
export function pageIn(response: ProbeResponse, layout: RecordLayout): ProbedPage | null {
  if (response.status === null || response.status >= 300 || !response.isJson) return null
  const { body } = response
  const records = recordsAt(body, layout.path)
  const list = records === null ? alikeIn(body, layout) : { path: layout.path, records }
  if (list === null) return null
  return { response, path: list.path, records: list.records, keys: keysOf(list.records, layout) }
}

/** Some APIs return a bare list until a page is requested, and an object around it from then on. */
function alikeIn(body: unknown, { fields, path }: RecordLayout): Pick<RecordList, 'path' | 'records'> | null {
  const isAlike = ({ records }: RecordList) => {
    const names = new Set(Object.keys(records[0] ?? {}))
    return fields.length > 0 && fields.filter((name) => names.has(name)).length * 3 >= fields.length * 2
  }
  return recordListsIn(body, path.at(-1) ?? '').find(isAlike) ?? null
}

export function keysOf(records: readonly Members[], { id }: Pick<RecordLayout, 'id'>): string[] {
  return records.map((record) => keyOf(record, id))
}

function keyOf(record: Members, id: string | null): string {
  const value = id === null ? undefined : record[id]
  return stringifyJson(value ?? record)
}

/** Whether all records of a page are different. */
export function areDistinct(keys: readonly string[]): boolean {
  return new Set(keys).size === keys.length
}

export function areEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key, index) => key === other[index])
}

/** Whether a page brings records, and none of them was on the other. */
export function isNew(page: readonly string[], first: readonly string[]): boolean {
  const known = new Set(first)
  return page.length > 0 && page.every((key) => !known.has(key))
}

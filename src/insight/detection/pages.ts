/** Answers → pages that can be compared: which records they hold, and where these stand on the first page. */
import { stringifyJson } from '../../json.ts'
import type { Members } from '../../members.ts'
import type { Answer } from './asking.ts'
import { idField, recordListsIn, recordsAt } from './record-lists.ts'

/** How records are found and told apart, decided on the first page. */
export type Reading = {
  readonly path: readonly string[]
  /** The field that identifies a record; null where only the whole of it does. */
  readonly id: string | null
}

export type Shown = {
  readonly answer: Answer
  readonly records: readonly Members[]
  readonly keys: readonly string[]
}

/** Null when there is no list in it. */
export function readingOf(body: unknown, streamName: string): Reading | null {
  const [best] = recordListsIn(body, streamName)
  return best === undefined ? null : { path: best.path, id: idField(best.records) }
}

/** Null when the answer is no page: refused, not JSON, or another shape. */
export function shownIn(answer: Answer, { path, id }: Reading): Shown | null {
  if (answer.status === null || answer.status >= 300 || !answer.isJson) return null
  const records = recordsAt(answer.body, path)
  if (records === null) return null
  return { answer, records, keys: records.map((record) => keyOf(record, id)) }
}

function keyOf(record: Members, id: string | null): string {
  const value = id === null ? undefined : record[id]
  return stringifyJson(value ?? record)
}

/** Whether every record of a page can be told from the others of it. */
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

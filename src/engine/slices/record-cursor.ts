/** Records → the values of their cursor field. */
import type { JsonRecord } from '../plan/plan.ts'
import { stringifyJson } from '../../std/json.ts'
import type { Axis } from './axis.ts'
import { highest } from './intervals.ts'
import type { WarnOnce } from './warn-once.ts'

type CursorReader<V> = {
  /** Null when the record has none that can be read: such records are kept, and the stream says so once. */
  (record: JsonRecord): V | null
  newest: (records: readonly JsonRecord[]) => V | null
  /** The same as a record that has the cursor field and no other. */
  newestRecord: (records: readonly JsonRecord[]) => JsonRecord | null
}

export function cursorReader<V>(axis: Axis<V>, warn: WarnOnce): CursorReader<V> {
  const { cursorField } = axis
  /** Neighbours often share their time, and reading a date takes longer than comparing two strings. */
  let last: { readonly text: unknown; readonly value: V | null } = { text: undefined, value: null }
  const read = (record: JsonRecord): V | null => {
    const text = Object.hasOwn(record, cursorField) ? record[cursorField] : undefined
    if (text !== undefined && text === last.text) return last.value
    const value = text === undefined || text === null ? null : axis.ofRecord(text)
    last = { text, value }
    if (value === null) warnUnread(cursorField, text, warn)
    return value
  }
  const newest = (records: readonly JsonRecord[]) => {
    let found: V | null = null
    for (const record of records) found = highest(axis, found, read(record))
    const end = axis.end()
    if (found !== null && end !== null && axis.compare(found, end) > 0) warnFuture(axis, found, warn)
    return found
  }
  const newestRecord = (records: readonly JsonRecord[]) => {
    let found: { readonly value: V; readonly record: JsonRecord } | null = null
    for (const record of records) {
      const value = read(record)
      if (value !== null && (found === null || axis.compare(value, found.value) > 0)) found = { value, record }
    }
    return found === null ? null : { [cursorField]: found.record[cursorField] }
  }
  return Object.assign(read, { newest, newestRecord })
}

/** In letters: a cursor is short, and what is here in its place may not be. */
const mostShown = 80

function warnUnread(cursorField: string, value: unknown, warn: WarnOnce): void {
  const kept = 'such records are kept and do not move the state'
  if (value === undefined || value === null)
    return warn('unread', `A record has no cursor \`${cursorField}\`; ${kept}.`)
  const shown = stringifyJson(value).slice(0, mostShown)
  const text = `A record's cursor \`${cursorField}\` is ${shown}, which is not in the expected format; ${kept}.`
  warn('unread', `${text} For dates, \`cursor_datetime_formats\` of the manifest names further formats.`)
}

/** Airbyte: the state follows such a record, and the next read begins after it. */
function warnFuture<V>(axis: Axis<V>, value: V, warn: WarnOnce): void {
  warn(
    'future',
    `A record's cursor is ${String(axis.write(value))}, after the end of this read: the next one resumes from there.`,
  )
}

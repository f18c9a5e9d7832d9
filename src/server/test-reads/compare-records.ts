/** The records of two test reads → what was added, is missing or has changed: by primary key, else by the whole value. */
import { setImmediate } from 'node:timers/promises'
import { type KeyPaths, keyTexts } from '../../engine/pagination/record-key.ts'
import type { JsonRecord } from '../../engine/plan/plan.ts'
import { stringifyJson } from '../../std/json.ts'
import type { RecordsComparison } from '../wire/test-read.ts'

/** More than anyone reads; the counts are of all. */
const mostExamples = 100
/** Compared in about ten milliseconds; other requests are handled in between. */
const portion = 1000

/** By position, so that long lists need no copy. */
type RecordList = { readonly total: number; readonly at: (index: number) => JsonRecord }

export async function compareRecords(before: RecordList, after: RecordList, key: KeyPaths): Promise<RecordsComparison> {
  const isKeyed = key.length > 0 && (await haveKey(before, key)) && (await haveKey(after, key))
  const textOf = (record: JsonRecord) => (isKeyed ? JSON.stringify(keyTexts(record, key)) : stringifyJson(record))
  // A key may be there several times.
  const left = new Map<string, number[]>()
  await eachOf(before, (record, index) => {
    const text = textOf(record)
    const same = left.get(text)
    if (same === undefined) left.set(text, [index])
    else same.push(index)
  })
  const counts = { same: 0, changed: 0, added: 0, missing: 0 }
  const examples: RecordsComparison['examples'][number][] = []
  const note = (kind: 'added' | 'missing' | 'changed', was: JsonRecord | null, is: JsonRecord | null) => {
    counts[kind]++
    if (examples.filter((one) => one.kind === kind).length >= mostExamples) return
    const record = (is ?? was) as JsonRecord
    const fields = was === null || is === null ? [] : changedFields(was, is)
    examples.push({ kind, key: isKeyed ? keyTexts(record, key).join(', ') : null, before: was, after: is, fields })
  }
  await eachOf(after, (record) => {
    const place = left.get(textOf(record))?.shift()
    if (place === undefined) return note('added', null, record)
    const was = before.at(place)
    if (!isKeyed || stringifyJson(was) === stringifyJson(record)) counts.same++
    else note('changed', was, record)
  })
  for (const places of left.values()) for (const place of places) note('missing', before.at(place), null)
  return { key: isKeyed ? key.map((path) => path.join('.')) : null, ...counts, examples }
}

async function eachOf(list: RecordList, visit: (record: JsonRecord, index: number) => void): Promise<void> {
  for (let index = 0; index < list.total; index++) {
    if (index % portion === portion - 1) await setImmediate()
    visit(list.at(index), index)
  }
}

/** Without a key in every record, records cannot be told apart by it. */
async function haveKey(list: RecordList, key: KeyPaths): Promise<boolean> {
  let isInAll = true
  await eachOf(list, (record) => {
    isInAll &&= keyTexts(record, key).every((text) => text !== '' && text !== 'null')
  })
  return isInAll
}

function changedFields(was: JsonRecord, is: JsonRecord): string[] {
  const names = new Set([...Object.keys(was), ...Object.keys(is)])
  return [...names].filter((name) => stringifyJson(was[name] ?? null) !== stringifyJson(is[name] ?? null))
}

/** Writes pages to the live or the staged table, and deletes rows on a rewind. */
import { isDeepStrictEqual } from 'node:util'
import { type Column, type Columns, openColumns } from '../columns/columns.ts'
import { decimalText, jsonText, spelledTime, withoutEscapes } from '../columns/column-text.ts'
import { type RowsOfSlice, sourceColumns, type Step, type Table, type TablePage } from '../destination.ts'
import { Float, LongDecimal, stringifyJson } from '../../std/json.ts'
import { lineChunks } from '../line-chunks.ts'
import { dropKeyIndex } from './merge.ts'
import { alterTable, createTable, type StreamTables, type Tables } from './tables.ts'
import type { PostgresSession } from './session.ts'
import { nameRules, quoted, storable } from './sql.ts'

export async function writePages(session: PostgresSession, tables: Tables, table: Table, pages: readonly TablePage[]) {
  const before = await tables.of(table.name)
  const isAppended = table.mode === 'append'
  const standing = isAppended ? before.live : before.staged
  const place = isAppended ? tables.liveName(before) : tables.stagedName(before)

  const columns = openColumns(standing?.columns ?? null, table.schema, nameRules)
  const changes = columns.makeRoom(recordsOf(pages))
  const isOrdered = table.mode === 'dedup'
  await tables.keep(
    isAppended
      ? { ...before, live: { columns: columns.all, distinctBy: null } }
      : { ...before, staged: { columns: columns.all, isOrdered: before.staged?.isOrdered ?? isOrdered } },
  )
  // Append needs no index on the key, which would refuse a long one.
  if (isAppended && before.live !== null && before.live.distinctBy !== null) {
    await dropKeyIndex(session, tables.indexName(before))
  }
  if (standing === null) await createTable(session, place, columns.all, { isOrdered })
  else await alterTable(session, place, changes)
  await copyPages(session, place, columns, pages)
}

function* recordsOf(pages: readonly TablePage[]) {
  for (const { records } of pages) yield* records
}

async function copyPages({ copyIn }: PostgresSession, place: string, { all }: Columns, pages: readonly TablePage[]) {
  if (pages.every(({ records }) => records.length === 0)) return
  const names = [...all.map(({ name }) => name), ...sourceColumns].map(quoted).join(', ')
  await copyIn(`COPY ${place} (${names}) FROM STDIN`, copyChunks(all, pages))
}

/** Of any number of slices in one scan of the table: an index for it would slow down every COPY by a half. */
export async function rewindRows(
  { query }: PostgresSession,
  tables: Tables,
  table: Table,
  rows: readonly RowsOfSlice[],
): Promise<void> {
  const known: StreamTables = await tables.of(table.name)
  const places = [
    ...(known.staged === null ? [] : [tables.stagedName(known)]),
    ...(known.live === null || table.mode !== 'append' ? [] : [tables.liveName(known)]),
  ]
  const runs = [...new Set(rows.flatMap((one) => one.runs))]
  for (const place of places) {
    await query(
      `DELETE FROM ${place} USING unnest($1::text[], $2::integer[]) AS rewound (slice, page)
       WHERE "_turnleaf_slice" = slice AND "_turnleaf_page" >= page AND "_turnleaf_run" = ANY ($3::text[])`,
      [rows.map(({ slice }) => storable(slice)), rows.map(({ fromPage }) => fromPage), runs.map(storable)],
    )
  }
}

/** Rewinds of the same read that follow each other are one group; every other step is one of its own. */
export function groupRewinds(steps: readonly Step[]): readonly (readonly [Step, ...Step[]])[] {
  const groups: [Step, ...Step[]][] = []
  for (const step of steps) {
    const last = groups.at(-1)
    if (last !== undefined && isSameRewind(last[0], step)) last.push(step)
    else groups.push([step])
  }
  return groups
}

function isSameRewind(one: Step, other: Step): boolean {
  if (one.kind !== 'rewind' || other.kind !== 'rewind' || one.table.name !== other.table.name) return false
  return one.table.mode === other.table.mode && isDeepStrictEqual(one.rows.runs, other.rows.runs)
}

/** Large enough to be fast, small enough to need little memory. */
const chunkLength = 256 * 1024

/** Records → the lines of `COPY … FROM STDIN`: the columns in order, then the columns `_turnleaf_…`. */
function copyChunks(columns: readonly Column[], pages: readonly TablePage[]): Generator<Buffer> {
  return lineChunks(copyLines(columns, pages), chunkLength)
}

function* copyLines(columns: readonly Column[], pages: readonly TablePage[]): Generator<string> {
  for (const page of pages) {
    const ending = `${sourceFields(page)}\n`
    for (const record of page.records) {
      let line = ''
      for (const column of columns) {
        const { key } = column
        // Inherited properties are not fields of the record.
        const value = Object.hasOwn(record, key) ? record[key] : null
        line += value === null || value === undefined ? '\\N\t' : `${fieldText(column, value)}\t`
      }
      yield line + ending
    }
  }
}

function sourceFields({ extractedAt, run, slice, page }: TablePage): string {
  return [new Date(extractedAt).toISOString(), escaped(run), escaped(slice), page].join('\t')
}

function fieldText({ type, wasTime }: Column, value: unknown): string {
  switch (type) {
    case 'json':
      return escaped(jsonbText(value))
    case 'boolean':
    case 'int':
    case 'bigint':
      return String(value)
    case 'double':
    case 'decimal':
      return numberText(value)
    default:
      return escaped(wasTime === true && typeof value === 'string' ? spelledTime(value) : plainText(value))
  }
}

/** Writes a whole float without `.0`, so that it reads the same whether its column was always text or became it. */
function plainText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && !(value instanceof Float) ? stringifyJson(value) : numberText(value)
}

function numberText(value: unknown): string {
  if (value instanceof LongDecimal) return decimalText(value)
  const plain = value instanceof Float ? value.value : value
  return Object.is(plain, -0) ? '-0' : String(plain)
}

/** `jsonb` refuses U+0000, escaped or not. */
function jsonbText(value: unknown): string {
  const text = jsonText(value)
  return text.includes('\\u0000') ? withoutEscapes(text, /u0000/) : text
}

const special = /[\\\t\n\r\u0000]/
const specials = /[\\\t\n\r\u0000]/g
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\u0000': '\ufffd',
}

function escaped(text: string): string {
  return special.test(text) ? text.replace(specials, (letter) => escapes[letter] ?? letter) : text
}

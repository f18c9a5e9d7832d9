/** Names and types as Postgres writes them. */
import { createHash } from 'node:crypto'
import type { NameRules } from '../columns/column-name.ts'
import type { ColumnType } from '../columns/column-type.ts'

/** The order in which rows were staged. `ctid` does not show it: space freed by a rewind is reused. */
export const orderColumn = '_turnleaf_order'

/** Quoted names keep their case; at most 63 bytes. Names of system columns cannot be used, quoted or not. */
export const nameRules: NameRules = {
  maxBytes: 63,
  isCaseSensitive: true,
  reserved: new Set(['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid', 'oid', orderColumn]),
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** A string literal, whatever `standard_conforming_strings` is. */
export function literal(text: string): string {
  const safe = storable(text)
  const escaped = safe.replaceAll("'", "''")
  return safe.includes('\\') ? ` E'${escaped.replaceAll('\\', String.raw`\\`)}'` : `'${escaped}'`
}

/** Postgres cannot store U+0000; lone surrogates become U+FFFD when encoded. */
export function storable(text: string): string {
  return text.includes('\u0000') ? text.replaceAll('\u0000', '\ufffd') : text
}

/** An internal name for a table or index of a stream, unique by a hash. */
export function internalName(kind: string, connection: string, stream: string): string {
  const mark = createHash('sha256')
    .update(JSON.stringify([connection, stream]))
    .digest('hex')
    .slice(0, 24)
  return `_turnleaf_${kind}_${mark}`
}

export const sqlTypes: Readonly<Record<ColumnType, string>> = {
  boolean: 'boolean',
  int: 'bigint',
  bigint: 'bigint',
  double: 'double precision',
  decimal: 'numeric',
  date: 'date',
  timestamp: 'timestamp',
  timestamptz: 'timestamptz',
  json: 'jsonb',
  text: 'text',
}

/** Converts an expression to a wider type without losing digits. */
export function converted(sql: string, from: ColumnType, to: ColumnType): string {
  if (sqlTypes[from] === sqlTypes[to]) return sql
  if (to === 'text') return asText(sql, from)
  // A direct cast of a double keeps only fifteen of its seventeen digits.
  return from === 'double' ? `${sql}::text::numeric` : `${sql}::${sqlTypes[to]}`
}

/** As in JSON: times in ISO 8601, instants in UTC, numbers as JavaScript writes them. */
function asText(sql: string, from: ColumnType): string {
  switch (from) {
    case 'timestamp':
      return isoTime(sql)
    case 'timestamptz':
      return `${isoTime(`(${sql} AT TIME ZONE 'UTC')`)} || 'Z'`
    case 'double':
      return `CASE WHEN abs(${sql}) >= 1e21 OR (abs(${sql}) < 1e-6 AND ${sql} <> 0)
        THEN regexp_replace(${sql}::text, 'e([+-])0', 'e\\1') ELSE (${sql}::text::numeric)::text END`
    default:
      return `${sql}::text`
  }
}

function isoTime(sql: string): string {
  // A zone may take a time to the year before the first, which Postgres writes as the first again.
  const year = `CASE WHEN ${sql} < '0001-01-01'::timestamp THEN '0000' ELSE 'YYYY' END`
  return `to_char(${sql}, ${year} || '-MM-DD"T"HH24:MI:SS' || CASE WHEN date_trunc('second', ${sql}) = ${sql} THEN '' ELSE '.US' END)`
}

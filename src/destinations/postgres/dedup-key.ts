/** Primary key and cursor of a stream → expressions over the columns of one of its tables. */
import type { Column } from '../columns/columns.ts'
import type { Table } from '../destination.ts'
import { literal, quoted } from './sql.ts'
import type { Session } from './session.ts'

export type DedupKey = {
  /** One expression for each field; null values are no keys. */
  parts(alias: string): readonly string[]
  readonly cursor: ((alias: string) => string) | null
  /** The columns of the key; null where there is none, or a field of it is not a column: an index is not for those. */
  readonly columns: readonly Column[] | null
  /** Whether fields must be looked up in texts. */
  readonly needsJsonOfText: boolean
}

export function dedupKey({ primaryKey, cursorField }: Table, columns: readonly Column[]): DedupKey {
  const byKey = new Map(columns.map((column) => [column.key, column]))
  const fields = primaryKey.map(([first, ...rest]) => ({ column: byKey.get(first ?? ''), rest }))
  const whole = fields.flatMap(({ column, rest }) => (column === undefined || rest.length > 0 ? [] : [column]))
  const cursor = cursorField === null ? undefined : byKey.get(cursorField)
  return {
    // Without a key nothing is ever the same.
    parts: (alias) => (fields.length === 0 ? ['NULL'] : fields.map((field) => expression(alias, field))),
    cursor: cursor === undefined ? null : (alias) => ordered(alias, cursor),
    columns: whole.length > 0 && whole.length === fields.length ? whole : null,
    needsJsonOfText: fields.some(({ column, rest }) => column?.type === 'text' && rest.length > 0),
  }
}

type Field = { readonly column: Column | undefined; readonly rest: readonly string[] }

function expression(alias: string, { column, rest }: Field): string {
  // Without a type: it is compared with what the other table has there.
  if (column === undefined) return 'NULL'
  const value = `${alias}.${quoted(column.name)}`
  if (rest.length === 0) return value
  const path = `ARRAY[${rest.map(literal).join(', ')}]::text[]`
  if (column.type === 'json') return `nullif(${value} #> ${path}, 'null')`
  return column.type === 'text' ? `nullif(pg_temp._turnleaf_json(${value}) #> ${path}, 'null')` : 'NULL'
}

/** By code points: the order of texts must not hang on the language of the server. */
function ordered(alias: string, { name, type }: Column): string {
  return `${alias}.${quoted(name)}${type === 'text' ? ' COLLATE "C"' : ''}`
}

/** A column of objects becomes one of texts when something else turns up; the key is still inside. */
export async function prepareKey({ query }: Session, keys: readonly DedupKey[]): Promise<void> {
  if (!keys.some(({ needsJsonOfText }) => needsJsonOfText)) return
  await query(`CREATE OR REPLACE FUNCTION pg_temp._turnleaf_json(text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN RETURN $1::jsonb; EXCEPTION WHEN others THEN RETURN NULL; END $$`)
}

/** A schema of its own for one test, in a database of its own for the file, read by sessions of its own. */
import { randomBytes } from 'node:crypto'
import { Client, types } from 'pg'
import { postgresDestination } from '../../../src/destinations/postgres/postgres.ts'
import type { JsonRecord } from '../../../src/engine/plan/plan.ts'
import { integer, parseJson } from '../../../src/std/json.ts'
import type { Place } from '../behaviours.ts'

export type PostgresPlace = Place & {
  readonly url: string
  readonly schema: string
  query(sql: string, values?: readonly unknown[]): Promise<JsonRecord[]>
}

export function postgresPlace(url: string): PostgresPlace {
  const schema = `Shop ${randomBytes(4).toString('hex')}`
  const query = (sql: string, values?: readonly unknown[]) => ask(url, schema, sql, values)
  return {
    url,
    schema,
    query,
    destination: postgresDestination(url, { schema, lockWaitMs: 1 }),
    async tables() {
      const rows = await query(
        `SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace(quote_ident($1)) AND relkind = 'r'
         AND relname !~ '^_turnleaf_(notes|tables|claims|budgets|staged_[0-9a-f]{24})$'`,
        [schema],
      )
      return rows.map(({ relname }) => String(relname))
    },
    async rows(table) {
      const [found] = await query(`SELECT to_regclass(quote_ident($1)) AS name`, [table])
      if (found?.name === undefined) return null
      return await query(`SELECT * FROM "${table.replaceAll('"', '""')}"`)
    },
    async makeForeign(table) {
      await query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`)
      await query(`CREATE TABLE "${table}" (x integer)`)
    },
    async drop(table) {
      await query(`DROP TABLE "${table.replaceAll('"', '""')}"`)
    },
    async dropStaged(table) {
      const [staged] = await query(
        `SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace(quote_ident($1)) AND relkind = 'r'
         AND relname ~ '^_turnleaf_staged_'`,
        [schema],
      )
      if (staged === undefined) throw new Error(`Nothing is staged for ${table}.`)
      await query(`DROP TABLE "${String(staged.relname)}"`)
    },
    async [Symbol.asyncDispose]() {
      await query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
    },
  }
}

async function ask(url: string, schema: string, sql: string, values: readonly unknown[] = []): Promise<JsonRecord[]> {
  const client = new Client({ connectionString: url, types: { getTypeParser: parserOf } })
  await client.connect()
  try {
    await client.query(
      `SELECT set_config('search_path', quote_ident($1), false), set_config('timezone', 'UTC', false)`,
      [schema],
    )
    const { rows } = await client.query<JsonRecord>(sql, [...values])
    return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)))
  } finally {
    await client.end()
  }
}

/** Types by number, as pg_type has them: bigint, json, jsonb, timestamptz; the driver knows the rest. */
function parserOf(oid: number): (text: string) => unknown {
  if (oid === 20) return (text) => integer(BigInt(text))
  if (oid === 114 || oid === 3802) return (text) => parseJson(text).value
  if (oid === 1184) return (text) => text.replace(' ', 'T').replace('+00', 'Z')
  if (oid === 1082 || oid === 1114) return (text) => text
  return types.getTypeParser(oid) as (text: string) => unknown
}

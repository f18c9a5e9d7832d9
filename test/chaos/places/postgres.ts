/** A database of its own on a Postgres server. */
import { freshDatabase, type TestDatabase } from '../../helpers/postgres.ts'
import { type Place, type PlaceKind, tablesNamed } from './place.ts'

export const postgres: PlaceKind = {
  name: 'Postgres',
  isShared: true,
  make: async () => placeIn(await freshDatabase()),
}

export function placeIn(database: TestDatabase): Place {
  return {
    address: database.url,
    read: async (names) => {
      const described = await database.query(
        `SELECT table_name AS name, array_agg(column_name || ' ' || data_type ORDER BY column_name) AS columns
         FROM information_schema.columns WHERE table_schema = 'public' GROUP BY 1`,
      )
      const columns = new Map(described.map((row) => [String(row.name), row.columns as string[]]))
      return await tablesNamed(names, async (name) => {
        const known = columns.get(name)
        if (known === undefined) return null
        // `jsonb` sorts the names of the fields: which column comes first depends on which slice answered first.
        const rows = await database.query(`SELECT to_jsonb(t)::text AS row FROM "${name}" AS t`)
        return { columns: known, rows: rows.map(({ row }) => String(row)) }
      })
    },
    [Symbol.asyncDispose]: database[Symbol.asyncDispose],
  }
}

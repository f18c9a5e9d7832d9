/** Where in a DuckDB file the tables are: a schema, what stands in it, and a connection to it. */
import { quoted, type Session } from './session.ts'

export type Place = {
  readonly session: Session
  readonly database: string
  readonly schema: string
  readonly isTemporary: boolean
  /** The whole name of a table, as SQL takes it. */
  table(name: string): string
  /** Whether a table or a view is called so, in capitals or not. */
  has(name: string): Promise<boolean>
  /** The columns that a table has, in its order; none when there is no such table. */
  columnsOf(name: string): Promise<readonly string[]>
}

/** A schema of the file itself. */
export async function openPlace(session: Session, schema: string): Promise<Place> {
  const [current] = await session.rows('SELECT current_database() AS database')
  return placeIn(session, String(current?.database), schema)
}

/** Tables that only this connection sees, and that are gone with it. */
export function temporaryPlace({ session }: Place): Place {
  return placeIn(session, temporary, 'main')
}

const temporary = 'temp'

function placeIn(session: Session, database: string, schema: string): Place {
  return {
    session,
    database,
    schema,
    isTemporary: database === temporary,
    // With the name of the file: `main.duckdb` has a database and a schema that are both called main.
    table: (name) => quoted(database, schema, name),
    async has(name) {
      const found = await session.rows(
        `SELECT 1 FROM information_schema.tables
         WHERE table_catalog = $database AND table_schema = $schema AND lower(table_name) = lower($name)`,
        { database, schema, name },
      )
      return found.length > 0
    },
    async columnsOf(name) {
      const found = await session.rows(
        `SELECT column_name FROM duckdb_columns()
         WHERE database_name = $database AND schema_name = $schema AND table_name = $name ORDER BY column_index`,
        { database, schema, name },
      )
      return found.map((row) => String(row.column_name))
    },
  }
}

export async function makeSchema({ session, database, schema }: Place): Promise<void> {
  await session.run(`CREATE SCHEMA IF NOT EXISTS ${quoted(database, schema)}`)
}

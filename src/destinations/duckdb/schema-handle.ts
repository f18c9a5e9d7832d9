/** A schema of a DuckDB file: its tables, their columns, and a connection to it. */
import { quoted, type DuckSession } from './session.ts'

export type SchemaHandle = {
  readonly session: DuckSession
  readonly database: string
  readonly schema: string
  readonly isTemporary: boolean
  /** The full quoted name of a table. */
  table(name: string): string
  /** Whether there is a table or view of that name; ignores case. */
  has(name: string): Promise<boolean>
  /** The columns of a table in order; empty when there is no such table. */
  columnsOf(name: string): Promise<readonly string[]>
}

/** A schema of the file itself. */
export async function openSchema(session: DuckSession, schema: string): Promise<SchemaHandle> {
  const [current] = await session.rows('SELECT current_database() AS database')
  return schemaHandle(session, String(current?.database), schema)
}

/** Temporary tables: only this connection sees them. */
export function temporarySchema({ session }: SchemaHandle): SchemaHandle {
  return schemaHandle(session, temporary, 'main')
}

const temporary = 'temp'

function schemaHandle(session: DuckSession, database: string, schema: string): SchemaHandle {
  return {
    session,
    database,
    schema,
    isTemporary: database === temporary,
    // With the database's name: the file `main.duckdb` has a database and a schema that are both called main.
    table: (name) => quoted(database, schema, name),
    async has(name) {
      try {
        await session.columns(`SELECT * FROM ${quoted(database, schema, name)} LIMIT 0`)
        return true
      } catch {
        // Only a view can be there and not be read: it may miss what it reads.
        const found = await session.rows(
          `SELECT 1 FROM duckdb_views()
           WHERE database_name = $database AND schema_name = $schema AND lower(view_name) = lower($name)`,
          { database, schema, name },
        )
        return found.length > 0
      }
    },
    async columnsOf(name) {
      try {
        return await session.columns(`SELECT * FROM ${quoted(database, schema, name)} LIMIT 0`)
      } catch {
        // There is no such table, or no such view any more: only the catalog tells, which takes many times as long.
        const found = await session.rows(
          `SELECT column_name FROM duckdb_columns()
           WHERE database_name = $database AND schema_name = $schema AND table_name = $name ORDER BY column_index`,
          { database, schema, name },
        )
        return found.map((row) => String(row.column_name))
      }
    },
  }
}

export async function createSchema({ session, database, schema }: SchemaHandle): Promise<void> {
  await session.run(`CREATE SCHEMA IF NOT EXISTS ${quoted(database, schema)}`)
}

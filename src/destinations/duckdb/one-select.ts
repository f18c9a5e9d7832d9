/** Refuses SQL that is not one SELECT, or calls functions that reach beyond the tables. DuckDB itself parses it. */
import { ConnectorError } from '../../std/errors.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import { literal, type DuckSession } from './session.ts'

/**
 * First the parser alone, since binding a call may already run it (`enable_logging`) and extracting a PRAGMA may read a
 * file (`import_database`). Then DuckDB's own type of the prepared statement.
 *
 * @param isConfined whether the query may see the tables only, and not the files of this machine.
 */
export async function refuseAllButOneSelect(session: DuckSession, sql: string, isConfined: boolean): Promise<void> {
  const [row] = await session.rows(`SELECT json_serialize_sql(${literal(sql)}) AS parsed`)
  const { error, error_type, error_message = '', statements = [] } = JSON.parse(String(row?.parsed)) as Serialized
  if (error) throw unparsed(error_type, error_message)
  if (statements.length !== 1) {
    throw notOneSelect(statements.length === 0 ? 'The query is empty.' : 'The query has several statements.')
  }
  for (const name of callsIn(statements[0], 'scalar')) if (sideEffects.has(name)) throw closedFunction(name)
  for (const name of callsIn(statements[0], 'table')) if (!mayCall(name, isConfined)) throw closedFunction(name)
  if (isConfined) for (const name of tablesIn(statements[0])) if (closedViews.has(name)) throw closedView(name)
  await refuseOtherTypes(session, sql)
}

/** The result of `json_serialize_sql`. */
type Serialized = {
  readonly error: boolean
  readonly error_type?: string
  readonly error_message?: string
  readonly statements?: readonly unknown[]
}

async function refuseOtherTypes({ connection, duckdb }: DuckSession, sql: string): Promise<void> {
  const statements = await connection.extractStatements(sql)
  if (statements.count !== 1) throw notOneSelect('The query has several statements.')
  const prepared = await statements.prepare(0)
  try {
    if (prepared.statementType !== duckdb.StatementType.SELECT) {
      throw notOneSelect(`DuckDB takes it for a statement of type ${duckdb.StatementType[prepared.statementType]}.`)
    }
  } finally {
    prepared.destroySync()
  }
}

/** Table functions that read only tables and the catalog. An allowlist, so that new functions are refused. */
const openFunctions = new Set([
  'unnest',
  'range',
  'generate_series',
  'repeat',
  'repeat_row',
  'json_each',
  'json_tree',
  'histogram',
  'histogram_values',
  'summary',
  'duckdb_columns',
  'duckdb_constraints',
  'duckdb_dependencies',
  'duckdb_functions',
  'duckdb_indexes',
  'duckdb_keywords',
  'duckdb_schemas',
  'duckdb_sequences',
  'duckdb_tables',
  'duckdb_types',
  'duckdb_views',
  'icu_calendar_names',
  'pg_timezone_names',
  'pragma_collations',
  'pragma_database_size',
  'pragma_show',
  'pragma_storage_info',
  'pragma_table_info',
  'pragma_version',
])

/** On the command line, a query may also read files of the user. */
const readsFiles = /^(?:read_\w+|parquet_\w+|sniff_csv|glob|duckdb_databases)$/

/** Views of DuckDB that show settings, or where files of the server are. */
const closedViews = new Set([
  'duckdb_databases',
  'duckdb_logs',
  'pg_prepared_statements',
  'pg_settings',
  'pragma_database_list',
])

function mayCall(name: string, isConfined: boolean): boolean {
  return openFunctions.has(name) || (!isConfined && readsFiles.test(name))
}

/** Scalar functions with side effects, or that show more than the tables. */
const sideEffects = new Set(['write_log', 'getenv', 'nextval', 'setseed', 'current_setting', 'sleep_ms'])

/** The names of the functions called in FROM, or of all others. Iterative, since the depth is the query author's choice. */
function callsIn(tree: unknown, kind: 'table' | 'scalar'): Set<string> {
  const found = new Set<string>()
  const left: unknown[] = [tree]
  while (left.length > 0) {
    const node = left.pop()
    if (isList(node)) left.push(...node)
    if (!isObject(node)) continue
    const isTable = node.type === 'TABLE_FUNCTION' && isObject(node.function)
    const call = isTable ? node.function : node
    if (isObject(call) && typeof call.function_name === 'string' && isTable === (kind === 'table')) {
      found.add(call.function_name.toLowerCase())
    }
    // The call in FROM is added above; its arguments are searched like everything else.
    if (isTable && isObject(node.function)) left.push(node.function.children)
    else left.push(...Object.values(node))
  }
  return found
}

/** The names of the tables and views that a query reads, describes or summarizes, without their schema. */
function tablesIn(tree: unknown): Set<string> {
  const found = new Set<string>()
  const left: unknown[] = [tree]
  while (left.length > 0) {
    const node = left.pop()
    if (isList(node)) left.push(...node)
    if (!isObject(node)) continue
    if (typeof node.table_name === 'string') found.add(bareName(node.table_name))
    left.push(...Object.values(node))
  }
  return found
}

/** DESCRIBE and similar statements keep quotes and schema: `"pg_catalog"."pg_settings"`. */
function bareName(name: string): string {
  return name.replace(/^.*\./s, '').replaceAll('"', '').toLowerCase()
}

/** The serializer reports "not implemented" for every other kind of statement. */
function unparsed(type: string | undefined, message: string): ConnectorError {
  if (type === 'not implemented') return notOneSelect('The query is another kind of statement.')
  return new ConnectorError('destinations/query-refused', message.trimEnd())
}

function notOneSelect(reason: string): ConnectorError {
  return new ConnectorError('destinations/not-one-select', `Only one SELECT is answered. ${reason}`)
}

function closedView(name: string): ConnectorError {
  const message = `The view ${name} cannot be queried: it shows more than the tables.`
  return new ConnectorError('destinations/query-refused', message, { hint: 'Query the tables themselves.' })
}

function closedFunction(name: string): ConnectorError {
  const message = `The function ${name} cannot be used in queries: it reaches more than the tables.`
  return new ConnectorError('destinations/query-refused', message, { hint: 'Query the tables themselves.' })
}

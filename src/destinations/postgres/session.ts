/** One session with the server: statements, COPY, transactions. */
import { once } from 'node:events'
import type { Client, QueryConfig } from 'pg'
import type { Address } from './address.ts'
import { statementFailure, unreachable } from './failure.ts'
import { quoted } from './sql.ts'

export type Row = Readonly<Record<string, unknown>>

export type Fetched = { readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] }

export type PostgresSession = {
  readonly address: string
  readonly schema: string
  /** How long to wait for a lock. */
  readonly lockWaitMs: number
  readonly query: (sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>
  /** One statement without rows; several in one string are refused. */
  readonly runOne: (sql: string) => Promise<void>
  /** Rows as arrays: two columns may have the same name, and integers are numbers. */
  readonly fetch: (sql: string) => Promise<Fetched>
  /** Sends the lines of `COPY … FROM STDIN`. */
  readonly copyIn: (sql: string, chunks: Iterable<Buffer>) => Promise<void>
  /** Rolls back when the work fails. */
  readonly transaction: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Part of a transaction that may fail without failing the whole. */
  readonly attempt: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Calls back with the payload of each notification of other sessions. */
  readonly listen: (channel: string, onPayload: (payload: string) => void) => Promise<void>
  /** Shows the server that this process runs, unless it is waiting for a statement. */
  readonly beat: () => void
  readonly close: () => Promise<void>
}

export async function connect(
  { shown: address, schema, attempts }: Address,
  lockWaitMs: number,
): Promise<PostgresSession> {
  const client = await firstClient(address, attempts)
  let running = 0
  let beating: Promise<void> | null = null
  /** One statement at a time: the driver has no queue for a beat. */
  const statement = async <Result>(send: () => Promise<Result>): Promise<Result> => {
    if (beating !== null) await beating
    running++
    try {
      return await send()
    } catch (error) {
      throw statementFailure(address, error)
    } finally {
      running--
    }
  }
  const beatOnce = async () => {
    try {
      await client.query('SELECT')
    } catch {
      // A lost session shows with the next statement.
    }
    beating = null
  }
  const query = (sql: string, values: readonly unknown[] = []): Promise<readonly Row[]> =>
    statement(async () => {
      // Without values, the simple protocol: it allows COPY, and several statements in one round trip.
      const { rows } = await (values.length === 0 ? client.query(sql) : client.query(sql, [...values]))
      return rows as Row[]
    })
  const enclosed = async <Result>(begin: string, end: string, undo: string, work: () => Promise<Result>) => {
    await query(begin)
    try {
      const result = await work()
      await query(end)
      return result
    } catch (error) {
      // Report the first error; a lost session was rolled back by the server.
      await query(undo).catch(() => {})
      throw error
    }
  }
  return {
    address,
    schema,
    lockWaitMs,
    query,
    // The extended protocol allows a single statement only.
    runOne: (sql) =>
      statement(async () => void (await client.query({ text: sql, queryMode: 'extended' } as QueryConfig))),
    fetch: (sql) => statement(() => fetchRows(client, sql)),
    copyIn: (sql, chunks) => statement(() => copyIn(client, address, sql, chunks)),
    transaction: (work) => enclosed('BEGIN', 'COMMIT', 'ROLLBACK', work),
    attempt: (work) =>
      enclosed('SAVEPOINT attempt', 'RELEASE SAVEPOINT attempt', 'ROLLBACK TO SAVEPOINT attempt', work),
    async listen(channel, onPayload) {
      client.on('notification', (message) => {
        if (message.channel === channel) onPayload(message.payload ?? '')
      })
      await query(`LISTEN ${quoted(channel)}`)
    },
    beat() {
      if (running === 0 && beating === null) beating = beatOnce()
    },
    close: () => client.end().catch(() => {}),
  }
}

/** The type `bigint` in the system catalog. */
const int8 = 20

async function fetchRows(client: Client, sql: string): Promise<Fetched> {
  const { types } = await import('pg')
  const parserOf = (oid: number): ((text: string) => unknown) => (oid === int8 ? wholeNumber : types.getTypeParser(oid))
  const { fields, rows } = await client.query<unknown[]>({
    text: sql,
    rowMode: 'array',
    types: { getTypeParser: parserOf as typeof types.getTypeParser },
  })
  return { columns: fields.map(({ name }) => name), rows }
}

function wholeNumber(text: string): number | bigint {
  return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)
}

const connectTimeoutMs = 20_000

async function firstClient(address: string, attempts: readonly string[]): Promise<Client> {
  let refused: unknown
  let last: string | undefined
  for (const connectionString of attempts) {
    try {
      return await openClient(connectionString)
    } catch (error) {
      refused = error
      last = connectionString
      if (!isWithoutTls(error)) break
    }
  }
  throw unreachable(address, refused, last)
}

async function openClient(connectionString: string): Promise<Client> {
  const { Client } = await import('pg')
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    client_encoding: 'UTF8',
    application_name: `turnleaf ${process.pid}`,
  })
  // Errors between statements surface with the next statement; without a listener they would end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(settings)
    // A killed sync must release its lock soon, even during a statement. Not every system supports this check.
    await client.query(`SET client_connection_check_interval = '1s'`).catch(() => {})
    return client
  } catch (error) {
    await client.end()
    throw error
  }
}

/** The driver's message where the server has no TLS. */
function isWithoutTls(error: unknown): boolean {
  return error instanceof Error && error.message.includes('does not support SSL')
}

/** The same settings whatever the server's defaults are. Commits are durable. */
const settings = `
  SELECT set_config(name, value, false)
  FROM (VALUES
    ('datestyle', 'ISO, YMD'), ('timezone', 'UTC'), ('extra_float_digits', '3'), ('idle_session_timeout', '0'),
    ('tcp_keepalives_idle', '30'), ('tcp_keepalives_interval', '10'), ('tcp_keepalives_count', '6')
  ) wanted (name, value)
  WHERE EXISTS (SELECT FROM pg_settings WHERE lower(pg_settings.name) = wanted.name);
  SELECT set_config('statement_timeout', '1h', false) WHERE current_setting('statement_timeout') = '0';
  SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`

async function copyIn(client: Client, address: string, sql: string, chunks: Iterable<Buffer>): Promise<void> {
  const { from } = await import('pg-copy-streams')
  const stream = client.query(from(sql))
  const ended = new Promise<void>((resolve, reject) => {
    // Not `once`: a second error must find a listener, too.
    stream.once('finish', resolve).on('error', (error) => reject(statementFailure(address, error)))
  })
  // Awaited below; until then, avoids an unhandled rejection.
  ended.catch(() => {})
  try {
    for (const chunk of chunks) if (!stream.write(chunk)) await Promise.race([ended, once(stream, 'drain')])
  } catch (error) {
    // The server waits for more rows until the stream is ended.
    stream.destroy()
    await ended.catch(() => {})
    throw error
  }
  stream.end()
  await ended
}

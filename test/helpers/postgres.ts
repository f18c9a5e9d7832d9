/** A real Postgres for tests: DATABASE_URL if given, else a server of our own, gone with the process however it ends. */
import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { startPostgres } from './postgres-server.ts'

export type TestDatabase = AsyncDisposable & {
  readonly url: string
  readonly query: (sql: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>
}

/** A database of its own, dropped at the end; child processes reach it by its URL. */
export async function freshDatabase(server?: string): Promise<TestDatabase> {
  const serverUrl = server ?? (await sharedServer())
  const name = `turnleaf_${randomBytes(6).toString('hex')}`
  await queryOnce(serverUrl, `CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    query: (sql, values) => queryOnce(url.href, sql, values),
    async [Symbol.asyncDispose]() {
      await queryOnce(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    },
  }
}

let shared: Promise<string> | undefined

/** One server for all tests of the process, started by the first that asks for it. */
function sharedServer(): Promise<string> {
  shared ??= process.env.DATABASE_URL
    ? Promise.resolve(process.env.DATABASE_URL)
    : startPostgres('md5').then(({ url }) => url)
  return shared
}

/** A session for one statement: tests that stop the server need no session to survive it. */
export async function queryOnce(url: string, sql: string, values: readonly unknown[] = []) {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(sql, [...values])
    return rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}

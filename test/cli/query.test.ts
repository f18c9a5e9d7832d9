/** `turnleaf query`: what was written, queried in SQL. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { duckdbDestination } from '../../src/destinations/duckdb/duckdb.ts'
import type { Destination, Table } from '../../src/destinations/destination.ts'
import { jsonlDestination } from '../../src/destinations/jsonl/jsonl.ts'
import { parquetDestination } from '../../src/destinations/parquet/parquet.ts'
import { postgresDestination } from '../../src/destinations/postgres/postgres.ts'
import { freshDatabase, queryOnce } from '../helpers/postgres.ts'
import { startPostgres } from '../helpers/postgres-server.ts'
import { runCli } from './run-cli.ts'
import { tempFolder } from './shop.ts'

const orders: Table = { name: 'orders', mode: 'overwrite', primaryKey: [], cursorField: null, schema: null }
const records = [
  { id: 1, name: 'Ada\nLovelace', tags: ['x'], big: 2n ** 60n },
  { id: 2, name: null, tags: [], big: 1n },
]

async function land(destination: Destination): Promise<void> {
  const open = await destination.open('shop')
  const page = { records, extractedAt: 0, run: 'r', slice: '{}', page: 1 }
  const steps = [
    { kind: 'write', table: orders, pages: [page] },
    { kind: 'publish', table: orders },
  ] as const
  await open.commit({ steps, forget: [], notes: new Map() })
  await open.close()
}

describe('turnleaf query', { concurrency: 2 }, () => {
  test('answers for every kind of destination', async () => {
    await using files = await tempFolder()
    await using database = await freshDatabase()
    const places: [string, Destination][] = [
      [`duckdb:${files.folder}/a.duckdb`, duckdbDestination(`${files.folder}/a.duckdb`)],
      [`parquet:${files.folder}/p`, parquetDestination(`${files.folder}/p`)],
      [`jsonl:${files.folder}/j`, jsonlDestination(`${files.folder}/j`)],
      [database.url, postgresDestination(database.url)],
    ]
    for (const [address, destination] of places) {
      await land(destination)
      const sql = 'select id, name, big, _turnleaf_page as page from orders order by id'
      const ran = await runCli(['query', '--to', address, '--json', sql])
      assert.equal(ran.code, 0, ran.stderr)
      assert.deepEqual(ran.stdout.trim().split('\n'), [
        `{"id":1,"name":"Ada\\nLovelace","big":${2n ** 60n},"page":1}`,
        `{"id":2,"name":null,"big":1,"page":1}`,
      ])
    }
  })

  test('prints a table that a person can read, and says when there is more', async () => {
    await using files = await tempFolder()
    const address = `duckdb:${files.folder}/a.duckdb`
    await land(duckdbDestination(`${files.folder}/a.duckdb`))
    const ran = await runCli(['query', '--to', address, '--limit', '1', 'select id, name from orders order by id'])
    assert.equal(ran.stdout, 'id   name\n 1   Ada Lovelace\n')
    assert.match(ran.stderr, /Only the first 1 rows/)
  })

  test('changes nothing, and says what is wrong with a question', async () => {
    await using files = await tempFolder()
    const address = `duckdb:${files.folder}/a.duckdb`
    const inFolder = await runCli(['query', '--to', `jsonl:${files.folder}`, '--schema', 'raw', 'select 1'])
    assert.equal(inFolder.code, 2)
    assert.match(inFolder.stderr, /cli\/arguments: --schema \w+ does not apply to /)
    const missing = await runCli(['query', '--to', address, 'select 1'])
    assert.equal(missing.code, 1)
    assert.match(missing.stderr, /destinations\/unreadable: There is no duckdb:/)
    await land(duckdbDestination(`${files.folder}/a.duckdb`))
    const refused = [
      ['drop table orders', 'not-one-select'],
      ["call enable_logging(level = 'trace', storage = 'file')", 'not-one-select'],
      ['from enable_logging()', 'query-refused'],
      ['select * from nowhere', 'query-refused'],
    ] as const
    for (const [sql, code] of refused) {
      const ran = await runCli(['query', '--to', address, sql])
      assert.equal(ran.code, 1)
      assert.match(ran.stderr, new RegExp(`destinations/${code}`))
    }
    const still = await runCli(['query', '--to', address, 'select count(*) as n from orders'])
    assert.match(still.stdout, /2/)
  })

  test('a connection must have a file, and names the only destination', async () => {
    await using files = await tempFolder()
    await files.write('connections/shop/connection.yaml', 'connector: shop\ndestination: jsonl:../../out\n')
    const ask = (...args: string[]) => runCli(['query', ...args, 'select 1'], { cwd: files.folder })
    const unknown = await ask('--connection', 'shopp')
    assert.equal(unknown.code, 2)
    assert.match(unknown.stderr, /^connections\/not-found: .*\n {2}try {2}Did you mean shop\?/)
    const both = await ask('--connection', 'shop', '--to', 'jsonl:out')
    assert.equal(both.code, 2)
    assert.match(both.stderr, /^cli\/arguments: .*--connection.* cannot be used with .*--to/)
  })

  test('--to may refer to a variable; without a password the error says so', async () => {
    await using server = await startPostgres('scram-sha-256')
    const [, password = ''] = /:([^:@]+)@/.exec(server.url) ?? []
    const to = server.url.replace(`:${password}@`, ':${DB_PASSWORD}@')
    const ask = (address: string, env = {}) => runCli(['query', '--to', address, 'select 1 as one'], { env })
    const filled = await ask(to, { DB_PASSWORD: password })
    assert.equal(filled.stdout, 'one\n  1\n', filled.stderr)
    const unset = await ask(to)
    assert.equal(unset.code, 2)
    assert.match(unset.stderr, /^cli\/arguments: --to needs DB_PASSWORD, which is not set in the environment\.$/m)
    const none = await ask(server.url.replace(`:${password}@`, '@'))
    assert.equal(none.code, 1)
    assert.match(
      none.stderr,
      /^destinations\/unreachable: .* needs a password, and none is given\.\n {2}try {2}Set PGPASSWORD/,
    )

    await queryOnce(server.url, `CREATE ROLE loader LOGIN PASSWORD 'p@ss/w0rd'`)
    const { host } = new URL(server.url)
    const loader = `postgres://loader:\${DB_PASSWORD}@${host}/postgres`
    await using files = await tempFolder()
    await files.write('connections/shop/connection.yaml', `connector: shop\ndestination: ${loader}\n`)
    for (const given of [{ DB_PASSWORD: 'p@ss/w0rd' }, { DB_PASSWORD: 'p%40ss%2Fw0rd' }]) {
      assert.equal((await ask(loader, given)).stdout, 'one\n  1\n')
      const args = ['query', '--connection', 'shop', 'select 1 as one']
      const named = await runCli(args, { cwd: files.folder, env: given })
      assert.equal(named.stdout, 'one\n  1\n', named.stderr)
    }
    for (const [address, env] of [
      ['${DATABASE}', { DATABASE: `postgres://loader:p@ss/w0rd@${host}/postgres` }],
      [`postgres://loader:p@ss/w0rd@${host}/postgres`, {}],
    ] as const) {
      const refused = await ask(address, env)
      assert.equal(refused.code, 2)
      assert.match(refused.stderr, /^destinations\/unknown: .*\n {2}try {2}.*@ is %40/)
      assert.doesNotMatch(refused.stderr, /w0rd|ss\//)
    }
  })
})

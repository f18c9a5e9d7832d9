/** What a confined query may see, and what is refused: in this process, with the very session that its own process opens. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import { openConfined } from '../../../src/destinations/duckdb/confined.ts'
import { queryRows } from '../../../src/destinations/duckdb/query.ts'
import { ConnectorError } from '../../../src/std/errors.ts'

/** A table of 1,000 orders, as `orders` and as `shop.orders`. */
async function openShop() {
  const folder = mkdtempSync(join(tmpdir(), 'turnleaf-confined-'))
  const file = join(folder, 'all.duckdb')
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  await connection.run('create table orders as select range as id from range(1000)')
  await connection.run('create schema shop')
  await connection.run('create table shop.orders as from orders')
  connection.closeSync()
  instance.closeSync()
  const limits = { databaseMebibytes: 256, spillMebibytes: 64 }
  const session = await openConfined({ file, spillFolder: folder, limits })
  return {
    folder,
    ask: (sql: string) => queryRows(session, sql, 10, { isConfined: true }),
    async [Symbol.asyncDispose]() {
      session.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const questions = [
  'select count(*) from orders',
  'with a as (select count(*) as n from orders) select n from a;',
  'from (select count(*) from orders)',
  'values (1000)',
  'select len(list(id)) from orders',
  'select count(*) from orders, unnest([1])',
  'select count(*) from range(1000)',
]

test('one SELECT is answered, whatever it begins with', async () => {
  await using shop = await openShop()
  for (const sql of questions) assert.deepEqual((await shop.ask(sql)).rows, [[1000]], sql)
  for (const sql of ['describe orders', 'summarize orders', 'show tables', 'describe select 1 as id']) {
    assert.ok((await shop.ask(sql)).rows.length > 0, sql)
  }
})

test('nothing shows settings of DuckDB, or where files of the server are', async () => {
  await using shop = await openShop()
  const wrong = [
    'from pg_settings',
    'select * from pg_catalog.pg_settings',
    'select setting from "PG_SETTINGS" where name = \'temp_directory\'',
    'with a as (from pg_settings) select count(*) from a',
    'select (select max(setting) from pg_settings)',
    'summarize pg_catalog.pg_settings',
    'summarize select * from pg_settings',
    'from duckdb_settings()',
    'from duckdb_databases()',
    'from duckdb_databases',
    'from pragma_database_list',
    'from duckdb_logs',
  ]
  for (const sql of wrong) await assert.rejects(shop.ask(sql), { code: 'destinations/query-refused' }, sql)
  assert.ok((await shop.ask('from duckdb_tables()')).rows.length > 0)
})

const hostile = [
  "select * from read_csv('/etc/passwd')",
  "select * from '/etc/passwd'",
  "select * from read_text('/etc/passwd')",
  "select * from glob('/etc/*')",
  "copy shop.orders to '/tmp/turnleaf-stolen.csv'",
  "attach '/tmp/turnleaf-other.duckdb'",
  'install httpfs',
  'load httpfs',
  'set enable_external_access = true',
  "set memory_limit = '100GB'",
  "export database '/tmp/turnleaf-stolen'",
  'drop table shop.orders',
  'delete from shop.orders',
  'create table mine (a integer)',
  'commit; drop table shop.orders',
  'select 1; select 2',
  'select',
  "call enable_logging(level = 'trace', storage = 'file', storage_config = {'path': '/tmp/turnleaf-log'})",
  "from enable_logging(level = 'trace', storage = 'file', storage_config = {'path': '/tmp/turnleaf-log'})",
  'with a as (from enable_profiling()) select * from a',
  "select (select count(*) from query('select 1'))",
  "from query_table('shop.orders')",
  'from duckdb_secrets()',
  'from checkpoint()',
  "select write_log('x')",
  "select json_execute_serialized_sql(json_serialize_sql('select 1'))",
  "from json_execute_serialized_sql(json_serialize_sql('select 1'))",
  "pragma import_database('/tmp')",
  'explain analyze select 1',
  'prepare x as select 1',
  '-- nothing',
]

test('a query sees the tables and nothing else, and what is refused changes nothing', async () => {
  await using shop = await openShop()
  for (const sql of hostile) {
    await assert.rejects(
      shop.ask(sql),
      (error) => error instanceof ConnectorError && /^destinations\/(?:query-refused|not-one-select)$/.test(error.code),
      sql,
    )
  }
  assert.deepEqual((await shop.ask('select count(*) from shop.orders')).rows, [[1000]])
  assert.deepEqual(readdirSync(shop.folder), ['all.duckdb'])
})

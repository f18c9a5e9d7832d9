import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { withoutPasswords } from '../../src/destinations/without-passwords.ts'
import { addressFrom, givenArguments, showRowsCommand, schemaFrom } from '../../src/cli/destination-address.ts'
import { connectionAt, modesFrom } from '../../src/cli/commands/sync.ts'
import { tempFolder } from './shop.ts'

const { TURNLEAF_TO, TURNLEAF_HOME } = process.env
afterEach(() => {
  Object.assign(process.env, { TURNLEAF_TO: TURNLEAF_TO ?? '', TURNLEAF_HOME: TURNLEAF_HOME ?? '' })
  delete process.env.SHOP_DATABASE
})

test('a mode is for all streams or for one, with hyphens or underscores', () => {
  assert.equal(modesFrom(), undefined)
  assert.deepEqual(modesFrom(['incremental-dedup', 'a=b=full_refresh_append', '__proto__=full-refresh-overwrite']), {
    '*': 'incremental_dedup',
    'a=b': 'full_refresh_append',
    ['__proto__']: 'full_refresh_overwrite',
  })
  assert.throws(() => modesFrom(['orders=incremental-dedupe']), {
    code: 'sync/unknown-mode',
    hint: 'Did you mean incremental_dedup?',
  })
})

test('a connection is called like its connector', async () => {
  await using files = await tempFolder()
  const path = await files.write('shop/manifest.yaml', '')
  assert.equal(await connectionAt(path), 'shop')
  assert.equal(await connectionAt(`${files.folder}/shop`), 'shop')
  assert.equal(await connectionAt(await files.write('my.store.yml', '')), 'my.store')
  assert.equal(await connectionAt('-'), 'default')
  assert.equal(await connectionAt('/manifest.yaml'), 'default')
})

test('records land where --to says, or TURNLEAF_TO, or in a DuckDB file at home', () => {
  process.env.TURNLEAF_TO = 'jsonl:there'
  assert.equal(addressFrom('parquet:here'), 'parquet:here')
  assert.equal(addressFrom(undefined), 'jsonl:there')
  assert.throws(() => addressFrom(''), { code: 'destinations/unknown' })
  process.env.TURNLEAF_TO = ''
  process.env.TURNLEAF_HOME = '/home/me/data'
  assert.equal(addressFrom(undefined), 'duckdb:/home/me/data/turnleaf.duckdb')
  process.env.TURNLEAF_HOME = '/home/${me}'
  assert.equal(addressFrom(undefined), 'duckdb:/home/${me}/turnleaf.duckdb')
  process.env.TURNLEAF_HOME = ''
  assert.equal(addressFrom(undefined), 'duckdb:turnleaf.duckdb')
})

test('the schema is the given one, or the one in the address', () => {
  assert.equal(schemaFrom({ to: 'postgres://me@host/shop?sslmode=disable&schema=raw' }), 'raw')
  assert.equal(schemaFrom({ to: 'postgres://me@host/shop?schema=raw', schema: 'other' }), 'other')
  assert.equal(schemaFrom({ to: 'duckdb:shop.duckdb' }), undefined)
  process.env.SHOP_DATABASE = 'postgres://me@host/shop?schema=raw'
  assert.equal(schemaFrom({ to: '${SHOP_DATABASE}' }), 'raw')
})

test('what was written can be shown with one command', () => {
  const look = (address: string, streams = ['Très 🦆', 'orders'], schema?: string) =>
    showRowsCommand(address, streams, { schema })
  assert.equal(look('duckdb:turnleaf.duckdb'), `npx turnleaf query 'select * from "orders" limit 5'`)
  assert.equal(
    look('duckdb:my shop.duckdb'),
    `npx turnleaf query --to 'duckdb:my shop.duckdb' 'select * from "orders" limit 5'`,
  )
  assert.equal(look('duckdb:a.duckdb', ['Très 🦆']), `npx turnleaf query --to duckdb:a.duckdb 'show tables'`)
  assert.equal(
    look('duckdb:a.duckdb', ['o'], 'raw'),
    `npx turnleaf query --to duckdb:a.duckdb 'select * from "raw"."o" limit 5'`,
  )
  assert.equal(look("jsonl:it's"), `npx turnleaf query --to "jsonl:it's" 'select * from "orders" limit 5'`)
  const psql = 'psql postgres://me@host/shop -c'
  assert.equal(look('postgres://me@host/shop'), `${psql} 'select * from "public"."orders" limit 5'`)
  assert.equal(look('postgres://me@host/shop', ['o'], 'raw'), `${psql} 'select * from "raw"."o" limit 5'`)
  assert.equal(look('postgres://me@host/shop', ['Très 🦆']), String.raw`${psql} '\dt "public".*'`)
  assert.equal(look('memory:'), null)

  const ofShop = (address: string, streams: string[]) => showRowsCommand(address, streams, { connection: 'shop' })
  const query = 'npx turnleaf query --connection shop'
  for (const address of ['postgres://me@host/shop', 'duckdb:a.duckdb', 'jsonl:out'])
    assert.equal(ofShop(address, ['o']), `${query} 'select * from "o" limit 5'`)
  const tables = 'select tablename from pg_tables where schemaname = current_schema()'
  assert.equal(ofShop('postgres://me@host/shop', ['Très 🦆']), `${query} '${tables}'`)
})

test('that command repeats what was given, with its variables and without a password', () => {
  const shown = 'postgres://me@host/shop'
  const show = (to: string | undefined) => showRowsCommand(shown, ['o'], { place: givenArguments(to, shown) })
  const rows = `'select * from "o" limit 5'`
  const psql = `psql ${shown} -c 'select * from "public"."o" limit 5'`
  for (const to of [
    '${SHOP_DATABASE}',
    'postgres://me:${SHOP_PASSWORD}@host/shop',
    'postgres://me@host/shop?password=${SHOP_PASSWORD}',
    'postgres://me@host/shop?sslmode=require',
  ])
    assert.equal(show(to), `npx turnleaf query --to '${to}' ${rows}`)
  for (const to of [shown, 'postgres://me:s3cret@host/shop', 'postgres://me@host/shop?password=s3cret'])
    assert.equal(show(to), psql)
  process.env.TURNLEAF_TO = 'postgres://me:s3cret@host/shop'
  assert.equal(show(undefined), `npx turnleaf query ${rows}`)
  assert.equal(
    showRowsCommand('duckdb:turnleaf.duckdb', ['o']),
    `npx turnleaf query --to duckdb:turnleaf.duckdb ${rows}`,
    'it is not the default any more',
  )
})

test('a password is shown in no address', () => {
  for (const [text, shown] of [
    ['at postgres://me:s3cret@host/shop.', 'at postgres://me:…@host/shop.'],
    ['postgres://me:s@c/r:t@host/shop', 'postgres://me:…@host/shop'],
    ['postgres://:s3cret@host', 'postgres://:…@host'],
    ['postgres://host/shop?user=me&password=s3cret&x=1', 'postgres://host/shop?user=me&password=…&x=1'],
    ['postgres://me@host:5432/shop', 'postgres://me@host:5432/shop'],
    ['http://127.0.0.1:8082/orders at 10:15', 'http://127.0.0.1:8082/orders at 10:15'],
  ]) {
    assert.equal(withoutPasswords(String(text)), shown)
  }
})

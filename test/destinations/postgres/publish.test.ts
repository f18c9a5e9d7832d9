/** Publishing to tables that others read, and have attached something to. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { ConnectorError } from '../../../src/std/errors.ts'
import { freshDatabase } from '../../helpers/postgres.ts'
import { commit, during, page, publish, records, table, write } from '../behaviours.ts'
import { type PostgresPlace, postgresPlace } from './place.ts'

let database: ReturnType<typeof freshDatabase> | undefined
const freshPlace = async () => postgresPlace((await (database ??= freshDatabase())).url)
after(async () => (await database)?.[Symbol.asyncDispose]())

const orders = table('orders', 'overwrite')
const items = table('items', 'dedup', { primaryKey: [['id']], cursorField: 'at' })

const overwrite = (place: PostgresPlace, ...rows: Record<string, unknown>[]) =>
  during(place, (open) => open.commit(commit([write(orders, page(rows)), publish(orders)])))
const merge = (place: PostgresPlace, ...rows: Record<string, unknown>[]) =>
  during(place, (open) => open.commit(commit([write(items, page(rows)), publish(items)])))

const oid = async (place: PostgresPlace, name: string) =>
  (await place.query('SELECT $1::regclass::oid AS oid', [name]))[0]?.oid

test('a table that nothing depends on is swapped; its grants are kept, and no others', async () => {
  await using place = await freshPlace()
  await overwrite(place, { id: 1 })
  const role = `role_${randomBytes(6).toString('hex')}`
  await place.query(`CREATE ROLE ${role}`)
  try {
    await place.query(`ALTER DEFAULT PRIVILEGES IN SCHEMA "${place.schema}" GRANT INSERT ON TABLES TO ${role}`)
    await place.query('GRANT SELECT ON orders TO PUBLIC')
    await place.query(`GRANT UPDATE ON orders TO ${role} WITH GRANT OPTION`)
    const before = await oid(place, 'orders')
    await overwrite(place, { id: 2 })
    assert.notEqual(await oid(place, 'orders'), before)
    const grants = await place.query(
      `SELECT grantee, privilege_type AS may, is_grantable AS passes_on FROM information_schema.role_table_grants
       WHERE table_name = 'orders' AND table_schema = $1 AND grantee <> grantor ORDER BY may`,
      [place.schema],
    )
    assert.deepEqual(grants, [
      { grantee: 'PUBLIC', may: 'SELECT', passes_on: 'NO' },
      { grantee: role, may: 'UPDATE', passes_on: 'YES' },
    ])
  } finally {
    await place.query(`DROP OWNED BY ${role}`)
    await place.query(`DROP ROLE ${role}`)
  }
})

const attachments: Record<string, string> = {
  view: 'CREATE VIEW shown AS SELECT id FROM orders',
  index: 'CREATE INDEX ON orders (id)',
  'column of another': `ALTER TABLE orders ADD COLUMN mine text DEFAULT 'x'`,
  comment: `COMMENT ON TABLE orders IS 'what was bought'`,
  policy: 'CREATE POLICY mine ON orders USING (true)',
  function: `CREATE FUNCTION all_orders() RETURNS SETOF orders LANGUAGE sql AS 'SELECT * FROM orders'`,
}

for (const [what, statement] of Object.entries(attachments)) {
  test(`a ${what} on a table survives that it is overwritten`, async () => {
    await using place = await freshPlace()
    await overwrite(place, { id: 1 }, { id: 2 })
    await place.query(statement)
    const before = await oid(place, 'orders')
    await overwrite(place, { id: 3, more: 'a' })
    await overwrite(place, { id: 4, more: 1 })
    assert.equal(await oid(place, 'orders'), before)
    assert.deepEqual(await place.query('SELECT id, more FROM orders'), [{ id: 4, more: '1' }])
    if (what === 'view') assert.deepEqual(await place.query('SELECT * FROM shown'), [{ id: 4 }])
  })
}

test('a column that a view shows cannot change its type: said so, and nothing is lost', async () => {
  await using place = await freshPlace()
  await overwrite(place, { id: 1 })
  await place.query('CREATE VIEW shown AS SELECT id FROM orders')
  await assert.rejects(overwrite(place, { id: 'two' }), (error) => {
    assert.ok(error instanceof ConnectorError)
    assert.equal(error.code, 'destinations/data-refused')
    assert.match(error.hint, /Drop the view/)
    return true
  })
  assert.deepEqual(await records(place, 'orders'), [{ id: 1 }])
  await place.query('DROP VIEW shown')
  await overwrite(place, { id: 'two' })
  assert.deepEqual(await records(place, 'orders'), [{ id: 'two' }])
})

test('rows that are replaced beneath keep their digits, whatever the table held before', async () => {
  await using place = await freshPlace()
  await overwrite(place, { id: 1, long: 2n ** 64n, mixed: 'text' })
  await place.query('CREATE INDEX ON orders (id)')
  await overwrite(place, { id: 2, long: 0.1 + 0.2, mixed: 1e21 })
  assert.deepEqual(await place.query('SELECT long::text, mixed FROM orders'), [
    { long: '0.30000000000000004', mixed: '1e+21' },
  ])
})

test('rows of others are never deleted with those of an overwritten table', async () => {
  await using place = await freshPlace()
  await overwrite(place, { id: 1 })
  await place.query('ALTER TABLE orders ADD PRIMARY KEY (id)')
  await place.query('CREATE TABLE remarks (id bigint REFERENCES orders ON DELETE CASCADE)')
  await place.query('INSERT INTO remarks VALUES (1)')
  await assert.rejects(
    overwrite(place, { id: 1 }),
    (error) => error instanceof ConnectorError && /rows of .*remarks/.test(error.message),
  )
  assert.deepEqual(await place.query('SELECT * FROM remarks'), [{ id: 1 }])
})

test('rows that others refer to are merged in place', async () => {
  await using place = await freshPlace()
  await merge(place, { id: 1, at: 1, old: 'a' }, { id: 2, at: 1 })
  await place.query('ALTER TABLE items ADD PRIMARY KEY (id), ADD COLUMN mine text')
  await place.query('CREATE TABLE remarks (id bigint REFERENCES items ON DELETE CASCADE)')
  await place.query('INSERT INTO remarks VALUES (1)')
  await place.query(`UPDATE items SET mine = 'mark'`)
  await merge(place, { id: 1, at: 2, fresh: 'b' }, { id: 3, at: 1 })
  assert.deepEqual(await place.query('SELECT * FROM remarks'), [{ id: 1 }])
  assert.deepEqual(await records(place, 'items'), [
    { id: 1, at: 2, fresh: 'b', mine: 'mark' },
    { id: 2, at: 1, mine: 'mark' },
    { id: 3, at: 1 },
  ])
})

test('records that lost their cursor or their key are no reason to fail', async () => {
  await using place = await freshPlace()
  await merge(place, { id: 1, at: 1, v: 'a' }, { id: 2, v: 'a' })
  await merge(place, { id: 1, v: 'b' }, { id: 2, v: 'b' })
  await merge(place, { v: 'c' })
  assert.deepEqual(await records(place, 'items'), [{ v: 'c' }, { id: 1, at: 1, v: 'a' }, { id: 2, v: 'b' }])
})

test('without a key rows are kept, all of them', async () => {
  await using place = await freshPlace()
  const keyless = table('keyless', 'dedup')
  for (let round = 0; round < 2; round++)
    await during(place, (open) => open.commit(commit([write(keyless, page([{ id: 1 }, { id: 1 }])), publish(keyless)])))
  assert.equal((await records(place, 'keyless'))?.length, 4)
})

/** A reader in a session of its own, in the middle of a transaction. */
async function reader(place: PostgresPlace) {
  const client = new Client({ connectionString: place.url })
  await client.connect()
  await client.query(`SELECT set_config('search_path', quote_ident($1), false)`, [place.schema])
  return client
}

test('a reader that does not end blocks nothing: the rows are replaced', async () => {
  await using place = await freshPlace()
  await overwrite(place, { id: 1 })
  const client = await reader(place)
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT * FROM orders')
    await overwrite(place, { id: 2 }, { id: 3 })
    assert.deepEqual((await client.query('SELECT id FROM orders')).rows, [{ id: '1' }])
  } finally {
    await client.end()
  }
  assert.deepEqual(await records(place, 'orders'), [{ id: 2 }, { id: 3 }])
})

test('readers see the old table or the new one, never half', async () => {
  await using place = await freshPlace()
  const sizes = [1000, 2000, 3000, 4000]
  const rows = (size: number) => Array.from({ length: size }, (_, id) => ({ id, size }))
  await overwrite(place, ...rows(500))
  const over = new AbortController()
  const look = async () => {
    const client = await reader(place)
    const seen = new Set<unknown>()
    while (!over.signal.aborted) {
      const { rows: found } = await client.query(
        'SELECT count(*)::int n, min(size)::int low, max(size)::int high FROM orders',
      )
      seen.add(JSON.stringify(found[0]))
    }
    await client.end()
    return seen
  }
  const looks = [look(), look()]
  for (const size of sizes) {
    await during(place, async (open) => {
      for (let from = 0; from < size; from += 500)
        await open.commit(commit([write(orders, page(rows(size).slice(from, from + 500)))]))
      await open.commit(commit([publish(orders)]))
    })
  }
  over.abort()
  for (const seen of await Promise.all(looks)) {
    for (const text of seen) {
      const { n, low, high } = JSON.parse(String(text))
      assert.deepEqual({ low, high }, { low: n, high: n })
    }
  }
})

test('merging uses an index on the key, and does without one where keys are too long', async () => {
  await using place = await freshPlace()
  const indexes = async () => (await place.query(`SELECT indexdef FROM pg_indexes WHERE tablename = 'items'`)).length
  await merge(place, { id: 'a', at: 1 }, { id: 'b', at: 1 })
  assert.equal(await indexes(), 1)
  const long = randomBytes(3000).toString('hex')
  await merge(place, { id: long, at: 1 }, { id: 'b', at: 2 })
  assert.equal(await indexes(), 0)
  await merge(place, { id: long, at: 2 }, { id: 'c', at: 2 })
  assert.equal(await indexes(), 0)
  assert.deepEqual(await place.query('SELECT left(id, 1) AS id, at FROM items ORDER BY length(id), id'), [
    { id: 'a', at: 1 },
    { id: 'b', at: 2 },
    { id: 'c', at: 2 },
    { id: long.slice(0, 1), at: 2 },
  ])
})

for (const mode of ['append', 'overwrite'] as const) {
  test(`${mode} after merging: only the index of ours goes, and keys may be too long for one`, async () => {
    await using place = await freshPlace()
    await merge(place, { id: 'a', at: 1 })
    await place.query('CREATE INDEX theirs ON items (at)')
    const long = randomBytes(4500).toString('hex')
    const later = table('items', mode)
    await during(place, (open) => open.commit(commit([write(later, page([{ id: long, at: 1 }])), publish(later)])))
    const found = await place.query('SELECT length(id) AS length FROM items ORDER BY 1')
    assert.deepEqual(
      found.map(({ length }) => length),
      mode === 'append' ? [1, 9000] : [9000],
    )
    const left = await place.query(`SELECT indexname FROM pg_indexes WHERE tablename = 'items' AND schemaname = $1`, [
      place.schema,
    ])
    assert.deepEqual(left, [{ indexname: 'theirs' }])
  })
}

test('a key inside of an object is still found when the object became a text', async () => {
  await using place = await freshPlace()
  const nested = table('nested', 'dedup', { primaryKey: [['head', 'id']] })
  const sync = (...rows: Record<string, unknown>[]) =>
    during(place, (open) => open.commit(commit([write(nested, page(rows)), publish(nested)])))
  await sync({ id: 1, head: { id: 'x' } }, { id: 2, head: { id: 'y' } })
  await sync({ id: 3, head: '{ no object' }, { id: 4, head: { id: 'x' } })
  await sync({ id: 5, head: { id: 'y' } }, { id: 6, head: 'none' })
  assert.deepEqual(
    (await records(place, 'nested'))?.map(({ id }) => id),
    [3, 4, 5, 6],
  )
})

test('a query is one statement: none can leave the transaction that changes nothing', async () => {
  await using place = await freshPlace()
  await overwrite(place, { id: 1 })
  const several = `select 1; commit; drop table "${place.schema}".orders`
  await assert.rejects(async () => place.destination.query?.(several, 10), { code: 'destinations/query-refused' })
  assert.deepEqual((await place.destination.query?.('select id from orders;', 10))?.rows, [[1]])
})

/** A folder of Parquet files as a destination: what all destinations do, and what only files do. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { parquetDestination } from '../../../src/destinations/parquet/parquet.ts'
import { commit, during, page, publish, records, table, testBehaviours, write } from '../behaviours.ts'
import { query, temporaryFolder, temporarySchema } from '../duckdb/places.ts'

testBehaviours('Parquet', () => temporarySchema('parquet'))

const schemaOf = (file: string) =>
  query(':memory:', async (connection) => {
    const rows = await connection.runAndReadAll(`DESCRIBE FROM read_parquet($file)`, { file })
    return rows.getRows().map(([name, type]) => `${String(name)} ${String(type)}`)
  })

test('each read that is appended is a file, and all files have the columns of the table', async () => {
  await using place = await temporarySchema('parquet')
  const orders = table('orders', 'append')
  for (const record of [
    { id: 1, size: 7 },
    { id: 2, size: 8 },
    { id: 3, size: 'L', more: [1] },
  ]) {
    await during(place, (open) => open.commit(commit([write(orders, page([record])), publish(orders)])))
  }
  const folder = join(place.folder, 'orders')
  const files = await readdir(folder)
  assert.deepEqual(
    files.toSorted((one, other) => one.length - other.length || one.localeCompare(other)),
    ['orders.parquet', 'orders-2.parquet', 'orders-3.parquet'],
  )
  const own = [
    '_turnleaf_extracted_at TIMESTAMP WITH TIME ZONE',
    '_turnleaf_run VARCHAR',
    '_turnleaf_slice VARCHAR',
    '_turnleaf_page INTEGER',
  ]
  for (const file of files) {
    assert.deepEqual(await schemaOf(join(folder, file)), ['id BIGINT', 'size VARCHAR', 'more JSON', ...own], file)
  }
  assert.deepEqual(await records(place, 'orders'), [
    { id: 1, size: '7' },
    { id: 2, size: '8' },
    { id: 3, size: 'L', more: [1] },
  ])
})

for (const mode of ['append', 'dedup'] as const) {
  test(`${mode}: nothing is added to a table with a file that was cut; another table is written`, async () => {
    await using place = await temporarySchema('parquet')
    const [orders, items] = [table('orders', mode), table('items', mode)]
    const add = (id: number, to = orders) =>
      during(place, (open) => open.commit(commit([write(to, page([{ id }])), publish(to)])))
    await add(1)
    const file = join(place.folder, 'orders', 'orders.parquet')
    const whole = await readFile(file)
    await writeFile(file, whole.subarray(0, whole.length / 2))
    await assert.rejects(add(2), { code: 'destinations/unreadable', message: /orders\.parquet is no longer a Parquet/ })
    await add(3, items)
    assert.deepEqual(await records(place, 'items'), [{ id: 3 }])
    await writeFile(file, whole)
    await add(2)
    assert.deepEqual(await records(place, 'orders'), [{ id: 1 }, { id: 2 }])
  })
}

for (const mode of ['append', 'dedup'] as const) {
  test(`${mode}: nothing is added to a table with a file that was deleted, until it is back or all are`, async () => {
    await using place = await temporarySchema('parquet')
    const [appended, orders] = [table('orders', 'append'), table('orders', mode, { primaryKey: [['id']] })]
    const add = (id: number, to = orders) =>
      during(place, (open) => open.commit(commit([write(to, page([{ id }])), publish(to)])))
    const check = () => during(place, async (open) => await open.check?.(orders))
    for (const id of [1, 2, 3]) await add(id, appended)
    await check()
    const file = join(place.folder, 'orders', 'orders-2.parquet')
    const whole = await readFile(file)
    await rm(file)
    const lacks = { code: 'destinations/unreadable', message: /orders-2\.parquet is gone/ }
    for (let attempt = 1; attempt <= 2; attempt++) {
      await assert.rejects(check(), lacks)
      await assert.rejects(add(4), lacks)
      const rows = await during(place, async (open) => await open.count?.(orders))
      assert.equal(rows?.published, 2)
    }
    await writeFile(file, whole)
    await add(4)
    const ids = async () => (await records(place, 'orders'))?.map(({ id }) => id).toSorted()
    assert.deepEqual(await ids(), [1, 2, 3, 4])
    await place.drop('orders')
    assert.equal(await during(place, async (open) => await open.isGone?.('orders')), true)
    await add(5)
    assert.deepEqual(await ids(), [5])
  })
}

test('a file that a user has put next to those of a table stays as it is', async () => {
  await using place = await temporarySchema('parquet')
  const orders = table('orders', 'append')
  const add = (id: number) =>
    during(place, (open) => open.commit(commit([write(orders, page([{ id }])), publish(orders)])))
  await add(1)
  const file = join(place.folder, 'orders', 'orders-2.parquet')
  await writeFile(file, 'of a user')
  await add(2)
  assert.equal(await readFile(file, 'utf8'), 'of a user')
  assert.ok(existsSync(join(place.folder, 'orders', 'orders-3.parquet')))
})

test('a folder in the place of a file is no Parquet file: nothing is added', async () => {
  await using place = await temporarySchema('parquet')
  const orders = table('orders', 'append')
  const add = (id: number) =>
    during(place, (open) => open.commit(commit([write(orders, page([{ id }])), publish(orders)])))
  await add(1)
  const file = join(place.folder, 'orders', 'orders.parquet')
  await rm(file)
  await mkdir(file)
  const message = /orders\.parquet is no longer a Parquet file/
  await assert.rejects(add(2), { code: 'destinations/unreadable', message })
})

test('overwritten, a table with a file that was deleted is whole again', async () => {
  await using place = await temporarySchema('parquet')
  const add = (id: number, mode: 'append' | 'overwrite') =>
    during(place, (open) => {
      const orders = table('orders', mode)
      return open.commit(commit([write(orders, page([{ id }])), publish(orders)]))
    })
  for (const id of [1, 2, 3]) await add(id, 'append')
  await rm(join(place.folder, 'orders', 'orders-2.parquet'))
  await add(4, 'overwrite')
  await add(5, 'append')
  assert.deepEqual(await records(place, 'orders'), [{ id: 4 }, { id: 5 }])
})

test('overwritten, a table with files that were cut is whole again, and their rows do not count', async () => {
  await using place = await temporarySchema('parquet')
  const orders = table('orders', 'append')
  const add = (id: number) =>
    during(place, (open) => open.commit(commit([write(orders, page([{ id }])), publish(orders)])))
  const published = () => during(place, async (open) => (await open.count?.(orders))?.published)
  for (const id of [1, 2]) await add(id)
  for (const [file, left] of [
    ['orders-2', 1],
    ['orders', 0],
  ] as const) {
    await truncate(join(place.folder, 'orders', `${file}.parquet`), 20)
    assert.equal(await published(), left)
  }
  const anew = table('orders', 'overwrite')
  await during(place, (open) => open.commit(commit([write(anew, page([{ id: 3 }])), publish(anew)])))
  assert.deepEqual(await records(place, 'orders'), [{ id: 3 }])
  assert.equal(await published(), 1)
})

test('a file that need not change is not written again', async () => {
  await using place = await temporarySchema('parquet')
  const orders = table('orders', 'append')
  const read = () => readFile(join(place.folder, 'orders', 'orders.parquet'))
  const add = (id: number) =>
    during(place, (open) => open.commit(commit([write(orders, page([{ id }])), publish(orders)])))
  await add(1)
  const before = await read()
  await add(2)
  assert.deepEqual(await read(), before)
})

test('a read without records adds no file', async () => {
  await using place = await temporarySchema('parquet')
  const orders = table('orders', 'append')
  for (let read = 0; read < 3; read++) await during(place, (open) => open.commit(commit([publish(orders)])))
  assert.deepEqual(await readdir(join(place.folder, 'orders')), ['orders.parquet'])
})

test('overwritten or merged, the files of a table become one', async () => {
  for (const mode of ['overwrite', 'dedup'] as const) {
    await using place = await temporarySchema('parquet')
    const [added, other] = [table('orders', 'append'), table('orders', mode, { primaryKey: [['id']] })]
    for (const id of [1, 2]) {
      await during(place, (open) => open.commit(commit([write(added, page([{ id }])), publish(added)])))
    }
    await during(place, (open) => open.commit(commit([write(other, page([{ id: 2, v: 'new' }])), publish(other)])))
    assert.deepEqual(await readdir(join(place.folder, 'orders')), ['orders.parquet'], mode)
    assert.deepEqual(await records(place, 'orders'), [...(mode === 'dedup' ? [{ id: 1 }] : []), { id: 2, v: 'new' }])
  }
})

test('drafts that a crash has left are removed, and do not block a first sync', async () => {
  await using place = await temporarySchema('parquet')
  const draft = join(place.folder, 'orders', '.next-00000000-0000-4000-8000-000000000000')
  await mkdir(join(place.folder, 'orders'))
  await writeFile(draft, 'half a file')
  const orders = table('orders', 'overwrite')
  await during(place, (open) => open.commit(commit([write(orders, page([{ id: 1 }])), publish(orders)])))
  assert.ok(!existsSync(draft))
  assert.deepEqual(await records(place, 'orders'), [{ id: 1 }])
})

test('a folder that may not be created is named; inspecting creates nothing', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'file')
  await writeFile(file, 'mine')
  await assert.rejects(parquetDestination(file).open('shop'), { code: 'destinations/write-refused', message: /file/ })
  assert.deepEqual(await parquetDestination(join(folder.path, 'none')).inspect?.(''), [])
  assert.ok(!existsSync(join(folder.path, 'none')))
})

test('a file next to the folders of the tables is no table', async () => {
  await using folder = await temporaryFolder()
  await writeFile(join(folder.path, 'notes.txt'), 'mine')
  const { rows } = await parquetDestination(folder.path).query('SELECT 1 AS one', 1)
  assert.deepEqual(rows, [[1]])
})

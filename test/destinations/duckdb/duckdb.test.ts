/** DuckDB as a destination: what all destinations do, and what only a file of tables does. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { lookInto } from '../../../src/destinations/duckdb/database.ts'
import { duckdbDestination } from '../../../src/destinations/duckdb/duckdb.ts'
import { float, LongDecimal } from '../../../src/std/json.ts'
import { commit, during, page, publish, records, table, testBehaviours, write } from '../behaviours.ts'
import { isWhole } from '../../helpers/proof.ts'
import { query, temporaryFolder, temporarySchema } from './places.ts'

testBehaviours('DuckDB', () => temporarySchema('duckdb'))

const typesOf = (file: string, name: string) =>
  query(file, async (connection) => {
    const rows = await connection.runAndReadAll(
      `SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = $name`,
      { name },
    )
    return Object.fromEntries(rows.getRows()) as Record<string, string>
  })

test('columns have the types that the schema declares or the values show', async () => {
  await using place = await temporarySchema('duckdb')
  const properties = {
    day: { type: 'string', format: 'date' },
    instant: { type: 'string', format: 'date-time' },
    local: { type: 'string', format: 'date-time', airbyte_type: 'timestamp_without_timezone' },
    never: { type: ['null', 'boolean'] },
  }
  const kinds = table('kinds', 'overwrite', { schema: { properties } })
  const record = {
    day: '2024-02-29',
    instant: '2024-01-01T10:00:00.5+05:30',
    local: '0001-01-01 00:00',
    long: 2n ** 63n,
    deep: [1],
  }
  await during(place, (open) => open.commit(commit([write(kinds, page([record])), publish(kinds)])))
  const { _turnleaf_run, _turnleaf_slice, _turnleaf_page, ...types } = await typesOf(
    join(place.folder, 'shop.duckdb'),
    'kinds',
  )
  assert.deepEqual(types, {
    day: 'DATE',
    instant: 'TIMESTAMP WITH TIME ZONE',
    local: 'TIMESTAMP',
    never: 'BOOLEAN',
    long: 'VARCHAR',
    deep: 'JSON',
    _turnleaf_extracted_at: 'TIMESTAMP WITH TIME ZONE',
  })
  assert.deepEqual(await records(place, 'kinds'), [
    {
      day: '2024-02-29',
      instant: '2024-01-01T04:30:00.5Z',
      local: '0001-01-01 00:00:00',
      long: '9223372036854775808',
      deep: [1],
    },
  ])
})

for (const mode of ['overwrite', 'append', 'dedup'] as const) {
  test(`the columns of the records come before those of the table, with or without a schema: ${mode}`, async () => {
    await using place = await temporarySchema('duckdb')
    const found = table('found', mode, { primaryKey: [['id']] })
    await during(place, (open) => open.commit(commit([write(found, page([{ id: 1, name: 'a' }])), publish(found)])))
    assert.deepEqual(Object.keys(await typesOf(join(place.folder, 'shop.duckdb'), 'found')).slice(0, 2), ['id', 'name'])
  })
}

const time = { type: 'string', format: 'date-time' }
const widenings: readonly { name: string; schema?: object; values: readonly unknown[]; become: readonly unknown[] }[] =
  [
    { name: 'integers become fractions', values: [1, 0.5], become: [1, 0.5] },
    {
      name: 'long integers and fractions keep their digits',
      values: [2n ** 60n, 0.5],
      become: ['1152921504606846976', '0.5'],
    },
    {
      name: 'long decimals keep their digits',
      values: [1, 0.5, new LongDecimal('1234567890.123456789')],
      become: ['1', '0.5', '1234567890.123456789'],
    },
    {
      name: 'numbers become text by their shortest digits',
      values: [5, 0.1, 1e20, 1e-7, float(2), 'x'],
      become: ['5', '0.1', '1e+20', '1e-07', '2', 'x'],
    },
    { name: 'what is true becomes a text', values: [true, 'x'], become: ['true', 'x'] },
    {
      name: 'JSON becomes its text',
      values: [{ a: [float(2), 2n ** 60n] }, 'x'],
      become: ['{"a":[2.0,1152921504606846976]}', 'x'],
    },
    { name: 'nulls before numbers change nothing', values: [null, 7], become: [undefined, 7] },
    {
      name: 'instants become text in UTC',
      schema: time,
      values: ['2024-01-01T10:00:00+02:00', '2024-01-01 10:00:00.123456Z', '2024-02-30T00:00:00Z'],
      become: ['2024-01-01T08:00:00Z', '2024-01-01T10:00:00.123456Z', '2024-02-30T00:00:00Z'],
    },
    {
      name: 'days become text',
      schema: { type: 'string', format: 'date' },
      values: ['2024-01-01', 'n/a'],
      become: ['2024-01-01', 'n/a'],
    },
    {
      name: 'a first value decides where the schema was wrong',
      schema: { type: 'integer' },
      values: ['x', 5],
      become: ['x', '5'],
    },
  ]

for (const { name, schema, values, become } of widenings) {
  test(`${name}, in one commit or in many`, async () => {
    await using place = await temporarySchema('duckdb')
    const traits = { primaryKey: [['id']], schema: { properties: schema === undefined ? {} : { value: schema } } }
    const rows = values.map((value, id) => ({ id, value }))
    const [one, many, merged] = [
      table('one', 'append', traits),
      table('many', 'overwrite', traits),
      table('merged', 'dedup', traits),
    ]
    await during(place, async (open) => {
      await open.commit(commit([write(one, page(rows))]))
      for (const row of rows) {
        await open.commit(commit([write(many, page([row])), write(merged, page([row])), publish(merged)]))
      }
      await open.commit(commit([publish(many)]))
    })
    for (const { name: stream } of [one, many, merged]) {
      const found = (await records(place, stream))?.map(({ value }) => value)
      // Only in the commits of their own are values in a narrower column first.
      if (stream !== 'one' || schema === undefined) assert.deepEqual(found, become, stream)
    }
  })
}

test('long decimals are compared to the last digit', async () => {
  await using place = await temporarySchema('duckdb')
  const items = table('items', 'dedup', { primaryKey: [['id']], cursorField: 'at' })
  const at = (end: number) => new LongDecimal(`1234567890.12345678${end}`)
  const rows = [5, 9, 7].map((end) => ({ id: 1, at: at(end), end }))
  await during(place, (open) => open.commit(commit([write(items, page(rows)), publish(items)])))
  assert.deepEqual(
    (await records(place, 'items'))?.map(({ end }) => end),
    [9],
  )
})

test('fields whose names differ by case have a column each, in the table and in what is merged into it', async () => {
  await using place = await temporarySchema('duckdb')
  const items = table('items', 'dedup', { primaryKey: [['id']] })
  await during(place, async (open) => {
    await open.commit(commit([write(items, page([{ id: 1, Name: 'a', name: 'b' }])), publish(items)]))
    await open.commit(commit([write(items, page([{ id: 1, NAME: 'c', name: 'd' }])), publish(items)]))
  })
  assert.deepEqual(await records(place, 'items'), [{ id: 1, name_2: 'd', NAME_3: 'c' }])
})

test('a column that the user added stays empty, one that was dropped comes back, a dropped table is made again', async () => {
  await using place = await temporarySchema('duckdb')
  const file = join(place.folder, 'shop.duckdb')
  const [orders, users] = [table('orders', 'append'), table('users', 'append')]
  const both = commit([write(orders, page([{ id: 1, name: 'a' }])), write(users, page([{ id: 1 }]))])
  await during(place, (open) => open.commit(both))
  await query(file, async (connection) => {
    for (const sql of [
      'ALTER TABLE orders ADD COLUMN mine INTEGER DEFAULT 7',
      'ALTER TABLE orders DROP name',
      'DROP TABLE users',
    ]) {
      await connection.run(sql)
    }
  })
  await during(place, (open) => open.commit(both))
  assert.deepEqual(await records(place, 'orders'), [
    { id: 1, mine: 7 },
    { id: 1, name: 'a' },
  ])
  assert.deepEqual(await records(place, 'users'), [{ id: 1 }])
})

test('nested values are never written as a number or a time where a user gave their column such a type', async () => {
  for (const type of ['BIGINT', 'INTEGER', 'DOUBLE', 'BOOLEAN', 'DATE', 'TIMESTAMP']) {
    await using place = await temporarySchema('duckdb')
    const orders = table('orders', 'append')
    await during(place, (open) => open.commit(commit([write(orders, page([{ id: 1, data: [1] }]))])))
    await query(join(place.folder, 'shop.duckdb'), async (connection) => {
      await connection.run('ALTER TABLE orders DROP COLUMN data')
      await connection.run(`ALTER TABLE orders ADD COLUMN data ${type}`)
      await connection.run('ALTER TABLE orders ADD COLUMN seen BIGINT')
    })
    const written = during(place, (open) => open.commit(commit([write(orders, page([{ id: 2, data: { a: 12 } }]))])))
    await assert.rejects(written, /type mismatch.* got VARCHAR/, type)
    await during(place, (open) => open.commit(commit([write(orders, page([{ id: 3 }]))])))
    assert.deepEqual(await records(place, 'orders'), [{ id: 1 }, { id: 3 }])
  }
})

test('a file held by another process is refused with its number', async () => {
  await using place = await temporarySchema('duckdb')
  const program = fileURLToPath(new URL('keep-committing.js', import.meta.url))
  const child = spawn(process.execPath, [program, 'duckdb', place.folder, '1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    await once(child.stdout, 'data')
    const expected = { code: 'destinations/busy', message: new RegExp(`process ${child.pid}\\b`) }
    await assert.rejects(place.destination.open('shop'), expected)
    await assert.rejects(async () => await place.destination.inspect?.(''), expected)
  } finally {
    child.kill('SIGKILL')
    await ended
  }
  await during(place, (open) => open.commit(commit([])))
})

test('connections of one process share a file, and it stays closed to others until the last has ended', async () => {
  await using place = await temporarySchema('duckdb')
  const script = `import('@duckdb/node-api').then(({ DuckDBInstance }) => DuckDBInstance.create(process.argv[1])).then(() => console.log('free'), () => console.log('held'))`
  const look = () =>
    execFileSync(process.execPath, ['-e', script, join(place.folder, 'shop.duckdb')], { encoding: 'utf8' }).trim()
  const [shop, bank] = await Promise.all(['shop', 'bank'].map((connection) => place.destination.open(connection)))
  const orders = table('orders', 'append')
  await Promise.all([shop?.commit(commit([write(orders, page([{ id: 1 }]))])), bank?.commit(commit([], { a: '1' }))])
  await assert.rejects(async () => await bank?.commit(commit([write(orders, page([{ id: 1 }]))])), {
    code: 'destinations/table-taken',
  })
  assert.equal((await place.destination.inspect?.(''))?.length, 1)
  await shop?.close()
  assert.equal(look(), 'held')
  await bank?.close()
  assert.equal(look(), 'free')
})

test('a file that is opened while it closes is open', async () => {
  await using place = await temporarySchema('duckdb')
  const shop = await place.destination.open('shop')
  await shop.commit(commit([write(table('orders', 'append'), page([{ id: 1 }]))]))
  const [bank] = await Promise.all([place.destination.open('bank'), shop.close()])
  await bank.commit(commit([write(table('payments', 'append'), page([{ id: 2 }]))]))
  await bank.close()
  assert.deepEqual(await records(place, 'orders'), [{ id: 1 }])
  assert.deepEqual(await records(place, 'payments'), [{ id: 2 }])
})

test('a view of that name is not replaced, in any case and also where it cannot be read', async () => {
  await using place = await temporarySchema('duckdb')
  await query(join(place.folder, 'shop.duckdb'), async (connection) => {
    await connection.run('CREATE VIEW "Seen" AS SELECT 1 AS id')
    await connection.run('CREATE TABLE gone AS SELECT 1 AS id')
    await connection.run('CREATE VIEW "Broken" AS SELECT id FROM gone')
    await connection.run('DROP TABLE gone')
  })
  await during(place, async (open) => {
    for (const name of ['seen', 'broken']) {
      const written = open.commit(commit([write(table(name, 'append'), page([{ id: 2 }]))]))
      await assert.rejects(written, { code: 'destinations/table-taken' })
    }
  })
})

test('what is no DuckDB file is left alone', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'notes.txt')
  await writeFile(file, 'remember the milk\n'.repeat(1000))
  for (const open of [() => duckdbDestination(file).open('shop'), () => duckdbDestination(file).inspect?.('')]) {
    await assert.rejects(async () => await open(), { code: 'destinations/unreadable', message: /notes\.txt/ })
  }
})

test('missing folders are created; if that fails, it is reported; inspecting creates nothing', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'deep', 'er', 'main.duckdb')
  assert.deepEqual(await duckdbDestination(file).inspect?.(''), [])
  assert.ok(!existsSync(join(folder.path, 'deep')))
  await (await duckdbDestination(file).open('shop')).close()
  await assert.rejects(duckdbDestination(join(file, 'inside.duckdb')).open('shop'), {
    code: 'destinations/write-refused',
  })
})

test('tables are in the requested schema, also in files whose names are keywords of DuckDB', async () => {
  await using folder = await temporaryFolder()
  for (const name of ['main', 'temp', 'system', 'a.b', 'select', 'it’s "it"']) {
    const file = join(folder.path, `${name}.duckdb`)
    for (const schema of ['main', 'my "own"', name]) {
      const orders = table('orders', 'dedup', { primaryKey: [['id']] })
      const open = await duckdbDestination(file, { schema }).open('shop')
      await open.commit(commit([write(orders, page([{ id: 1 }, { id: 1 }])), publish(orders)]))
      await open.close()
    }
    const places = await query(file, async (connection) => {
      const rows = await connection.runAndReadAll(`SELECT schema_name FROM duckdb_tables() WHERE table_name = 'orders'`)
      return rows.getRows().flat()
    })
    assert.deepEqual(new Set(places), new Set(['main', 'my "own"', name]), name)
  }
})

test('a table of very many columns fits into the memory that DuckDB may use', async () => {
  await using place = await temporarySchema('duckdb')
  const wide = table('wide', 'overwrite')
  // More than the log may have before a checkpoint, and nothing that can be compressed.
  const [width, length, size, pages] = isWhole ? [1000, 750, 32, 4] : [300, 250, 96, 4]
  const pageOf = () => {
    const texts = randomBytes((width * length * size) / 2).toString('hex')
    const text = (row: number, column: number) => texts.slice((row * width + column) * size).slice(0, size)
    const recordOf = (row: number) =>
      Object.fromEntries(Array.from({ length: width }, (_, column) => [`c${column}`, text(row, column)]))
    return page(Array.from({ length }, (_, row) => recordOf(row)))
  }
  await during(place, async (open) => {
    for (let count = 0; count < pages; count++) await open.commit(commit([write(wide, pageOf())]))
    await open.commit(commit([publish(wide)]))
  })
  const file = join(place.folder, 'shop.duckdb')
  const [row] = await query(file, async (connection) =>
    (await connection.runAndReadAll(`SELECT count(*), count(DISTINCT c${width - 1}) FROM shop.wide`)).getRows(),
  )
  assert.deepEqual(row, [BigInt(length * pages), BigInt(length * pages)])
})

test('large rows that a killed process left in the log do not stop the next one', async () => {
  await using place = await temporaryFolder()
  const file = join(place.path, 'shop.duckdb')
  const program = fileURLToPath(new URL('killed-large.js', import.meta.url))
  const [, signal] = (await once(spawn(process.execPath, [program, file], { stdio: 'inherit' }), 'exit')) as unknown[]
  assert.equal(signal, 'SIGKILL')
  assert.ok(statSync(`${file}.wal`).size > 2 ** 20, 'the log is empty')
  // Small rows, of which there are enough for a checkpoint.
  const orders = table('orders', 'append')
  const open = await duckdbDestination(file).open('shop')
  for (let count = 0; count < 6; count++) {
    const rows = Array.from({ length: 20_000 }, () => ({ text: randomBytes(100).toString('hex') }))
    await open.commit(commit([write(orders, page(rows))]))
  }
  await open.close()
  const counted = await query(file, async (connection) =>
    (await connection.runAndReadAll('SELECT (SELECT count(*) FROM notes), (SELECT count(*) FROM orders)')).getRows(),
  )
  assert.deepEqual(counted, [[450n, 120_000n]])
})

/** Of a file that is open, in MiB. */
async function memoryLimit(file: string): Promise<number> {
  const setting = "SELECT current_setting('memory_limit') AS shown"
  const [limit] = (await lookInto(file, file, (session) => session.rows(setting))) ?? []
  return Number(/^([\d.]+) MiB$/.exec(String(limit?.shown))?.[1])
}

test('a merge with millions of rows may use more memory than a commit', async () => {
  await using place = await temporaryFolder()
  const file = join(place.path, 'shop.duckdb')
  const destination = duckdbDestination(file)
  const orders = table('orders', 'dedup', { primaryKey: [['id']] })
  const limitOfMerge = async (id: number) => {
    const open = await destination.open('shop')
    await open.commit(commit([write(orders, page([{ id }])), publish(orders)]))
    const limit = await memoryLimit(file)
    await open.close()
    return limit
  }
  assert.ok((await limitOfMerge(1)) < 80)
  await query(file, (connection) => connection.run('INSERT INTO orders (id) SELECT range FROM range(2, 3000002)'))
  assert.ok((await limitOfMerge(3)) > 110)
  const { rows } = await destination.query('SELECT count(*), count(DISTINCT id) FROM orders', 1)
  assert.deepEqual(rows, [[3_000_001, 3_000_001]])
})

test('where a process may use little memory, DuckDB leaves some for the rest of it', async (t) => {
  await using place = await temporaryFolder()
  const notes = table('notes', 'append')
  const large = { text: 'x'.repeat(1_000_000) }
  for (const [given, most] of [
    [512, 256],
    [1024, 512],
    [1500, 988],
  ] as const) {
    t.mock.method(process, 'constrainedMemory', () => given * 2 ** 20)
    const file = join(place.path, `${given}.duckdb`)
    const open = await duckdbDestination(file).open('shop')
    await open.commit(commit([write(notes, page([large]))]))
    assert.equal(Math.floor(await memoryLimit(file)), most)
    await open.close()
  }
})

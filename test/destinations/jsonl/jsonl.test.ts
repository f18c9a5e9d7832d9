/** Records and checkpoints in a folder of JSONL files after each commit. */
import assert from 'node:assert/strict'
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Commit, TablePage, OpenDestination, Step, Table } from '../../../src/destinations/destination.ts'
import { duckdbDestination } from '../../../src/destinations/duckdb/duckdb.ts'
import { jsonlDestination } from '../../../src/destinations/jsonl/jsonl.ts'
import type { JsonRecord } from '../../../src/engine/plan/plan.ts'
import { parseJson } from '../../../src/std/json.ts'

const root = await mkdtemp(join(tmpdir(), 'turnleaf-jsonl-'))
after(async () => await rm(root, { recursive: true }))
let folders = 0
const newFolder = () => join(root, `folder-${folders++}`)

const table = (given: Partial<Table> = {}): Table => ({
  name: 'orders',
  mode: 'overwrite',
  primaryKey: [['id']],
  cursorField: null,
  schema: null,
  ...given,
})
const page = (records: JsonRecord[], given: Partial<TablePage> = {}): TablePage => ({
  records,
  extractedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
  run: 'run-1',
  slice: '{}',
  page: 1,
  ...given,
})
const commitOf = (steps: Step[], notes: Record<string, string> = {}, forget: string[] = []): Commit => ({
  steps,
  forget,
  notes: new Map(Object.entries(notes)),
})
const write = (to: Table, ...pages: TablePage[]): Step => ({ kind: 'write', table: to, pages })
const publish = (of: Table): Step => ({ kind: 'publish', table: of })

async function rowsOf(folder: string, file = 'orders.jsonl'): Promise<JsonRecord[]> {
  const text = await readFile(join(folder, file), 'utf8')
  assert.ok(text === '' || text.endsWith('\n'))
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => parseJson(line).value as JsonRecord)
}
const idsOf = async (folder: string, file?: string) => (await rowsOf(folder, file)).map(({ id }) => id)

async function using(folder: string, use: (opened: OpenDestination) => Promise<void>, connection = 'shop') {
  const opened = await jsonlDestination(folder).open(connection)
  await use(opened).finally(() => opened.close())
}

test('a record is written as the API sent it, every digit, followed by its page', async () => {
  const folder = newFolder()
  const text =
    '{"id":9223372036854775808,"price":2.0,"name":"\\ud83d\\ude00\\u2028","deep":{"list":[1,null]},"__proto__":{"a":1}}'
  const orders = table()
  await using(folder, async (opened) => {
    await opened.commit(commitOf([write(orders, page([parseJson(text).value as JsonRecord, {}])), publish(orders)]))
  })
  const ends =
    '"_turnleaf_extracted_at":"2026-01-02T03:04:05.000Z","_turnleaf_run":"run-1","_turnleaf_slice":"{}","_turnleaf_page":1}'
  assert.equal(
    await readFile(join(folder, 'orders.jsonl'), 'utf8'),
    `{"id":9223372036854775808,"price":2.0,"name":"😀\u2028","deep":{"list":[1,null]},"__proto__":{"a":1},${ends}\n{${ends}\n`,
  )
})

test('a field of the record that is called as one of ours is kept under another name', async () => {
  const folder = newFolder()
  const orders = table({ mode: 'append' })
  const record = { _turnleaf_run: 'mine', _turnleaf_run_2: 'mine too' }
  await using(folder, async (opened) => {
    await opened.commit(commitOf([write(orders, page([record]))]))
  })
  const [row] = await rowsOf(folder)
  assert.equal(row?._turnleaf_run, 'run-1')
  assert.equal(row?._turnleaf_run_2, 'mine too')
  assert.equal(row?._turnleaf_run_3, 'mine')
})

const queried: Readonly<Record<string, string>> = {
  'long numbers, times and odd names': `[
    {"id":12345678901234567890123,"d":1234567890.123456789012,"at":"2026-02-04T18:00:00+02:00","on":"2026-02-04","z":"007",
     "o":{"a":[1]},"it's \\"odd\\" \\\\":1,"mixed":1,"constructor":true,"half":0.30000000000000004,"wide":18446744073709551615,
     "long":9007199254740993,"tiny":0.00001234567890123456,"none":{},"text":":1234567890123456789.5,","__proto__":"x"},
    {"id":2,"d":1.5,"at":"2026-02-05T18:00:00+02:00","z":"008","o":[],"half":-1.5e-7,"wide":-1,"long":-1,
     "text":"\\":1234567890123456789.5,","mixed":1234567890.123456789012},
    {"at":"2026-02-06","mixed":"a"}]`,
  'nothing that is long': `[
    {"id":1,"at":"2026-02-04T18:00:00+02:00","o":{"a":[1,{"b":null}]},"mixed":[1],"half":0.5,"u":"6f9619ff-8b86-d011-b42d-00cf4fc964ff"},
    {"id":-2,"t":"12:30:00","o":{},"mixed":"a","half":2}]`,
}

for (const [what, text] of Object.entries(queried)) {
  test(`a query gives what one of DuckDB gives: ${what}`, async () => {
    const folder = newFolder()
    await mkdir(folder, { recursive: true })
    const orders = table({ mode: 'append' })
    const [lines, rows] = await Promise.all(
      [jsonlDestination(folder), duckdbDestination(join(folder, 'shop.duckdb'))].map(async (destination) => {
        const opened = await destination.open('shop')
        const records = parseJson(text).value as JsonRecord[]
        await opened.commit(commitOf([write(orders, page(records)), publish(orders)]))
        await opened.close()
        const names = Object.keys(Object.assign({}, ...records.toReversed()))
        const all = [...names, '_turnleaf_extracted_at', '_turnleaf_page'].map(
          (name) => `"${name.replaceAll('"', '""')}"`,
        )
        const types = all.map((name) => `typeof(${name})`)
        return await destination.query(`SELECT ${[...all, ...types].join(', ')} FROM orders ORDER BY "at"`, 10)
      }),
    )
    assert.deepEqual(lines, rows)
  })
}

test('overwrite is seen when published, and replaces the table even with nothing', async () => {
  const folder = newFolder()
  const orders = table()
  await using(folder, async (opened) => {
    await opened.commit(commitOf([write(orders, page([{ id: 1 }]))]))
    await assert.rejects(readFile(join(folder, 'orders.jsonl')), { code: 'ENOENT' })
    await opened.commit(commitOf([write(orders, page([{ id: 2 }])), publish(orders)]))
    assert.deepEqual(await idsOf(folder), [1, 2])
    await opened.commit(commitOf([write(orders, page([{ id: 3 }]))]))
    assert.deepEqual(await idsOf(folder), [1, 2])
    await opened.commit(
      commitOf([{ kind: 'discard', table: orders }, write(orders, page([{ id: 4 }])), publish(orders)]),
    )
    assert.deepEqual(await idsOf(folder), [4])
    await opened.commit(commitOf([publish(orders)]))
    assert.deepEqual(await idsOf(folder), [])
  })
  assert.deepEqual(await readdir(join(folder, '_turnleaf', 'connections', 'shop', 'staged')), [])
})

test('append is seen at once', async () => {
  const folder = newFolder()
  const orders = table({ mode: 'append' })
  for (const id of [1, 2]) {
    await using(folder, async (opened) => {
      await opened.commit(commitOf([write(orders, page([{ id }]))]))
      await opened.commit(commitOf([write(orders, page([{ id: id + 10 }]), page([]))]))
      await opened.commit(commitOf([publish(orders)]))
    })
  }
  assert.deepEqual(await idsOf(folder), [1, 11, 2, 12])
})

test('dedup keeps the highest cursor, the last among equals, and every record without a key', async () => {
  const folder = newFolder()
  const orders = table({ mode: 'dedup', cursorField: 'at' })
  await using(folder, async (opened) => {
    const first = [
      { id: 1, at: 9, name: 'a' },
      { id: 2, at: 5 },
      { id: null, at: 1 },
      { id: 3, at: null },
    ]
    await opened.commit(commitOf([write(orders, page(first)), publish(orders)]))
    const second = [
      { id: 1, at: 10, name: 'b' },
      { id: 2, at: 4 },
      { at: 1 },
      { id: 3, at: null, name: 'c' },
      { id: 2, at: 5, name: 'd' },
    ]
    await opened.commit(commitOf([write(orders, page(second))]))
    assert.equal((await rowsOf(folder)).length, 4)
    await opened.commit(commitOf([publish(orders)]))
  })
  const rows = (await rowsOf(folder)).map(({ id, at, name }) => [id, at, name])
  assert.deepEqual(rows, [
    [null, 1, undefined],
    [1, 10, 'b'],
    [undefined, 1, undefined],
    [3, null, 'c'],
    [2, 5, 'd'],
  ])
})

test('rewind deletes a slice from a page on, of the runs named', async () => {
  for (const mode of ['append', 'overwrite'] as const) {
    const folder = newFolder()
    const orders = table({ mode })
    await using(folder, async (opened) => {
      const pages = [
        page([{ id: 1 }], { run: 'old', page: 2 }),
        page([{ id: 2 }], { page: 1 }),
        page([{ id: 3 }], { page: 2 }),
        page([{ id: 4 }], { page: 2, slice: '{"of":1}' }),
        page([{ id: 5 }], { page: 3 }),
      ]
      await opened.commit(commitOf([write(orders, ...pages)]))
      const rows = { slice: '{}', runs: ['run-1'], fromPage: 2 }
      await opened.commit(
        commitOf([{ kind: 'rewind', table: orders, rows }, write(orders, page([{ id: 6 }], { page: 2 }))]),
      )
      await opened.commit(commitOf([publish(orders)]))
    })
    assert.deepEqual(await idsOf(folder), [1, 2, 4, 6], mode)
  }
})

test('checkpoints are stored, deleted by prefix, and listed per connection', async () => {
  const folder = newFolder()
  assert.deepEqual(await jsonlDestination(folder).inspect?.(''), [])
  await using(folder, async (opened) => {
    await opened.commit(commitOf([], { 'a/1': 'x', 'a/2': 'y', ['__proto__']: 'z', 'b/\u{1f600}': '\ud800\n' }))
    await opened.commit(commitOf([], { 'a/3': 'w' }, ['a/']))
  })
  await using(folder, async (opened) => await opened.commit(commitOf([], { 'a/1': 'other' })), 'Shop/2')
  await using(folder, async (opened) => {
    assert.deepEqual([...(await opened.notes('a/'))], [['a/3', 'w']])
    assert.deepEqual(
      [...(await opened.notes(''))],
      [
        ['__proto__', 'z'],
        ['b/\u{1f600}', '\ud800\n'],
        ['a/3', 'w'],
      ],
    )
  })
  const found = (await jsonlDestination(folder).inspect?.('a/')) ?? []
  assert.deepEqual(
    found.toSorted((one, other) => (one.connection < other.connection ? -1 : 1)),
    [
      { connection: 'Shop/2', key: 'a/1', text: 'other' },
      { connection: 'shop', key: 'a/3', text: 'w' },
    ],
  )
})

test('names that a file system folds, refuses or takes for a path become files of their own', async () => {
  const folder = newFolder()
  const names = [
    'Orders',
    'orders',
    '../orders',
    'a/b',
    'a_b',
    '.',
    '..',
    '',
    'CON',
    '😀',
    'x'.repeat(300),
    `${'x'.repeat(300)}y`,
    '__proto__',
    '_turnleaf',
    'select',
  ]
  for (let round = 1; round <= 2; round++) {
    await using(folder, async (opened) => {
      for (const [id, name] of names.entries()) {
        const one = table({ name })
        await opened.commit(commitOf([write(one, page([{ id, round }])), publish(one)]))
      }
    })
  }
  const files = (await readdir(folder)).filter((name) => name !== '_turnleaf')
  assert.equal(files.length, names.length)
  assert.equal(new Set(files.map((name) => name.toLowerCase())).size, names.length)
  assert.ok(files.every((name) => Buffer.byteLength(name) <= 255))
  for (const name of ['Orders.jsonl', 'orders_2.jsonl', '😀.jsonl', 'a_b.jsonl', 'a_b_2.jsonl', '__proto__.jsonl'])
    assert.ok(files.includes(name), name)
  const rows = await Promise.all(files.map(async (file) => (await rowsOf(folder, file))[0]))
  assert.deepEqual(
    rows.map((row) => row?.id as number).toSorted((one, other) => one - other),
    [...names.keys()],
  )
  assert.ok(rows.every((row) => row?.round === 2))
})

test('a file that no sync has made, or another connection, is left alone', async () => {
  const folder = newFolder()
  await mkdir(folder)
  await writeFile(join(folder, 'orders.jsonl'), 'mine')
  await using(folder, async (opened) => {
    const taken = { code: 'destinations/table-taken' }
    await assert.rejects(opened.commit(commitOf([write(table(), page([{ id: 1 }]))])), taken)
    const users = table({ name: 'users' })
    await opened.commit(commitOf([write(users, page([{ id: 1 }])), publish(users)]))
    await using(folder, async (other) => await assert.rejects(other.commit(commitOf([publish(users)])), taken), 'other')
  })
  assert.equal(await readFile(join(folder, 'orders.jsonl'), 'utf8'), 'mine')
  assert.deepEqual(await idsOf(folder, 'users.jsonl'), [1])
})

test('lines that a user added are never dropped, and a shorter file is reported', async () => {
  const folder = newFolder()
  const file = join(folder, 'orders.jsonl')
  const orders = table({ mode: 'append' })
  const add = async (opened: OpenDestination) => await opened.commit(commitOf([write(orders, page([{ id: 1 }]))]))
  await using(folder, add)
  await appendFile(file, '{"id":"mine"}\n')
  const whole = await readFile(file, 'utf8')
  await using(folder, async (opened) => {
    await assert.rejects(add(opened), {
      code: 'destinations/unreadable',
      message: /changed by something else/,
      hint: /Move what follows byte/,
    })
    await assert.rejects(opened.commit(commitOf([publish(table())])), { code: 'destinations/unreadable' })
  })
  assert.equal(await readFile(file, 'utf8'), whole)
  await truncate(file, 3)
  await using(folder, async (opened) => {
    await assert.rejects(add(opened), { code: 'destinations/unreadable' })
    await opened.commit(commitOf([publish(table())]))
  })
  assert.deepEqual(await idsOf(folder), [])
})

test('after a kill during an append our lines are deleted, and lines that a user added since stay', async () => {
  const folder = newFolder()
  const orders = table({ mode: 'append' })
  const add = async (opened: OpenDestination) => await opened.commit(commitOf([write(orders, page([{ id: 1 }]))]))
  const ours = '{"id":2,"_turnleaf_page":1}\n'
  const theirs = '{"id":"mine"}\n'
  const cases: [string, boolean][] = [
    ['{"id":2', true],
    [`${ours}{"id":3`, true],
    ['\u0000\u0000\u0000', true],
    [`${ours}${theirs}`, false],
    [`{"id":3${theirs}`, false],
  ]
  await using(folder, async (opened) => {
    await add(opened)
    await add(opened)
    for (const [tail, isCut] of cases) {
      const killed = newFolder()
      await cp(folder, killed, { recursive: true })
      await rm(join(killed, '_turnleaf', 'connections', 'shop', 'lock-1'))
      await appendFile(join(killed, 'orders.jsonl'), tail)
      const changed = await readFile(join(killed, 'orders.jsonl'), 'utf8')
      await using(killed, async (next) => {
        if (isCut) return await add(next)
        await assert.rejects(add(next), { code: 'destinations/unreadable' })
        assert.equal(await readFile(join(killed, 'orders.jsonl'), 'utf8'), changed)
      })
      if (isCut) assert.deepEqual(await idsOf(killed), [1, 1, 1], tail)
    }
  })
})

test('a line that was damaged is reported when it is needed', async () => {
  const folder = newFolder()
  const orders = table({ mode: 'dedup' })
  const merge = commitOf([write(orders, page([{ id: 1 }])), publish(orders)])
  await using(folder, async (opened) => await opened.commit(merge))
  const text = await readFile(join(folder, 'orders.jsonl'), 'utf8')
  await writeFile(join(folder, 'orders.jsonl'), text.replace('{', '['))
  await using(folder, async (opened) => {
    await assert.rejects(opened.commit(merge), {
      code: 'destinations/unreadable',
      message: /orders\.jsonl .*no sync has written/,
    })
  })
})

test('a published file that cannot get its name gets it from the next process', async () => {
  const folder = newFolder()
  const file = join(folder, 'orders.jsonl')
  const orders = table()
  const text = 'x'.repeat(100_000)
  await using(folder, async (opened) => {
    await opened.commit(commitOf([write(orders, page([{ id: 1, text }])), publish(orders)]))
    await rm(file)
    await mkdir(file)
    const published = opened.commit(commitOf([write(orders, page([{ id: 2 }])), publish(orders)], { page: '2' }))
    await assert.rejects(published, { code: 'destinations/write-refused', message: /orders\.jsonl .*EISDIR/ })
    await assert.rejects(opened.commit(commitOf([])), { code: 'destinations/lost' })
  })
  await assert.rejects(jsonlDestination(folder).open('shop'), { code: 'destinations/write-refused' })
  await rm(file, { recursive: true })
  await using(folder, async (opened) => assert.equal((await opened.notes('')).get('page'), '2'))
  assert.deepEqual(await idsOf(folder), [2])
})

test('staged rows that were removed can be dropped, and not published', async () => {
  const folder = newFolder()
  const orders = table()
  await using(folder, async (opened) => await opened.commit(commitOf([write(orders, page([{ id: 1 }]))])))
  await rm(join(folder, '_turnleaf', 'connections', 'shop', 'staged'), { recursive: true })
  await using(folder, async (opened) => {
    const unreadable = { code: 'destinations/unreadable', message: /is gone/ }
    await assert.rejects(opened.commit(commitOf([write(orders, page([{ id: 2 }]))])), unreadable)
    await assert.rejects(opened.commit(commitOf([publish(orders)])), unreadable)
    const again = [write(orders, page([{ id: 3 }])), publish(orders)]
    await opened.commit(commitOf([{ kind: 'discard', table: orders }, ...again]))
  })
  assert.deepEqual(await idsOf(folder), [3])
})

test('thousands of slices are rewound in one pass', async () => {
  const folder = newFolder()
  const orders = table({ mode: 'append' })
  const slices = Array.from({ length: 3000 }, (_, index) => JSON.stringify({ '"_turnleaf_run":': index }))
  await using(folder, async (opened) => {
    const pages = slices.map((slice, id) => page([{ id }], { slice, page: (id % 2) + 1 }))
    await opened.commit(commitOf([write(orders, ...pages)]))
    const rewinds = slices.map(
      (slice): Step => ({ kind: 'rewind', table: orders, rows: { slice, runs: ['run-1'], fromPage: 2 } }),
    )
    await opened.commit(commitOf(rewinds))
  })
  const ids = await idsOf(folder)
  assert.equal(ids.length, 1500)
  assert.ok(ids.every((id) => (id as number) % 2 === 0))
})

test('a second sync of the same connection is refused, one of another is not', async () => {
  const folder = newFolder()
  await using(folder, async () => {
    await assert.rejects(jsonlDestination(folder).open('shop'), {
      code: 'destinations/busy',
      message: new RegExp(`${process.pid}`),
    })
    await using(folder, async () => {}, 'other')
  })
  await using(folder, async () => {})
})

/** What every destination does, whatever it writes to: one table of tests, run by the test of each. */
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type {
  Commit,
  Destination,
  TablePage,
  OpenDestination,
  Step,
  Table,
} from '../../src/destinations/destination.ts'
import type { JsonRecord } from '../../src/engine/plan/plan.ts'
import { LongDecimal } from '../../src/std/json.ts'

/** A separate destination for one test, and a way to read what it wrote without using it. */
export interface Place extends AsyncDisposable {
  readonly destination: Destination
  /** What the tables are called that hold records; none that is staged. */
  tables(): Promise<readonly string[]>
  /**
   * The rows of a table; null when it is not there. Fields that are null are left out, JSON is parsed, instants are
   * strings in UTC: `2024-01-01T10:00:00Z`. Integers are numbers or, when they are too long for one, bigints.
   */
  rows(table: string): Promise<readonly JsonRecord[] | null>
  /** Creates a table as another program would, with the name of a stream. */
  makeForeign(table: string): Promise<void>
  /** Deletes a table as a user would. */
  drop(table: string): Promise<void>
  /** Deletes what is staged for a table. */
  dropStaged(table: string): Promise<void>
}

export const table = (name: string, mode: Table['mode'], more: Partial<Table> = {}): Table => ({
  name,
  mode,
  primaryKey: [],
  cursorField: null,
  schema: null,
  ...more,
})

export const page = (rows: readonly JsonRecord[], more: Partial<TablePage> = {}): TablePage => ({
  records: rows,
  extractedAt: Date.UTC(2024, 0, 1),
  run: 'run-1',
  slice: '{}',
  page: 1,
  ...more,
})

export const write = (into: Table, ...pages: readonly TablePage[]): Step => ({ kind: 'write', table: into, pages })
export const publish = (done: Table): Step => ({ kind: 'publish', table: done })

export function commit(
  steps: readonly Step[],
  notes: Readonly<Record<string, string>> = {},
  forget: readonly string[] = [],
): Commit {
  return { steps, forget, notes: new Map(Object.entries(notes)) }
}

/** Opens, does, closes: also when what is done fails. */
export async function during<Result>(
  { destination }: Place,
  work: (open: OpenDestination) => Promise<Result>,
  connection = 'shop',
): Promise<Result> {
  const open = await destination.open(connection)
  try {
    return await work(open)
  } finally {
    await open.close()
  }
}

/** The records of a table without the columns that it has of its own, by `id`. */
export async function records(place: Place, name: string): Promise<readonly JsonRecord[] | null> {
  const rows = await place.rows(name)
  if (rows === null) return null
  const bare = rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([field]) => !field.startsWith('_turnleaf_'))),
  )
  return bare.toSorted((one, other) => Number(one.id ?? 0) - Number(other.id ?? 0))
}

const long = (text: string) => new LongDecimal(text)

const ids = async (place: Place, name: string) => (await records(place, name))?.map(({ id }) => id) ?? null

const hasCode = (code: string) => (error: unknown) => error instanceof Error && 'code' in error && error.code === code

const behaviours: Readonly<Record<string, (place: Place) => Promise<void>>> = {
  async 'rows say when they were read, by which run, of which slice and page'(place) {
    const orders = table('orders', 'append')
    const landed = page([{ id: 1 }], { slice: '{"shop":"a"}', page: 3 })
    await during(place, (open) => open.commit(commit([write(orders, landed), publish(orders)])))
    assert.deepEqual(await place.rows('orders'), [
      {
        id: 1,
        _turnleaf_extracted_at: '2024-01-01T00:00:00Z',
        _turnleaf_run: 'run-1',
        _turnleaf_slice: '{"shop":"a"}',
        _turnleaf_page: 3,
      },
    ])
  },

  async 'values come back as they were sent'(place) {
    const kinds = table('kinds', 'append')
    const sent: JsonRecord[] = [
      {
        id: 1,
        text: 'a',
        yes: true,
        whole: 7,
        long: 2n ** 62n,
        broken: 0.1,
        list: [1, [2]],
        object: { a: { b: null } },
      },
      { id: 2, text: '', yes: false, whole: -7, long: -(2n ** 63n), broken: 1e-300, list: [], object: {} },
      { id: 3, text: '💚 ünï\n"\'\\', object: { '"': "'" } },
      { id: 4 },
    ]
    await during(place, (open) => open.commit(commit([write(kinds, page(sent)), publish(kinds)])))
    assert.deepEqual(await records(place, 'kinds'), sent)
  },

  async 'decimals keep every digit, after doubles and before text'(place) {
    const prices = table('prices', 'append', { schema: { properties: { price: { type: 'number' } } } })
    const endless = long(`0.${'123456789'.repeat(3_000)}`)
    const [price, deep] = [long('1234567890.123456789'), { list: [long('-0.12345678901234567891')] }]
    await during(place, async (open) => {
      await open.commit(commit([write(prices, page([{ id: 1, price: 0.1 + 0.2, mixed: 0.5 }]))]))
      const later = [
        { id: 2, price, deep, mixed: long('0.12345678901234567891') },
        { id: 3, price: long(`-${'9'.repeat(60)}.${'9'.repeat(60)}`) },
        { id: 4, price: 2n ** 70n, mixed: 'text' },
        { id: 5, endless },
        { id: 6, endless: 1 },
      ]
      await open.commit(commit([write(prices, page(later)), publish(prices)]))
    })
    const rows = (await records(place, 'prices')) ?? []
    const expected = ['0.30000000000000004', price.digits, `-${'9'.repeat(60)}.${'9'.repeat(60)}`, String(2n ** 70n)]
    assert.deepEqual(
      rows.slice(0, 4).map((row) => String(row.price)),
      expected,
    )
    assert.deepEqual(
      rows.slice(0, 4).map((row) => String(row.mixed)),
      ['0.5', '0.12345678901234567891', 'undefined', 'text'],
    )
    assert.deepEqual(rows[1]?.deep, deep)
    assert.deepEqual([rows[4]?.endless, rows[5]?.endless].map(String), [endless.digits, '1'])
  },

  async 'an overwritten table changes when it is published, and not before'(place) {
    const orders = table('orders', 'overwrite')
    await during(place, (open) => open.commit(commit([write(orders, page([{ id: 1 }, { id: 2 }])), publish(orders)])))
    await during(place, (open) => open.commit(commit([write(orders, page([{ id: 3 }]))])))
    assert.deepEqual(await ids(place, 'orders'), [1, 2])
    await during(place, (open) => open.commit(commit([write(orders, page([{ id: 4 }]))])))
    assert.deepEqual(await ids(place, 'orders'), [1, 2])
    await during(place, (open) => open.commit(commit([publish(orders)])))
    assert.deepEqual(await ids(place, 'orders'), [3, 4])
  },

  async 'a table that is overwritten with nothing is there, and empty'(place) {
    const orders = table('orders', 'overwrite', { schema: { properties: { id: { type: 'integer' } } } })
    await during(place, async (open) => {
      await open.commit(commit([write(orders, page([{ id: 1 }])), publish(orders)]))
      await open.commit(commit([publish(orders)]))
    })
    assert.deepEqual(await place.rows('orders'), [])
  },

  async 'a published table that never had a record is there, whatever the mode'(place) {
    for (const mode of ['overwrite', 'append', 'dedup'] as const) {
      const empty = table(mode, mode, { primaryKey: [['id']] })
      await during(place, (open) => open.commit(commit([write(empty), write(empty, page([])), publish(empty)])))
      assert.deepEqual(await place.rows(mode), [], mode)
    }
  },

  async 'what is discarded is gone, and the table stays'(place) {
    const orders = table('orders', 'overwrite')
    await during(place, async (open) => {
      await open.commit(commit([{ kind: 'discard', table: orders }]))
      await open.commit(commit([write(orders, page([{ id: 1 }])), publish(orders)]))
      await open.commit(commit([write(orders, page([{ id: 2 }]))]))
      await open.commit(commit([{ kind: 'discard', table: orders }, write(orders, page([{ id: 3 }]))]))
    })
    assert.deepEqual(await ids(place, 'orders'), [1])
    await during(place, (open) => open.commit(commit([publish(orders)])))
    assert.deepEqual(await ids(place, 'orders'), [3])
  },

  async 'a table that a user deleted is gone, until its stream starts over'(place) {
    const isGone = (name: string) => during(place, async (open) => await open.isGone?.(name))
    for (const mode of ['append', 'dedup', 'overwrite'] as const) {
      const name = `${mode} orders`
      const orders = table(name, mode, { primaryKey: [['id']] })
      assert.equal(await isGone(name), false)
      await during(place, (open) => open.commit(commit([write(orders, page([{ id: 1 }])), publish(orders)])))
      assert.equal(await isGone(name), false)
      await place.drop(name)
      assert.equal(await isGone(name), true)
      assert.equal(await isGone(name), true)
      await during(place, async (open) => {
        assert.equal(await open.isGone?.(name), true)
        await open.commit(commit([{ kind: 'discard', table: orders }]))
        await open.commit(commit([write(orders, page([{ id: 2 }]))]))
        await open.commit(commit([write(orders, page([{ id: 3 }])), publish(orders)]))
        assert.equal(await open.isGone?.(name), false)
      })
      assert.equal(await isGone(name), false)
      assert.deepEqual(await ids(place, name), [2, 3])
    }
  },

  async 'staged rows that a user deleted are gone, until they are discarded'(place) {
    const isGone = (name: string) => during(place, async (open) => await open.isStagedGone?.(name))
    for (const mode of ['overwrite', 'dedup'] as const) {
      const name = `${mode} orders`
      const orders = table(name, mode, { primaryKey: [['id']] })
      assert.equal(await isGone(name), false)
      await during(place, (open) => open.commit(commit([write(orders, page([{ id: 1 }])), publish(orders)])))
      await during(place, (open) => open.commit(commit([write(orders, page([{ id: 2 }]))])))
      assert.equal(await isGone(name), false)
      await place.dropStaged(name)
      assert.equal(await isGone(name), true)
      await during(place, async (open) => {
        await open.commit(commit([{ kind: 'discard', table: orders }, write(orders, page([{ id: 3 }]))]))
        assert.equal(await open.isStagedGone?.(name), false)
        await open.commit(commit([publish(orders)]))
      })
      assert.deepEqual(await ids(place, name), mode === 'dedup' ? [1, 3] : [3])
    }
  },

  async 'a table without rows is there, and one that was never published is not gone'(place) {
    const [empty, staged] = [table('empty', 'dedup', { primaryKey: [['id']] }), table('staged', 'overwrite')]
    await during(place, (open) => open.commit(commit([publish(empty), write(staged, page([{ id: 1 }]))])))
    await during(place, async (open) => {
      assert.equal(await open.isGone?.('empty'), false)
      assert.equal(await open.isGone?.('staged'), false)
    })
  },

  async 'reads that are appended add up'(place) {
    const orders = table('orders', 'append')
    await during(place, async (open) => {
      await open.commit(commit([write(orders, page([{ id: 1 }]))]))
      await open.commit(commit([write(orders, page([{ id: 2 }])), publish(orders)]))
    })
    await during(place, (open) => open.commit(commit([write(orders, page([{ id: 2, more: 'x' }])), publish(orders)])))
    assert.deepEqual(
      (await records(place, 'orders'))?.toSorted((one, other) => Object.keys(one).length - Object.keys(other).length),
      [{ id: 1 }, { id: 2 }, { id: 2, more: 'x' }],
    )
  },

  async 'rows are deleted from a page on, those of other slices and runs stay'(place) {
    for (const mode of ['overwrite', 'append'] as const) {
      const orders = table(`${mode}_orders`, mode)
      const read = (id: number, more: Partial<TablePage>) => page([{ id }], more)
      await during(place, (open) =>
        open.commit(
          commit([
            write(orders, read(1, { page: 1 }), read(2, { page: 2 }), read(3, { page: 3 })),
            write(orders, read(4, { page: 2, slice: '{"a":1}' }), read(5, { page: 2, run: 'run-0' })),
          ]),
        ),
      )
      const rows = { slice: '{}', runs: ['run-1', 'run-2'], fromPage: 2 }
      await during(place, async (open) => {
        await open.commit(
          commit([
            { kind: 'rewind', table: orders, rows },
            // Wider than before, in the commit that takes rows away.
            write(
              orders,
              page(
                [
                  { id: 6, size: 1 },
                  { id: 7, size: 'L' },
                ],
                { page: 2, run: 'run-2' },
              ),
            ),
          ]),
        )
        await open.commit(commit([{ kind: 'rewind', table: orders, rows: { ...rows, fromPage: 9 } }, publish(orders)]))
      })
      assert.deepEqual(await ids(place, orders.name), [1, 4, 5, 6, 7], mode)
    }
  },

  async 'a rewind before anything was written changes nothing'(place) {
    const orders = table('orders', 'append')
    const rows = { slice: '{}', runs: [], fromPage: 1 }
    await during(place, (open) =>
      open.commit(commit([{ kind: 'rewind', table: orders, rows }, write(orders, page([{ id: 1 }])), publish(orders)])),
    )
    assert.deepEqual(await ids(place, 'orders'), [1])
  },

  async 'a whole read fits into one commit: rewound, written, published, and begun again'(place) {
    const orders = table('orders', 'overwrite')
    await during(place, async (open) => {
      await open.commit(commit([write(orders, page([{ id: 1 }]), page([{ id: 2 }], { page: 2 }))]))
      await open.commit(
        commit([
          { kind: 'rewind', table: orders, rows: { slice: '{}', runs: ['run-1'], fromPage: 2 } },
          write(orders, page([{ id: 3, name: 'c' }], { page: 2 })),
          publish(orders),
          write(orders, page([{ id: 4 }])),
        ]),
      )
    })
    assert.deepEqual(await records(place, 'orders'), [{ id: 1 }, { id: 3, name: 'c' }])
    await during(place, (open) => open.commit(commit([publish(orders)])))
    assert.deepEqual(await records(place, 'orders'), [{ id: 4 }])
  },

  async 'of rows with one key the highest cursor stays, among equals the last, and no cursor loses'(place) {
    const items = table('items', 'dedup', { primaryKey: [['id']], cursorField: 'at' })
    const sync = (...pages: JsonRecord[][]) =>
      during(place, (open) => open.commit(commit([write(items, ...pages.map((one) => page(one))), publish(items)])))
    await sync(
      [
        { id: 1, at: 9, v: 'a' },
        { id: 2, at: 5, v: 'a' },
        { id: 3, v: 'a' },
        { id: 4, at: 1, v: 'a' },
      ],
      [
        { id: 1, at: 10, v: 'b' },
        { id: 2, at: 5, v: 'b' },
        { id: 3, v: 'b' },
        { id: 4, v: 'b' },
      ],
    )
    assert.deepEqual(
      (await records(place, 'items'))?.map(({ v }) => v),
      ['b', 'b', 'b', 'a'],
    )
    await sync([
      { id: 1, at: 9, v: 'c' },
      { id: 2, at: 5, v: 'c' },
      { id: 3, at: 0, v: 'c' },
      { id: 4, v: 'c' },
      { id: 5, v: 'c' },
    ])
    assert.deepEqual(
      (await records(place, 'items'))?.map(({ v }) => v),
      ['b', 'c', 'c', 'a', 'c'],
    )
  },

  async 'without a cursor the row that came last stays'(place) {
    const items = table('items', 'dedup', { primaryKey: [['id']] })
    await during(place, async (open) => {
      await open.commit(commit([write(items, page([{ id: 1, v: 'a' }])), publish(items)]))
      await open.commit(
        commit([
          write(
            items,
            page([
              { id: 1, v: 'c' },
              { id: 2, v: 'c' },
            ]),
          ),
        ]),
      )
      await open.commit(commit([write(items, page([{ id: 1, v: 'b' }])), publish(items)]))
    })
    assert.deepEqual(await records(place, 'items'), [
      { id: 1, v: 'b' },
      { id: 2, v: 'c' },
    ])
  },

  async 'a row without its key is kept, never merged'(place) {
    const items = table('items', 'dedup', { primaryKey: [['id'], ['part']], cursorField: 'at' })
    const rows = [
      { id: 1, at: 1 },
      { id: 1, at: 1 },
      { id: 1, part: 'a', at: 1 },
      { id: 1, part: 'b', at: 1 },
      { at: 1 },
    ]
    await during(place, async (open) => {
      await open.commit(commit([write(items, page(rows)), publish(items)]))
      await open.commit(commit([write(items, page(rows)), publish(items)]))
    })
    assert.equal((await records(place, 'items'))?.length, 8)
  },

  async 'a key may be inside an object'(place) {
    const items = table('items', 'dedup', { primaryKey: [['head', 'a/b~"c']] })
    const item = (key: unknown, id: number) => ({ id, head: { 'a/b~"c': key, v: id } })
    await during(place, async (open) => {
      await open.commit(commit([write(items, page([item('x', 1), item('y', 2), item(null, 3)])), publish(items)]))
      await open.commit(
        commit([write(items, page([item('x', 4), item(null, 5), { id: 6, head: 'none' }])), publish(items)]),
      )
    })
    assert.deepEqual(await ids(place, 'items'), [2, 3, 4, 5, 6])
  },

  async 'cursors are compared as what they are: long integers to the last digit'(place) {
    const items = table('items', 'dedup', { primaryKey: [['id']], cursorField: 'at' })
    const high = 2n ** 64n
    await during(place, async (open) => {
      await open.commit(
        commit([
          write(
            items,
            page([
              { id: 1, at: high + 1n, v: 'a' },
              { id: 2, at: 9, v: 'a' },
            ]),
          ),
          publish(items),
        ]),
      )
      await open.commit(
        commit([
          write(
            items,
            page([
              { id: 1, at: high, v: 'b' },
              { id: 2, at: 10.5, v: 'b' },
            ]),
          ),
          publish(items),
        ]),
      )
    })
    assert.deepEqual(
      (await records(place, 'items'))?.map(({ v }) => v),
      ['a', 'b'],
    )
  },

  async 'cursors are compared as what they are: decimals to the last digit'(place) {
    const items = table('items', 'dedup', { primaryKey: [['id']], cursorField: 'at' })
    const pairs: [higher: unknown, lower: unknown][] = [
      [long('0.12345678901234567891'), long('0.1234567890123456789')],
      [long('-0.1234567890123456789'), long('-0.12345678901234567891')],
      [long('10.00000000000000000001'), long('9.99999999999999999999')],
      [long('12345678901234567.89'), 12345678901234567n],
      [12345678901234568n, long('12345678901234567.89')],
      [0.1, long('0.09999999999999999999')],
      [long('0.00000100000000000000001'), 1e-6],
      [1e300, long('999999999999999.9999')],
    ]
    await assertHigherWin(place, items, pairs)
  },

  async 'cursors are compared as what they are: times in text as instants, digits in text as numbers'(place) {
    const items = table('items', 'dedup', { primaryKey: [['id']], cursorField: 'at' })
    await assertHigherWin(place, items, [
      ['2024-01-01T09:30:00+0000', '2024-01-01T10:00:00+0200'],
      ['2024-01-01T09:30:00Z', '2024-01-01T10:00:00 +02'],
      ['2024-01-01T04:30-05:30', '2024-01-01 09:59:59Z'],
      ['2024-01-01T10:00:00.500Z', '2024-01-01T10:00:00Z'],
      ['2024-01-01T10:00:00.0000000001Z', '2024-01-01T10:00:00Z'],
      ['2024-01-01T10:00:01', '2024-01-01 10:00:00.999'],
      ['2024-01-01T00:00:01+00:00', '2024-01-01'],
      ['2024-02-29T23:59-15:59', '2024-03-01T15:57Z'],
      ['9999-12-31T00:00:00Z', '2024-01-01T00:00:00+01:00'],
      ['2024-01-01T00:00:00+01:00', '0001-01-01T00:00:00Z'],
      ['1000000000', '999999999'],
      ['1000000000.5', '999999999.75'],
      ['1000000000.75', '1000000000.5'],
      ['2023-02-30T10:00:00Z', '2023-02-30T09:00:00Z'],
      ['2023-02-29', '2023-02-28T10:00:00Z'],
      ['0000-00-00', ''],
      ['b', 'a'],
    ])
  },

  async 'cursors in text that are the same time, or the same number, are equal: the last one wins'(place) {
    const items = table('items', 'dedup', { primaryKey: [['id']], cursorField: 'at' })
    const [first, last] = [
      ['2024-01-01T10:00:00.500+02:00', '007', '2024-01-01T00:00'],
      ['2024-01-01T08:00:00.5', '7', '2024-01-01'],
    ].map((cursors, v) => cursors.map((at, id) => ({ id, at, v })))
    await during(place, async (open) => {
      for (const rows of [first, last]) await open.commit(commit([write(items, page(rows ?? [])), publish(items)]))
    })
    assert.deepEqual(
      (await records(place, 'items'))?.map(({ v }) => v),
      [1, 1, 1],
    )
  },

  async 'decimals are the same key when they are the same number'(place) {
    const items = table('items', 'dedup', { primaryKey: [['key']] })
    const keys = [long('0.1234567890123456789'), long('0.12345678901234567891'), 12345678901234567n, 0.5]
    const again = [long('0.1234567890123456789'), long('12345678901234567.0')]
    await during(place, async (open) => {
      for (const read of [keys, again]) {
        const rows = read.map((key, index) => ({ id: index, key, read: read.length }))
        await open.commit(commit([write(items, page(rows)), publish(items)]))
      }
    })
    assert.deepEqual((await records(place, 'items'))?.map(({ read }) => read).toSorted(), [2, 2, 4, 4])
  },

  async 'a table that was appended to is made distinct when it is first merged into'(place) {
    const appended = table('items', 'append')
    const merged = table('items', 'dedup', { primaryKey: [['id']] })
    const write1 = write(
      appended,
      page([
        { id: 1, v: 'a' },
        { id: 1, v: 'b' },
        { id: 2, v: 'a' },
      ]),
    )
    await during(place, (open) => open.commit(commit([write1, publish(appended)])))
    await during(place, (open) => open.commit(commit([write(merged, page([{ id: 2, v: 'b' }])), publish(merged)])))
    assert.deepEqual(await records(place, 'items'), [
      { id: 1, v: 'b' },
      { id: 2, v: 'b' },
    ])
  },

  async 'notes are kept, changed, and forgotten by how they begin'(place) {
    await during(place, async (open) => {
      await open.commit(commit([], { 'a/1': '1', 'a/2': '2', b: '{"😀":"\'"}' }))
      await open.commit(commit([], { 'a/2': '3', 'a/3': '4' }, ['a/']))
      assert.deepEqual(Object.fromEntries(await open.notes('a')), { 'a/2': '3', 'a/3': '4' })
    })
    await during(place, async (open) => {
      assert.deepEqual(Object.fromEntries(await open.notes('')), { 'a/2': '3', 'a/3': '4', b: '{"😀":"\'"}' })
      assert.deepEqual(Object.fromEntries(await open.notes('c')), {})
    })
  },

  async 'notes belong to their connection, and inspecting shows those of all'(place) {
    assert.deepEqual(await place.destination.inspect?.('run/'), [])
    await during(place, (open) => open.commit(commit([], { 'run/1': '1', other: '' })))
    await during(place, (open) => open.commit(commit([], { 'run/1': '2' })), 'bank')
    await during(place, async (open) => assert.deepEqual([...(await open.notes('run/'))], [['run/1', '1']]))
    assert.deepEqual(await place.destination.inspect?.('run/'), [
      { connection: 'bank', key: 'run/1', text: '2' },
      { connection: 'shop', key: 'run/1', text: '1' },
    ])
  },

  async 'a commit that fails leaves nothing, and the next one may succeed'(place) {
    await place.makeForeign('taken')
    const [orders, taken] = [table('orders', 'append'), table('taken', 'overwrite')]
    await during(place, async (open) => {
      await open.commit(commit([write(orders, page([{ id: 1 }]))], { page: '1' }))
      await assert.rejects(
        open.commit(
          commit([write(orders, page([{ id: 2, more: 'x' }])), write(taken, page([{ id: 1 }]))], { page: '2' }),
        ),
        hasCode('destinations/table-taken'),
      )
      assert.deepEqual([...(await open.notes(''))], [['page', '1']])
      await open.commit(commit([write(orders, page([{ id: 3, more: 1 }])), publish(orders)], { page: '3' }))
    })
    assert.deepEqual(await records(place, 'orders'), [{ id: 1 }, { id: 3, more: 1 }])
  },

  async 'a table that is not ours is refused before anything is written, and stays as it is'(place) {
    await place.makeForeign('taken')
    const [taken, orders, staged] = [
      table('taken', 'overwrite'),
      table('orders', 'append'),
      table('staged', 'overwrite'),
    ]
    await during(place, async (open) => {
      await open.check?.(orders)
      await open.commit(commit([write(orders, page([{ id: 1 }])), write(staged, page([{ id: 1 }])), publish(orders)]))
      await open.check?.(orders)
      await open.check?.(staged)
      await assert.rejects(async () => open.check?.(taken), hasCode('destinations/table-taken'))
    })
    await during(
      place,
      async (open) => {
        await open.check?.(table('customers', 'overwrite'))
        for (const other of [taken, orders]) {
          await assert.rejects(async () => open.check?.(other), hasCode('destinations/table-taken'))
        }
      },
      'bank',
    )
    await during(place, (open) => open.commit(commit([publish(staged)])))
    assert.deepEqual(await ids(place, 'orders'), [1])
    assert.deepEqual((await place.tables()).toSorted(), ['orders', 'staged', 'taken'])
  },

  async 'a record that is nested too deeply is refused in the same words everywhere, and the next commit succeeds'(
    place,
  ) {
    const orders = table('orders', 'append')
    let nested: unknown = 1
    for (let level = 0; level < 12_000; level++) nested = [nested]
    await during(place, async (open) => {
      await open.commit(commit([write(orders, page([{ id: 1 }]))], { page: '1' }))
      await assert.rejects(open.commit(commit([write(orders, page([{ id: 2 }, { id: 3, nested }]))], { page: '2' })), {
        code: 'destinations/data-refused',
        message: 'A record is nested too deeply to be written.',
      })
      assert.deepEqual([...(await open.notes(''))], [['page', '1']])
      await open.commit(commit([write(orders, page([{ id: 4 }])), publish(orders)], { page: '2' }))
    })
    const rows = (await records(place, 'orders')) ?? []
    assert.deepEqual(
      rows.map(({ id }) => id),
      [1, 4],
    )
  },

  async 'rewinds of several slices delete each from its page on, and rows of other runs stay'(place) {
    const orders = table('orders', 'append')
    const pages = ['a', 'b', 'c'].flatMap((slice, index) =>
      [1, 2, 3].map((number) => page([{ id: index * 10 + number }], { slice, page: number })),
    )
    const other = page([{ id: 99 }], { slice: 'a', page: 3, run: 'run-0' })
    const rewind = (slice: string, fromPage: number, run = 'run-1'): Step => ({
      kind: 'rewind',
      table: orders,
      rows: { slice, runs: [run], fromPage },
    })
    await during(place, async (open) => {
      await open.commit(commit([write(orders, ...pages, other)]))
      await open.commit(
        commit([rewind('a', 2), rewind('b', 3), rewind('c', 4), rewind('c', 1, 'run-0'), publish(orders)]),
      )
    })
    assert.deepEqual(await ids(place, 'orders'), [1, 11, 12, 21, 22, 23, 99])
  },

  async 'a second sync of the connection is refused while one is under way'(place) {
    await during(place, async (open) => {
      await assert.rejects(place.destination.open('shop'), hasCode('destinations/busy'))
      await open.commit(commit([], { a: '1' }))
    })
    await during(place, async (open) => assert.equal((await open.notes('')).size, 1))
  },

  async 'streams whose names are one to the destination get a table each, and keep it'(place) {
    const names = ['orders', 'Orders', 'ORDERS']
    for (let round = 1; round <= 2; round++) {
      for (const [index, name] of names.entries()) {
        const stream = table(name, 'append')
        await during(place, (open) => open.commit(commit([write(stream, page([{ id: index }])), publish(stream)])))
      }
    }
    const found = await place.tables()
    assert.equal(found.length, 3)
    const perTable = await Promise.all(found.map((name) => ids(place, name)))
    assert.deepEqual(
      perTable.toSorted((one, other) => Number(one?.[0]) - Number(other?.[0])),
      [
        [0, 0],
        [1, 1],
        [2, 2],
      ],
    )
  },

  async 'hostile names of streams and fields are no trouble'(place) {
    const names = [
      'select',
      'a"b',
      "it's",
      '💚 ünï',
      '../up',
      'a/b',
      '_turnleaf_notes',
      '_turnleaf_staged_select',
      'con',
      '.',
      'x'.repeat(300),
    ]
    const fields = ['select', 'a"b', "it's", 'a.b', '💚', '', ' ', 'rowid', 'constructor', '__proto__', 'y'.repeat(300)]
    const record = JSON.parse(`{${['id', ...fields].map((name) => `${JSON.stringify(name)}:1`).join()}}`)
    for (const name of names) {
      const stream = table(name, 'overwrite')
      await during(place, (open) => open.commit(commit([write(stream, page([record, { id: 2 }])), publish(stream)])))
    }
    const found = await place.tables()
    assert.equal(found.length, names.length)
    for (const name of found) {
      const [first, second] = (await records(place, name)) ?? []
      assert.equal(Object.keys(first ?? {}).length, fields.length + 1, name)
      assert.deepEqual(second, { id: 2 })
    }
  },

  async 'text that cannot be kept loses a character, not the row'(place) {
    const texts = table('texts', 'append')
    const broken = 'a\ud800b\u0000c'
    await during(place, (open) =>
      open.commit(commit([write(texts, page([{ id: 1, flat: broken, deep: [broken] }])), publish(texts)])),
    )
    const [row] = (await records(place, 'texts')) ?? []
    const deep = row?.deep
    for (const text of [row?.flat, Array.isArray(deep) ? deep[0] : deep])
      assert.match(String(text), /^a\ufffdb[\u0000\ufffd]c$/)
  },

  'large rows are written, and merged with those of the sync before': (place) => assertLargeRowsMerged(place, 30),

  async 'nothing to commit is committed'(place) {
    await during(place, async (open) => {
      await open.commit(commit([]))
      await open.commit(commit([write(table('orders', 'append'))]))
    })
  },

  async 'rows are counted: those that readers see, and those that are staged'(place) {
    const orders = table('orders', 'overwrite')
    await during(place, async (open) => {
      const counted = async () => {
        const { published, staged, stagedAs } = (await open.count?.(orders)) ?? assert.fail('it counts nothing')
        return { published, staged, isStaged: stagedAs !== null }
      }
      assert.deepEqual(await counted(), { published: 0, staged: 0, isStaged: false })
      await open.commit(commit([write(orders, page([{ id: 1 }, { id: 2 }]))]))
      assert.deepEqual(await counted(), { published: 0, staged: 2, isStaged: true })
      await open.commit(commit([publish(orders)]))
      assert.deepEqual(await counted(), { published: 2, staged: 0, isStaged: false })
      await open.commit(commit([write(orders, page([{ id: 3 }]))]))
      assert.deepEqual(await counted(), { published: 2, staged: 1, isStaged: true })
    })
  },
}

/** Whichever of the two is read first, and when both are in one read. */
async function assertHigherWin(place: Place, items: Table, pairs: readonly [higher: unknown, lower: unknown][]) {
  const [higher = [], lower = []] = [0, 1].map((side) => pairs.map((pair, id) => ({ id, at: pair[side], v: side })))
  for (const reads of [[higher, lower], [lower, higher], [[...higher, ...lower]]]) {
    await during(place, async (open) => {
      for (const rows of reads) await open.commit(commit([write(items, page(rows)), publish(items)]))
    })
    assert.deepEqual(
      (await records(place, 'items'))?.map(({ v }, id) => [pairs[id], v]),
      pairs.map((pair) => [pair, 0]),
    )
  }
}

/** Two syncs of so many rows of 200 KB, of which they share about half, and one of a single small row. */
export async function assertLargeRowsMerged(place: Place, count: number): Promise<void> {
  const notes = table('notes', 'dedup', { primaryKey: [['id']] })
  const texts = new Map<number, string>()
  const noise = randomBytes(100_000).toString('hex')
  const pageFrom = (first: number) => {
    for (let id = first; id < first + 10; id++) texts.set(id, `${randomUUID()} ${noise}`)
    return page(Array.from({ length: 10 }, (_, index) => ({ id: first + index, text: texts.get(first + index) })))
  }
  for (const start of [0, Math.floor(count / 20) * 10]) {
    await during(place, async (open) => {
      for (let first = start; first < start + count; first += 10) {
        await open.commit(commit([write(notes, pageFrom(first))]))
      }
      await open.commit(commit([publish(notes)]))
    })
  }
  texts.set(1, 'short')
  await during(place, (open) =>
    open.commit(commit([write(notes, page([{ id: 1, text: texts.get(1) }])), publish(notes)])),
  )
  const found = new Map((await records(place, 'notes'))?.map(({ id, text }) => [Number(id), text]))
  assert.equal(found.size, texts.size)
  for (const [id, text] of texts) assert.ok(found.get(id) === text, `row ${id} has another text`)
}

/**
 * @param open makes an empty destination.
 * @param others what this one does in its own way, each with the reason.
 */
export function testBehaviours(
  name: string,
  open: () => Promise<Place>,
  others: Readonly<Record<string, string>> = {},
): void {
  assert.deepEqual(
    Object.keys(others).filter((behaviour) => !Object.hasOwn(behaviours, behaviour)),
    [],
  )
  for (const [behaviour, check] of Object.entries(behaviours)) {
    if (Object.hasOwn(others, behaviour)) continue
    test(`${name}: ${behaviour}`, async () => {
      await using place = await open()
      await check(place)
    })
  }
}

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { filterErrorRate } from '../../src/std/hashing/seen-filter.ts'
import { openKeyMemory } from '../../src/proof/keys/key-memory.ts'
import { type KeyOptions, trackKeys } from '../../src/proof/keys/track-keys.ts'
import { noKeys as none } from '../helpers/receipts.ts'

type Rows = Record<string, unknown>[]

function countsOf(pages: Rows[], options: Partial<KeyOptions> = {}) {
  const keys = trackKeys({ primaryKey: [['id']], ...options })
  for (const [index, records] of pages.entries()) keys.observe(records, index + 1)
  return keys.counts()
}

const ids = (...numbers: number[]) => numbers.map((id) => ({ id, name: `record ${id}` }))
const again = (key: string, page: number, earlier: number) => ({ key, page, earlier, isSame: true })
/** As many keys as given are remembered as they are, up to 768 by a filter, the newest 4 to 8 of those exactly. */
const small = (exactKeys: number) => ({ memory: openKeyMemory({ exactKeys, recentKeys: 4, filterSlots: 1024 }) })
const range = (first: number, last: number) => ids(...Array.from({ length: last - first + 1 }, (_, i) => first + i))

test('keys that come once are counted', () => {
  assert.deepEqual(countsOf([ids(1, 2), ids(3)]), { ...none, unique: 3 })
})

test('a key that comes again is repeated, and named with its pages', () => {
  const counts = countsOf([ids(1, 2), ids(2, 3)])
  assert.deepEqual(counts, { ...none, unique: 3, repeated: 1, examples: [again('2', 2, 1)] })
})

test('a page of nothing but earlier records is named', () => {
  const counts = countsOf([ids(1, 2), ids(3, 4), ids(1, 2)])
  const examples = [again('1', 3, 1), again('2', 3, 1)]
  assert.deepEqual(counts, { ...none, unique: 4, repeated: 2, repeatedPage: 3, examples })
})

test('it is named wherever its records came before', () => {
  assert.equal(countsOf([ids(1, 2), ids(3, 4), ids(2, 3)])?.repeatedPage, 3)
})

test('a record that changed during the read is no fault', () => {
  const changed = [1, 2].map((id) => ({ id, name: `record ${id}, seen again` }))
  assert.deepEqual(countsOf([ids(1, 2), changed]), { ...none, unique: 2, repeated: 2, changed: 2 })
})

test('the cursor decides, wherever in the record it is', () => {
  const wide = (id: number, updated: string) => ({
    id,
    ...Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`f${index}`, 1])),
    updated,
  })
  const pages = [
    [wide(1, '2024'), wide(2, '2024')],
    [wide(1, '2025'), wide(2, '2025')],
  ]
  assert.equal(countsOf(pages, { cursorField: 'updated' })?.changed, 2)
})

test('one record that comes again alone is no page that repeats', () => {
  assert.equal(countsOf([ids(1, 2), ids(2)])?.repeatedPage, null)
})

suite('a key that comes twice on one page', () => {
  test('is reported where the records are the same, and other pages are judged as ever', () => {
    const page = [...range(1, 20), ...ids(7)]
    const counts = countsOf([page, range(21, 30), range(1, 5)])
    assert.equal(counts?.alike, 1)
    assert.equal(counts.repeated, 5)
    assert.equal(counts.repeatedPage, 3)
    assert.deepEqual(counts.examples[0], again('7', 1, 1))
  })

  test('is reported where the records differ: they share the key and are not the same', () => {
    const counts = countsOf([[...range(1, 20), { id: 7, name: 'other' }]])
    assert.deepEqual([counts?.alike, counts?.clashing, counts?.isKey], [0, 1, true])
    assert.deepEqual(counts?.examples, [{ key: '7', page: 1, earlier: 1, isSame: false }])
  })

  test('is no key when many do: nothing is said about earlier pages', () => {
    const series = (day: number) => [1, 1, 2, 2].map((id, hour) => ({ id, day, hour }))
    const counts = countsOf([series(1), series(2), series(1)])
    assert.deepEqual([counts?.isKey, counts?.clashing, counts?.repeated, counts?.repeatedPage], [false, 6, 0, null])
  })

  const healthy: [name: string, pages: Rows[]][] = [
    ['constant records', [ids(1, 1), ids(1, 1), ids(1)]],
    ['rows that are alike in turn', [ids(0, 1, 0, 1), ids(0, 1, 0, 1), ids(0, 1)]],
    ['one record on every page', [ids(1), ids(1), ids(1)]],
    ['constant records after many others', [range(1, 100), ids(7, 7), ids(7, 7)]],
  ]
  for (const [name, pages] of healthy) {
    for (const exactKeys of [200_000, 0]) {
      test(`raises no alarm: ${name}, ${exactKeys === 0 ? 'known by a filter' : 'known exactly'}`, () => {
        assert.equal(countsOf(pages, small(exactKeys))?.repeatedPage, null)
      })
    }
  }
})

suite('examples', () => {
  test('are few of each kind, each key once, and hold no secret', () => {
    const show = (text: string) => text.replace('2', '****')
    const counts = countsOf([range(1, 100), range(1, 50), [...range(101, 105), ...range(101, 105)]], { show })
    assert.deepEqual(
      counts?.examples.map(({ key, page, earlier }) => [key, page, earlier]),
      [
        ['1', 2, 1],
        ['****', 2, 1],
        ['3', 2, 1],
        ['101', 3, 3],
        ['10****', 3, 3],
        ['103', 3, 3],
      ],
    )
  })

  test('show keys of several fields, long integers as they are, and long texts cut', () => {
    const page = [
      { a: 'eu', b: 9007199254740993n },
      { a: 'x'.repeat(500), b: 1 },
    ]
    const counts = countsOf([page, page], { primaryKey: [['a'], ['b']] })
    assert.deepEqual(
      counts?.examples.map(({ key }) => key),
      ['eu, 9007199254740993', `${'x'.repeat(80)}…`],
    )
  })

  test('leave out records that changed', () => {
    assert.deepEqual(countsOf([ids(1, 2), [{ id: 1, name: 'changed' }]])?.examples, [])
  })
})

suite('a stream that names no key', () => {
  const unnamed = (...pages: Rows[]) => countsOf(pages, { primaryKey: [] })

  test('is distinguished by an id that differs on each record of its first page', () => {
    const counts = unnamed(ids(1, 2), ids(3, 4), ids(3, 4))
    assert.deepEqual([counts?.isAssumed, counts?.unique, counts?.repeatedPage], [true, 4, 3])
  })
  test('is distinguished once there are records', () => {
    assert.equal(unnamed([], ids(1, 2), ids(1, 2))?.repeatedPage, 3)
  })
  const unlike: [says: string, Rows][] = [
    ['has no id', [{ name: 'a' }, { name: 'b' }]],
    [
      'has the same id twice on a page',
      [
        { id: 1, line: 1 },
        { id: 1, line: 2 },
      ],
    ],
    ['has records without an id', [{ id: 1 }, { name: 'b' }]],
    ['has ids that are objects', [{ id: { $oid: 1 } }, { id: { $oid: 2 } }]],
    ['has one record a page', [{ id: 1 }]],
  ]
  for (const [says, page] of unlike) {
    test(`has no counts when it ${says}`, () => assert.equal(unnamed(page, page), null))
  }
})

test('records without a value in their key are never the same', () => {
  assert.deepEqual(
    countsOf([
      [{ id: null }, {}],
      [{ id: null }, {}],
    ]),
    { ...none, unique: 0 },
  )
})

test('keys of several fields, nested fields and other types are distinguished', () => {
  const primaryKey = [['a', 'id'], ['b']]
  const records = [
    { a: { id: '1' }, b: '2' },
    { a: { id: '1\n2' }, b: '' },
    { a: { id: 12n }, b: true },
    { a: { id: 2 ** 53 }, b: { c: 1 } },
    JSON.parse('{"a":{"id":1},"b":"__proto__"}') as Rows[number],
  ]
  assert.deepEqual(countsOf([records], { primaryKey }), { ...none, unique: 5 })
  assert.equal(countsOf([records, records], { primaryKey })?.repeatedPage, 2)
})

test('parts of one page are one page', () => {
  const keys = trackKeys({ primaryKey: [['id']] })
  keys.observe(ids(1, 2), 1)
  keys.observe(ids(1, 2), 2)
  assert.equal(keys.counts()?.repeatedPage, 2)
  keys.observe(ids(3), 2)
  assert.equal(keys.counts()?.repeatedPage, null)
})

test('asking in between changes nothing', () => {
  const keys = trackKeys({ primaryKey: [['id']] })
  keys.observe(ids(1, 2), 1)
  keys.counts()
  keys.observe(ids(3, 1), 2)
  assert.deepEqual(keys.counts(), { ...none, unique: 3, repeated: 1, examples: [again('1', 2, 1)] })
})

suite('after the limit', () => {
  test('keys are known by a filter, repetitions are probable, and the rate of error is stated', () => {
    const counts = countsOf([range(1, 10), range(11, 20), [...ids(3), ...range(21, 25), ...ids(11)]], small(10))
    assert.deepEqual(counts, {
      ...none,
      unique: 25,
      repeated: 1,
      probable: 1,
      examples: [again('3', 3, 1)],
      isExact: false,
      errorRate: filterErrorRate,
    })
  })

  test('a page of probable repetitions only is one', () => {
    assert.equal(countsOf([range(1, 10), range(11, 20), range(11, 20)], small(10))?.repeatedPage, 3)
    assert.equal(countsOf([range(1, 10), range(11, 20), range(8, 13)], small(10))?.repeatedPage, 3)
  })

  test('the newest keys are known for certain: rows that slip to the next page, and twins', () => {
    const counts = countsOf([range(1, 10), range(11, 20), [...ids(20), ...range(21, 40), ...ids(40)]], small(10))
    assert.deepEqual([counts?.repeated, counts?.alike, counts?.probable], [1, 1, 0])
    assert.deepEqual(counts?.examples, [again('20', 3, 2), again('40', 3, 3)])
  })

  test('not so a short one: too little is kept of each record', () => {
    assert.equal(countsOf([range(1, 10), range(11, 20), range(11, 13)], small(10))?.repeatedPage, null)
  })

  test('nor records that changed', () => {
    const changed = range(11, 20).map((record) => ({ ...record, name: 'seen again' }))
    const counts = countsOf([range(1, 10), range(11, 20), changed], small(10))
    assert.deepEqual([counts?.repeatedPage, counts?.probable], [null, 10])
  })

  test('keys that do not fit are reported as not counted, and those remembered are still known', () => {
    const counts = countsOf([range(1, 10), range(11, 768), range(769, 800), range(1, 20)], small(10))
    assert.deepEqual([counts?.unique, counts?.uncounted], [768, 32])
    assert.deepEqual([counts?.repeated, counts?.probable, counts?.repeatedPage], [10, 10, 4])
  })

  test('slices share the space, and not the keys', () => {
    const { memory } = small(10)
    const slices = [1, 2, 3].map(() => trackKeys({ primaryKey: [['id']], memory }))
    for (const slice of slices) slice.observe(range(1, 8), 1)
    assert.deepEqual(
      slices.map((slice) => [slice.counts()?.unique, slice.counts()?.isExact]),
      [
        [8, true],
        [8, false],
        [8, false],
      ],
    )
    assert.ok(slices.every((slice) => slice.counts()?.probable === 0))
  })

  test('a slice that ends leaves its space to others, and its counts stay', () => {
    const { memory } = small(10)
    const first = trackKeys({ primaryKey: [['id']], memory })
    first.observe(range(1, 50), 1)
    const [before, held] = [first.counts(), memory.bytes()]
    first.release()
    first.release()
    assert.ok(held > 4096)
    assert.equal(memory.bytes(), 0)
    assert.deepEqual(first.counts(), before)
    assert.equal(countsOf([range(1, 10)], { memory })?.isExact, true)
  })

  test('a slice that came to the filter stays with it when another leaves room', () => {
    const { memory } = small(10)
    const [first, second] = [trackKeys({ primaryKey: [['id']], memory }), trackKeys({ primaryKey: [['id']], memory })]
    first.observe(range(1, 10), 1)
    second.observe(range(1, 10), 1)
    first.release()
    second.observe(range(1, 10), 2)
    assert.deepEqual([second.counts()?.unique, second.counts()?.repeatedPage], [10, 2])
  })
})

test('no two of 200,000 keys are taken for one: numbers, texts and long ids', () => {
  const spellings = [
    (id: number) => id,
    (id: number) => `cus_${id.toString(36)}`,
    (id: number) => `0000-${id * 7919}-ffff`,
  ]
  for (const spell of spellings) {
    const records = Array.from({ length: 200_000 }, (_, index) => ({ id: spell(index) }))
    assert.deepEqual(countsOf([records]), { ...none, unique: 200_000 })
  }
})

test('of a page of 1,000 records the one that came before is named, wherever it is', () => {
  for (const row of [0, 127, 128, 300, 999]) {
    const page = Array.from({ length: 1000 }, (_, index) => ({ id: `new ${index}` }))
    page[row] = { id: 'old' }
    const counts = countsOf([[{ id: 'old' }, { id: 'other' }], page])
    assert.deepEqual([counts?.unique, counts?.repeated, counts?.examples.map(({ key }) => key)], [1001, 1, ['old']])
  }
})

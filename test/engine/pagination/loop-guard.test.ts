/** Reads that never end are stopped; healthy ones are not. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createLoopGuard, reportsFewer, reportsMore } from '../../../src/engine/pagination/loop-guard.ts'
import { openLoopMemory, loopMemoryBytes } from '../../../src/engine/pagination/page-memory.ts'
import type { JsonRecord } from '../../../src/engine/plan/plan.ts'
import { partOf } from '../../helpers/proof.ts'

const options = { streamName: 'items', primaryKey: [], at: { pointer: '/streams/0' } }
const page = (url: string, received: JsonRecord[]) => ({
  request: { method: 'GET', url, headers: {}, body: null },
  received,
})
type Pages = (index: number) => ReturnType<typeof page>
const rows = (...ids: number[]) => ids.map((id) => ({ id }))
const isSquare = (index: number) => Number.isInteger(Math.sqrt(index))
const values = (...found: unknown[]) => found.map((value) => ({ value }))

/** The number of the page at which the guard gave up, or null. */
function stoppedAt(make: Pages, limit = 2000, primaryKey: string[][] = [], memory = openLoopMemory()): number | null {
  const guard = createLoopGuard({ ...options, primaryKey, memory })
  for (let index = 0; index < limit; index++) {
    try {
      guard(make(index))
    } catch (error) {
      assert.equal((error as { code: string }).code, 'pagination/loop')
      return index + 1
    }
  }
  return null
}

const endless: [name: string, make: Pages, stopsAt: number, limit?: number][] = [
  ['same request, same page', () => page('/a', rows(1, 2)), 4],
  ['a cycle of two', (index) => page(`/a?c=${index % 2}`, rows(index % 2, 1000)), 6],
  ['a cycle of a hundred', (index) => page(`/a?c=${index % 100}`, rows(index % 100, 1000)), 202],
  ['an API that ignores the paging parameter', (index) => page(`/a?page=${index}`, rows(1, 2, 3)), 5],
  ['content that cycles under ever new tokens', (index) => page(`/a?c=${index}`, rows(index % 5, 1000)), 13],
  ['equal rows, in the end', (index) => page(`/a?page=${index}`, values(1, 1)), 1002],
  ['a circle with an empty page in it', (index) => page(`/a?c=${index % 2}`, index % 2 ? [] : rows(1, 2)), 7],
  [
    'a page again and again, with ever more empty ones between',
    (index) => page('/a', isSquare(index) ? rows(1, 2) : []),
    10,
  ],
  ['empty pages, one token', () => page('/a', []), 101],
  ['empty pages in a circle of tokens', (index) => page(`/a?c=${index % 2}`, []), 102],
  ['empty pages under new tokens, in the end', (index) => page(`/a?c=${index}`, []), 1_001],
  [
    'rows with a field that never repeats, of an API that counts fewer',
    (index) => ({
      ...page(
        `/a?page=${index}`,
        [1, 2].map((id) => ({ id, link: `/${id}?signed=${index}` })),
      ),
      countsFewer: () => index > 3,
    }),
    8,
  ],
  [
    'empty pages under new tokens at an API that counts more records, in the end',
    (index) => ({ ...page(`/a?c=${index}`, []), countsMore: () => true }),
    10_001,
    20_000,
  ],
]
for (const [name, make, stopsAt, limit] of endless) {
  test(`stopped: ${name}`, () => assert.equal(stoppedAt(make, limit), stopsAt))
}

const healthy: [name: string, make: Pages, limit?: number][] = [
  [
    'the same things on every day, of an API that does not count fewer',
    (index) =>
      page(
        `/a?day=${index}`,
        [1, 2].map((id) => ({ id, day: index })),
      ),
  ],
  [
    'new rows of an API that counts wrong',
    (index) => ({ ...page(`/a?page=${index}`, rows(2 * index, 2 * index + 1)), countsFewer: () => true }),
  ],
  ['a scroll that keeps one token and brings new records', (index) => page('/scroll', rows(index, index + 5000))],
  ['a scroll with empty pages between data', (index) => page('/scroll', index % 3 === 0 ? rows(index, index + 1) : [])],
  ['equal rows', (index) => page(`/a?page=${index}`, values(1, 1)), 900],
  ['pages of one equal row', (index) => page(`/a?page=${index}`, values(0)), 900],
  ['a scroll of single rows whose values come back', (index) => page('/scroll', values(index % 3)), 900],
  ['constant first and last rows, new ones between', (index) => page(`/a?p=${index}`, values('head', index, 'foot'))],
  ['the same on one token', (index) => page('/scroll', values('head', index, 'foot'))],
  [
    'one page that repeats by chance',
    (index) => page(`/a?p=${index}`, index % 10 === 3 ? rows(1, 2) : rows(index, 5000 + index)),
  ],
  ['long integers', (index) => page(`/a?p=${index}`, [{ id: 9007199254740993n + BigInt(index) }])],
]
for (const [name, make, limit] of healthy) {
  test(`left alone: ${name}`, () => assert.equal(stoppedAt(make, limit), null))
}

const keyed: [name: string, make: Pages, stopsAt: number][] = [
  [
    'other fields that change each time',
    (index) =>
      page('/a', [
        { id: 1, at: index },
        { id: 2, at: index },
      ]),
    3,
  ],
  ['in another order each time', (index) => page(`/a?p=${index}`, index % 2 ? rows(1, 2, 3) : rows(3, 1, 2)), 4],
  ['one row, again and again', (index) => page(`/a?page=${index}`, rows(7)), 11],
]
for (const [name, make, stopsAt] of keyed) {
  test(`stopped by the primary key: ${name}`, () => assert.equal(stoppedAt(make, 2000, [['id']]), stopsAt))
}

test('left alone: records whose declared key names a group of them', () => {
  const grouped = (index: number) =>
    page(
      `/a?page=${index}`,
      [1, 1, 1, 2, 2].map((account, row) => ({ account, day: index * 5 + row })),
    )
  assert.equal(stoppedAt(grouped, 2000, [['account']]), null)
  // The same rows again and again are a loop, whatever the key.
  assert.equal(
    stoppedAt((index) => page(`/a?page=${index}`, grouped(0).received), 2000, [['account']]),
    5,
  )
})

test('left alone: an id that is no key, with other fields that change', () => {
  const series: Pages = (index) =>
    page(`/a?day=${index}`, [
      { id: 's1', day: index },
      { id: 's2', day: index },
    ])
  assert.equal(stoppedAt(series), null)
})

suite('the error names both runs of pages', () => {
  const tokens =
    (period: number): Pages =>
    (index) =>
      page(`/a?c=${index % period}`, rows(index % period, 1_000_000))
  const told: [make: Pages, message: string, limit?: number][] = [
    [() => page('/a', rows(1, 2)), 'pages 2 to 3 repeat page 1, requests too'],
    [tokens(2), 'pages 3 to 4 repeat pages 1 to 2, requests too: a cycle of 2 pages'],
    [tokens(5), 'pages 6 to 7 repeat pages 1 to 2, requests too: a cycle of 5 pages'],
    [(index) => page(`/a?p=${index}`, rows(1, 2)), 'pages 2 to 4 repeat page 1, though the requests differ'],
    [
      (index) => page(`/a?p=${index}`, rows(index % 2, 1000)),
      'pages 3 to 5 repeat pages 1 to 2, though the requests differ: a cycle of 2 pages',
    ],
    [
      (index) => page(`/a?p=${index}`, rows([1, 2, 3, 1, 3, 2][index] ?? 9, 1000)),
      'pages 4 to 6 bring only records of earlier pages, such as page 2',
    ],
    [() => page('/a', []), 'pages 1 to 101 are empty'],
    [
      tokens(120_000),
      'pages 251,072 to 251,073 repeat pages 131,072 to 131,073, requests too: a cycle of 120,000 pages',
      300_000,
    ],
  ]
  for (const [make, message, limit = 2000] of told) {
    test(message, () => {
      const guard = createLoopGuard({ ...options, primaryKey: [['id']] })
      const readAll = () => {
        for (let index = 0; index < limit; index++) guard(make(index))
      }
      assert.throws(readAll, { code: 'pagination/loop', message: `Stream "items" does not end: ${message}.` })
    })
  }
})

suite('a cycle longer than what is remembered', () => {
  const limits = { recentPages: 64, anchorPages: 16 }
  const found = (make: Pages, primaryKey: string[][] = []) =>
    stoppedAt(make, 100_000, primaryKey, openLoopMemory(limits))

  for (const period of [63, 64, 65, 127, 128, 129, 1000, 4096, 9999]) {
    for (const lead of [0, 1, 700]) {
      const make: Pages = (index) => {
        const at = index < lead ? `lead ${index}` : (index - lead) % period
        return page(`/a?c=${at}`, values(`${at}`, 'x'))
      }
      test(`${period} pages, after ${lead} others, with and without a key`, () => {
        for (const primaryKey of [[], [['value']]]) {
          const stopped = found(make, primaryKey)
          assert.ok(stopped !== null, 'not found')
          // The anchor is laid at the first power of two after the lead that the cycle fits in, and met once around.
          assert.ok(stopped <= 4 * Math.max(period, lead, limits.recentPages) + period + 8, `found at page ${stopped}`)
        }
      })
    }
  }

  test('is found under ever new tokens, too', () => {
    assert.ok(found((index) => page(`/a?c=${index}`, rows(index % 3000, -1))))
  })

  test('and with empty pages in it', () => {
    assert.ok(found((index) => page(`/a?c=${index % 3000}`, index % 2 === 0 ? rows(index % 3000, -1) : [])))
  })
})

test('the memory of a read stays flat over a million pages, or a quarter of them', () => {
  const pages = partOf(1_000_000)
  for (const primaryKey of [[], [['value']]]) {
    const memory = openLoopMemory()
    const guard = createLoopGuard({ ...options, primaryKey, memory })
    let most = 0
    for (let index = 0; index < pages; index++) {
      // Ends that are the same make every page be compared as a whole; every third is empty.
      guard(page(`/a?p=${index}`, index % 3 === 0 ? [] : values('head', index, 'foot')))
      if (index % 1000 === 0) most = Math.max(most, memory.bytes())
    }
    assert.ok(most <= loopMemoryBytes, `${most} bytes`)
  }
})

test('a read of few pages holds little: many slices are read at a time', () => {
  const memory = openLoopMemory()
  const guard = createLoopGuard({ ...options, memory })
  for (let index = 0; index < 4; index++) guard(page(`/a?p=${index}`, rows(index, -1)))
  assert.ok(memory.bytes() < 1024, `${memory.bytes()} bytes`)
})

test('more records are to come where an envelope of at most 100 members counts them', () => {
  const bodyWith = (members: number) => ({
    total: 50,
    ...Object.fromEntries(Array.from({ length: members - 1 }, (_, index) => [`field-${index}`, index])),
  })
  assert.equal(reportsMore(bodyWith(100), {}, 49), true)
  assert.equal(reportsMore(bodyWith(100), {}, 50), false)
  assert.equal(reportsMore(bodyWith(101), {}, 49), false)
})

test('a total is found under its usual names, in the body, an object of it or a header', () => {
  const more = (body: unknown, headers = {}) => reportsMore(body, headers, 49)
  assert.equal(more({ total_count: '50' }), true)
  assert.equal(more({ meta: { totalRecords: 50 } }), true)
  assert.equal(more({}, { 'x-total-count': '50' }), true)
  assert.equal(more([], { 'x-total': '50' }), true)
  assert.equal(more({ a: { b: { total: 50 } } }), false)
  assert.equal(more({ count: 50 }), false)
  assert.equal(more({ total: 'many' }), false)
  assert.equal(more([{ total: 50 }]), false)
})

test('far more came than an API counts where it is twice as many, and its total is larger than the page', () => {
  const fewer = (total: number, received: number, onPage = 3) => reportsFewer({ total }, {}, { received, onPage })
  assert.equal(fewer(4, 8), true)
  assert.equal(fewer(4, 7), false)
  assert.equal(fewer(3, 9), false)
  assert.equal(fewer(4, 9, 4), false)
  assert.equal(reportsFewer({}, { 'x-total': '4' }, { received: 8, onPage: 3 }), true)
})

test('records of which one in ten shares its key with the one before are told apart by it', () => {
  /** The same keys on each page, the first of them twice, and other fields that change. */
  const sharing =
    (count: number): Pages =>
    (index) =>
      page(
        '/a',
        Array.from({ length: count }, (_, row) => ({ id: Math.max(row, 1), at: index })),
      )
  assert.equal(stoppedAt(sharing(10), 50, [['id']]), 3)
  assert.equal(stoppedAt(sharing(9), 50, [['id']]), null)
})

test('pages without a request repeat by their records alone', () => {
  const message = (received: (index: number) => JsonRecord[]) => {
    const guard = createLoopGuard({ ...options, primaryKey: [['id']] })
    try {
      for (let index = 0; index < 200; index++) guard({ request: null, received: received(index) })
    } catch (error) {
      return (error as Error).message
    }
    return null
  }
  assert.equal(
    message(() => rows(1, 2)),
    'Stream "items" does not end: pages 2 to 4 repeat page 1.',
  )
  assert.equal(
    message((index) => rows(index, index + 1)),
    null,
  )
})

test('a class that reads the pages is named, and may request the same records in other ways', () => {
  const stopped = (make: Pages) => {
    const guard = createLoopGuard({ ...options, primaryKey: [['id']], byClass: 'Own' })
    for (let index = 0; index < 50; index++) {
      try {
        guard(make(index))
      } catch (error) {
        return [index + 1, (error as { hint: string }).hint]
      }
    }
    return null
  }
  const hint = 'Check where `Own` ends: its pages bring nothing new.'
  assert.deepEqual(
    stopped(() => page('/a', rows(1, 2))),
    [3, hint],
  )
  assert.equal(
    stopped((index) => page(`/a?day=${index}`, rows(1, 2))),
    null,
  )
})

test('a request differs by its method, its headers and its body', () => {
  const differing = (more: (index: number) => object): Pages => {
    const make: Pages = (index) => {
      const { request } = page('/a', [])
      return { request: { ...request, ...more(index) }, received: [] }
    }
    return make
  }
  assert.equal(stoppedAt(differing(() => ({}))), 101)
  assert.equal(stoppedAt(differing((index) => ({ body: String(index) }))), 1_001)
  assert.equal(stoppedAt(differing((index) => ({ headers: { a: String(index) } }))), 1_001)
  assert.equal(stoppedAt(differing((index) => ({ method: `M${index}` }))), 1_001)
})

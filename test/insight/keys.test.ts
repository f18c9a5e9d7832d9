import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type KeyOptions, trackKeys } from '../../src/insight/keys.ts'

type Rows = Record<string, unknown>[]

function countsOf(pages: Rows[], options: Partial<KeyOptions> = {}) {
  const keys = trackKeys({ primaryKey: [['id']], ...options })
  for (const [index, records] of pages.entries()) keys.observe(records, index + 1)
  return keys.counts()
}

const ids = (...numbers: number[]) => numbers.map((id) => ({ id, name: `record ${id}` }))
const none = { repeated: 0, changed: 0, repeatedPage: null, isExact: true }

test('keys that come once are counted', () => {
  assert.deepEqual(countsOf([ids(1, 2), ids(3)]), { ...none, unique: 3 })
})

test('a key that comes again is repeated', () => {
  assert.deepEqual(countsOf([ids(1, 2), ids(2, 3)]), { ...none, unique: 3, repeated: 1 })
})

test('a page of nothing but earlier records is named', () => {
  assert.deepEqual(countsOf([ids(1, 2), ids(3, 4), ids(1, 2)]), { ...none, unique: 4, repeated: 2, repeatedPage: 3 })
})

test('it is named wherever its records came before', () => {
  assert.equal(countsOf([ids(1, 2), ids(3, 4), ids(2, 3)])?.repeatedPage, 3)
})

test('a record that changed during the walk is no fault', () => {
  const changed = [1, 2].map((id) => ({ id, name: `record ${id}, seen again` }))
  assert.deepEqual(countsOf([ids(1, 2), changed]), { ...none, unique: 2, repeated: 2, changed: 2 })
})

test('the cursor tells, wherever in the record it stands', () => {
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

test('a key that two records of one page share is no key', () => {
  assert.equal(countsOf([ids(1, 1), ids(1, 1)]), null)
})

test('a stream without a key has no counts', () => {
  assert.equal(countsOf([ids(1, 2)], { primaryKey: [] }), null)
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

test('keys of several fields, nested fields and other types are told apart', () => {
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
  keys.observe(ids(3), 2)
  assert.equal(keys.counts()?.repeatedPage, null)
})

test('asking in between changes nothing', () => {
  const keys = trackKeys({ primaryKey: [['id']] })
  keys.observe(ids(1, 2), 1)
  keys.counts()
  keys.observe(ids(3, 1), 2)
  assert.deepEqual(keys.counts(), { ...none, unique: 3, repeated: 1 })
})

test('behind the limit, new keys are not remembered, and the counts say so', () => {
  const counts = countsOf([ids(1, 2), ids(3, 4), ids(3, 1)], { limit: 3 })
  assert.deepEqual(counts, { ...none, unique: 3, repeated: 2, repeatedPage: 3, isExact: false })
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

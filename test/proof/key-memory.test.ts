/** What keys take stays bounded, by slices and by keys, and the stated rate of error holds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyBytes, keyCapacity, keyLimits, openKeyMemory } from '../../src/proof/keys/key-memory.ts'
import { trackKeys } from '../../src/proof/keys/track-keys.ts'
import { filterErrorRate } from '../../src/std/hashing/seen-filter.ts'
import { partOf } from '../helpers/proof.ts'

const primaryKey = [['id']]
const most = keyBytes.exact + keyBytes.recent + keyBytes.filter

test('millions of keys: counted in bounded space, hardly one taken for another', () => {
  const memory = openKeyMemory()
  const keys = trackKeys({ primaryKey, memory })
  const size = 1000
  // A quarter of them, too, is six times what is kept exactly.
  const count = partOf(5_000_000)
  for (let page = 1; page <= count / size; page++) {
    keys.observe(
      Array.from({ length: size }, (_, row) => ({ id: `k${page * size + row}` })),
      page,
    )
    if (page % 100 === 0) assert.ok(memory.bytes() <= most, `${memory.bytes()} bytes at page ${page}`)
  }
  const counts = keys.counts()
  assert.ok(counts !== null)
  const { unique, probable, uncounted, repeated, repeatedPage, errorRate } = counts
  assert.deepEqual(
    { uncounted, repeated, repeatedPage, errorRate },
    { uncounted: 0, repeated: 0, repeatedPage: null, errorRate: filterErrorRate },
  )
  assert.equal(unique + probable, count)
  assert.ok(probable <= count * errorRate + 5 * Math.sqrt(count * errorRate), `${probable} taken for others`)
})

test('more keys than fit: the others are reported as not counted, and the space stays the same', () => {
  const memory = openKeyMemory({ ...keyLimits, exactKeys: 1000, filterSlots: 2 ** 16 })
  const keys = trackKeys({ primaryKey, memory })
  for (let page = 1; page <= 100; page++) {
    keys.observe(
      Array.from({ length: 1000 }, (_, row) => ({ id: page * 1000 + row })),
      page,
    )
  }
  const counts = keys.counts()
  assert.ok(counts !== null && counts.unique <= 2 ** 16 * 0.75 && counts.unique > 2 ** 16 * 0.74, `${counts?.unique}`)
  assert.equal(counts.unique + counts.probable + counts.uncounted, 100_000)
})

test('100,000 slices side by side share one space, and give it back', () => {
  const memory = openKeyMemory()
  const slices = Array.from({ length: 100_000 }, () => trackKeys({ primaryKey, memory }))
  for (const page of [1, 2]) {
    // The same keys in every slice, half of them on both pages.
    for (const slice of slices) slice.observe([{ id: page }, { id: page + 1 }, { id: `only ${page}` }], page)
    assert.ok(memory.bytes() <= most, `${memory.bytes()} bytes`)
  }
  for (const slice of slices) {
    const counts = slice.counts()
    assert.ok(counts !== null)
    // Of five keys one comes again, on either side of the limit.
    assert.ok(counts.unique + counts.probable + counts.repeated + counts.uncounted === 6 && counts.unique <= 5)
    if (counts.isExact) assert.deepEqual([counts.unique, counts.repeated], [5, 1])
    slice.release()
  }
  assert.equal(memory.bytes(), 0)
})

test('what is stated is what is there', () => {
  assert.equal(keyCapacity, 6_291_456)
  assert.ok(most < 48 * 1024 ** 2)
})

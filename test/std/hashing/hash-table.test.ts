/** A table knows every hash it was given, whatever its size; of the recent ones at least so many are known. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Batch, openRecent, openHashTable, recentBytes, tableBytes } from '../../../src/std/hashing/hash-table.ts'
import { Hash } from '../../../src/std/hashing/hash.ts'

const hash = new Hash()
const hashOf = (value: unknown) => hash.start().add(value).end()

test('a hash is new once, then known with its latest place and mark', () => {
  const table = openHashTable()
  assert.equal(table.see(hashOf('a'), 7, 1), null)
  assert.deepEqual(table.see(hashOf('a'), 7, 2), { place: 1, isSameMark: true })
  assert.deepEqual(table.see(hashOf('a'), 8, 5), { place: 2, isSameMark: false })
  assert.deepEqual(table.see(hashOf('a'), 8, 6), { place: 5, isSameMark: true })
})

test('a mark of more than 31 bits is still the same', () => {
  const table = openHashTable()
  table.see(hashOf('a'), 0xffff_ffff, 1)
  assert.equal(table.see(hashOf('a'), 0xffff_ffff, 2)?.isSameMark, true)
})

test('what may not be added is not, and what is known is still reported', () => {
  const table = openHashTable()
  table.see(hashOf('a'), 0, 1)
  assert.equal(table.see(hashOf('b'), 0, 2, false), null)
  assert.equal(table.see(hashOf('b'), 0, 3, false), null)
  assert.equal(table.see(hashOf('a'), 0, 4, false)?.place, 1)
  assert.equal(table.size(), 1)
})

test('all of 100,000 are found again while it grows, and its bytes are as stated', () => {
  const table = openHashTable()
  for (let id = 1; id <= 100_000; id++) {
    assert.equal(table.see(hashOf(id), id, id), null)
    const older = (id >>> 1) + 1
    if (older < id) assert.deepEqual(table.see(hashOf(older), older, older), { place: older, isSameMark: true })
    if (id % 997 === 0) assert.equal(table.bytes(), tableBytes(id))
  }
  assert.equal(table.size(), 100_000)
})

test('hashes with the same low half are distinguished', () => {
  const table = openHashTable()
  const alike = Array.from({ length: 50 }, (_, index) => Object.assign(new Hash(), { low: 3, high: index }))
  for (const [index, one] of alike.entries()) assert.equal(table.see(one, 0, index + 1), null)
  for (const [index, one] of alike.entries()) assert.equal(table.see(one, 0, index + 1)?.place, index + 1)
})

test('a hash of nothing but zeros is one like others', () => {
  const table = openHashTable()
  const zero = new Hash()
  assert.equal(table.see(zero, 0, 1), null)
  assert.deepEqual(table.see(zero, 0, 2), { place: 1, isSameMark: true })
})

test('a batch is seen as its hashes would be one by one, also those that come twice in it and while the table grows', () => {
  const [inBatches, oneByOne] = [openHashTable(), openHashTable()]
  const batch = new Batch()
  for (let place = 1; place <= 200; place++) {
    const expected: [number, number, boolean][] = []
    batch.length = 0
    for (let row = 0; row < Batch.capacity; row++) {
      // Every third is one of an earlier place, some of them changed; the last one is the first again.
      const id = row === Batch.capacity - 1 ? place * 1000 : row % 3 === 0 ? place * 500 + row : place * 1000 + row
      const mark = row % 2 === 0 ? id : place
      batch.add(hashOf(id), mark, row)
      const seen = oneByOne.see(hashOf(id), mark, place)
      if (seen !== null) expected.push([row, seen.place, seen.isSameMark])
    }
    const told: typeof expected = []
    inBatches.seeAll(batch, place, (row, seen) => told.push([row, seen.place, seen.isSameMark]))
    assert.deepEqual(told, expected, `place ${place}`)
  }
  assert.equal(inBatches.size(), oneByOne.size())
  assert.equal(inBatches.bytes(), oneByOne.bytes())
})

test('a known hash does not make a table grow that is as full as it gets', () => {
  const table = openHashTable()
  table.see(hashOf('a'), 0, 1)
  table.see(hashOf('b'), 0, 1)
  const before = table.bytes()
  table.see(hashOf('a'), 0, 2)
  assert.equal(table.bytes(), before)
  table.see(hashOf('c'), 0, 2)
  assert.ok(table.bytes() > before)
})

test('recent: the newest are known, those of long ago forgotten, and bytes stay flat', () => {
  const recent = openRecent(100)
  let most = 0
  for (let id = 1; id <= 10_000; id++) {
    assert.equal(recent.see(hashOf(id), 0, id), null)
    if (id > 100) assert.equal(recent.see(hashOf(id - 50), 0, id)?.place, id - 50, `${id}`)
    most = Math.max(most, recent.bytes())
  }
  assert.equal(recent.see(hashOf(9_700), 0, 1), null)
  assert.equal(most, recentBytes(100))
})

test('recent: what is seen again counts as new', () => {
  const recent = openRecent(4)
  for (let id = 1; id <= 100; id++) {
    recent.see(hashOf('again'), 0, id)
    recent.see(hashOf(id), 0, id)
  }
  assert.equal(recent.see(hashOf('again'), 0, 101)?.place, 100)
})

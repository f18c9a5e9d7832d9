/** A filter forgets nothing, and takes a new hash for a known one no more often than it says. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filterCapacity, filterErrorRate, openFilter } from '../../../src/std/hashing/seen-filter.ts'
import { Hash } from '../../../src/std/hashing/hash.ts'
import { partOf } from '../../helpers/proof.ts'

const hash = new Hash()
const hashOf = (value: unknown) => hash.start().add(value).end()

test('what was noted is known for ever: there is no error on that side', () => {
  const filter = openFilter(2 ** 12)
  for (let id = 0; id < filterCapacity(2 ** 12); id++) filter.see(hashOf(id), id)
  for (let id = 0; id < filterCapacity(2 ** 12); id++) assert.equal(filter.see(hashOf(id), id), 'same')
})

test('a changed mark is reported, and kept', () => {
  const filter = openFilter(2 ** 4)
  assert.equal(filter.see(hashOf('a'), 1), 'new')
  assert.equal(filter.see(hashOf('a'), 2), 'changed')
  assert.equal(filter.see(hashOf('a'), 2), 'same')
})

test('a full filter notes nothing more, says so, and still knows what it has', () => {
  const filter = openFilter(2 ** 4)
  for (let id = 0; id < 12; id++) assert.equal(filter.see(hashOf(id), 0), 'new')
  assert.equal(filter.see(hashOf('more'), 0), 'full')
  assert.equal(filter.see(hashOf('more'), 0), 'full')
  assert.equal(filter.see(hashOf(5), 0), 'same')
  assert.deepEqual([filter.size(), filter.bytes()], [12, 64])
})

test('hashes that would be a free slot are noted', () => {
  const filter = openFilter(2 ** 4)
  const zero = new Hash()
  assert.equal(filter.see(zero, 0), 'new')
  assert.equal(filter.see(zero, 0), 'same')
})

/** Those that were never seen, and are taken for known, with the filter as full as it gets. */
function falseRate(slots: number, spell: (id: number) => unknown, asked: number): number {
  const filter = openFilter(slots)
  const noted = filterCapacity(slots)
  let id = 0
  while (filter.size() < noted) filter.see(hashOf(spell(id++)), 0)
  let wrong = 0
  for (let index = 0; index < asked; index++) if (filter.see(hashOf(spell(id + index)), 0) !== 'full') wrong++
  return wrong / asked
}

const spellings: Record<string, (id: number) => unknown> = {
  numbers: (id) => id,
  texts: (id) => `cus_${id.toString(36)}`,
  'long ids': (id) => `0000-${id * 7919}-ffff`,
}
for (const [name, spell] of Object.entries(spellings)) {
  test(`the rate of error is what is stated, when full: ${name}`, () => {
    // A rate that small shows itself over many questions: eleven slots out of 2^24 at most are expected of four million.
    // A quarter of them, with the filter just as full, shows a rate that is several times too high.
    const asked = partOf(4_000_000)
    const wrong = falseRate(2 ** 20, spell, asked) * asked
    const expected = filterErrorRate * asked
    assert.ok(wrong <= expected + 5 * Math.sqrt(expected), `${wrong} instead of ${expected}`)
  })
}

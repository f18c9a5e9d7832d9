import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loopMemoryBytes, openLoopMemory, pageLimits } from '../../../src/engine/pagination/page-memory.ts'
import { Hash } from '../../../src/std/hashing/hash.ts'

test('the memory of a slice comes to what it is said to come to at most, and not to more', () => {
  const memory = openLoopMemory()
  // All of it is full just before the newest pages become the old ones once more.
  for (let page = 1; page <= 3 * pageLimits.recentPages; page++) {
    const hash = new Hash().start().add(page).end()
    for (const part of [memory.contents, memory.wholeContents, memory.emptyRequests]) part.see(hash, 0, page)
  }
  assert.equal(memory.bytes(), loopMemoryBytes)
})

test('the newest pages are remembered, and of older ones those in a row from each power of two on', () => {
  const { contents } = openLoopMemory({ recentPages: 8, anchorPages: 2 })
  const hashOf = (page: number) => new Hash().start().add(page).end()
  const isAnchor: number[] = []
  for (let page = 1; page <= 40; page++) {
    assert.equal(contents.see(hashOf(page), page, page), null)
    if (contents.isAnchor(page)) isAnchor.push(page)
  }
  assert.deepEqual(isAnchor, [16, 17, 32, 33])
  assert.deepEqual(contents.see(hashOf(40), 40, 41), { place: 40, isSameMark: true })
  assert.deepEqual(contents.see(hashOf(33), 0, 42), { place: 33, isSameMark: false })
  assert.equal(contents.see(hashOf(1), 1, 43), null)
  assert.equal(contents.see(hashOf(16), 16, 44), null)
})

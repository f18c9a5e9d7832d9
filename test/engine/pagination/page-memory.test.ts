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

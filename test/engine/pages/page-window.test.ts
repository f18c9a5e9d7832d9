import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { openPageWindow } from '../../../src/engine/pages/page-window.ts'

test('doubles with every full page up to the most, and stays while pages are not full', () => {
  const window = openPageWindow(8, false)
  const sizes = [true, true, false, true, true].map((isFull) => {
    window.pageRead(isFull)
    return window.size()
  })
  assert.deepEqual(sizes, [2, 4, 4, 8, 8])
})

test('grows slowly after a failure, and pages that fail together count once', () => {
  const window = openPageWindow(16, false)
  for (let page = 0; page < 4; page++) window.pageRead(true)
  window.failed(8)
  window.failed(8)
  assert.equal(window.size(), 8)
  for (let page = 0; page < 8; page++) window.pageRead(true)
  assert.ok(window.size() > 8 && window.size() < 9, String(window.size()))
})

test('grows while there is time to spare, and comes back to two pages when there is none', async () => {
  const window = openPageWindow(16, true)
  for (let page = 0; page < 100 && window.size() < 16; page++) {
    await setTimeout(20)
    window.pageRead(true)
  }
  assert.equal(window.size(), 16)
  // From here on nothing waits: the event loop does not come round once.
  for (let page = 0; page < 100; page++) window.pageRead(true)
  assert.equal(window.size(), 2)
})

test('one short wait of a process that was busy adds no more pages than were measured', async () => {
  const window = openPageWindow(16, true)
  for (let page = 0; page < 100 && window.size() < 16; page++) {
    await setTimeout(20)
    window.pageRead(true)
  }
  while (window.size() > 2) window.pageRead(true)
  await setTimeout(20)
  const sizes = Array.from({ length: 6 }, () => {
    window.pageRead(true)
    return window.size()
  })
  assert.deepEqual(sizes, [2, 4, 4, 4, 4, 2])
})

test('does not grow in a process that has no time to spare', () => {
  const window = openPageWindow(16, true)
  for (let page = 0; page < 100; page++) window.pageRead(true)
  assert.equal(window.size(), 1)
})

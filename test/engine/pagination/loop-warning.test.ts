import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLoopGuard } from '../../../src/engine/pagination/loop-guard.ts'

test('ten empty pages are warned of by their numbers, once, however often they come', () => {
  const told: string[] = []
  const warn = (text: string) => told.push(text)
  const guard = createLoopGuard({ streamName: 'items', primaryKey: [], at: { pointer: '/streams/0' }, warn })
  const see = (index: number, isEmpty: boolean) =>
    guard({
      request: { method: 'GET', url: `/a?c=${index}`, headers: {}, body: null },
      received: isEmpty ? [] : [{ id: index }],
    })
  for (let index = 0; index < 10; index++) see(index, index > 0)
  assert.deepEqual(told, [])
  for (let index = 10; index < 40; index++) see(index, index !== 20)
  assert.deepEqual(told, [
    'Pages 2 to 11 are empty, and each names a next one. If nothing follows, the stop condition is wrong.',
  ])
})

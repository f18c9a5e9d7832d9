/** What is loaded once and shared. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { once } from '../../../src/engine/opening/once.ts'

const never = new AbortController().signal

test('all who ask share one load', async () => {
  let loads = 0
  const get = once(async () => ++loads)
  assert.deepEqual(await Promise.all([get(never), get(never)]), [1, 1])
  assert.equal(await get(never), 1)
})

test('a failure reaches every waiting caller, and is forgotten', async () => {
  let loads = 0
  const get = once(async () => {
    if (++loads === 1) throw new Error('not yet')
    return loads
  })
  const both = await Promise.allSettled([get(never), get(never)])
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(await get(never), 2)
})

test('who waits on a load that another cancelled loads it anew; who cancelled does not', async () => {
  let loads = 0
  const cancel = new AbortController()
  const get = once((signal) => {
    loads++
    return new Promise<number>((resolve, reject) => {
      if (signal === never) return resolve(loads)
      signal.addEventListener('abort', () => reject(new Error('cancelled')))
    })
  })
  const first = get(cancel.signal)
  const second = get(never)
  cancel.abort()
  await assert.rejects(first, /cancelled/)
  assert.equal(await second, 2)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachItem } from '../../src/std/each-item.ts'

type Watched = { readonly lists: AsyncGenerator<readonly number[]>; readonly isEnded: () => boolean }

/** Lists that come with a delay, and whether their generator was ended. */
function listsOf(...lists: readonly (readonly number[] | Error)[]): Watched {
  let isEnded = false
  return { lists: give(), isEnded: () => isEnded }
  async function* give(): AsyncGenerator<readonly number[]> {
    try {
      for (const list of lists) {
        await new Promise(setImmediate)
        if (list instanceof Error) throw list
        yield list
      }
    } finally {
      isEnded = true
    }
  }
}

test('items come in order, and empty lists bring none', async () => {
  const { lists, isEnded } = listsOf([1, 2], [], [3], [], [])
  const items: number[] = []
  for await (const item of eachItem(lists)) items.push(item)
  assert.deepEqual(items, [1, 2, 3])
  assert.equal(isEnded(), true)
})

test('calls that do not wait for each other are answered in their order', async () => {
  const items = eachItem(listsOf([1, 2], [3]).lists)
  const calls = await Promise.all([1, 2, 3, 4, 5].map(() => items.next()))
  assert.deepEqual(
    calls.map(({ value }) => value),
    [1, 2, 3, undefined, undefined],
  )
  assert.deepEqual(
    calls.map(({ done }) => done),
    [false, false, false, true, true],
  )
})

test('leaving the loop ends the lists, and nothing comes after it', async () => {
  const { lists, isEnded } = listsOf([1, 2, 3], [4])
  const items = eachItem(lists)
  for await (const item of items) if (item === 2) break
  assert.equal(isEnded(), true)
  assert.deepEqual(await items.next(), { done: true, value: undefined })
})

test('ending it while a list is awaited', async () => {
  const { lists, isEnded } = listsOf([1, 2], [3])
  const items = eachItem(lists)
  const [first, ended, after] = await Promise.all([items.next(), items.return(), items.next()])
  assert.deepEqual(first, { done: false, value: 1 })
  assert.deepEqual([ended.done, after.done], [true, true])
  assert.equal(isEnded(), true)
})

test('an error comes after the items before it, once', async () => {
  const failure = new Error('the list is lost')
  const items = eachItem(listsOf([1, 2], failure).lists)
  assert.deepEqual([(await items.next()).value, (await items.next()).value], [1, 2])
  await assert.rejects(items.next(), failure)
  assert.deepEqual(await items.next(), { done: true, value: undefined })
})

test('an error thrown into it ends the lists', async () => {
  const { lists, isEnded } = listsOf([1, 2])
  const items = eachItem(lists)
  await items.next()
  await assert.rejects(items.throw(new Error('enough')), /enough/)
  assert.equal(isEnded(), true)
  assert.equal((await items.next()).done, true)
})

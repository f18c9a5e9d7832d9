import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSlots } from '../../../../src/engine/response/budget/slots.ts'

const { signal } = new AbortController()

/** Lets everything that can continue do so. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('the next in line enters when a place is given back', async () => {
  const take = openSlots(2)
  const entered: string[] = []
  const enter = async (name: string) => {
    const free = await take(signal)
    entered.push(name)
    return free
  }
  const first = await enter('a')
  await enter('b')
  const third = enter('c')
  const fourth = enter('d')
  await settle()
  assert.deepEqual(entered, ['a', 'b'])

  first()
  await third
  assert.deepEqual(entered, ['a', 'b', 'c'])
  ;(await third)()
  await fourth
  assert.deepEqual(entered, ['a', 'b', 'c', 'd'])
})

test('a place given back twice lets one in', async () => {
  const take = openSlots(1)
  const free = await take(signal)
  free()
  free()
  await take(signal)
  let hasEntered = false
  void take(signal).then(() => (hasEntered = true))
  await settle()
  assert.equal(hasEntered, false)
})

test('who leaves the line does not hold it up', async () => {
  const take = openSlots(1)
  const free = await take(signal)
  const impatient = new AbortController()
  const left = take(impatient.signal)
  const patient = take(signal)
  impatient.abort()
  await assert.rejects(left, { code: 'response/aborted' })
  free()
  await patient
})

test('nothing enters with a signal that is already aborted', async () => {
  await assert.rejects(openSlots(1)(AbortSignal.abort()), { code: 'response/aborted' })
})

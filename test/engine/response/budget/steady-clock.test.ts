import assert from 'node:assert/strict'
import { test } from 'node:test'
import { steadyClock } from '../../../../src/engine/response/budget/steady-clock.ts'
import { never } from '../asking.ts'

test('a clock that is set back stands still, and passes on from there', () => {
  let time = 100
  const { now } = steadyClock({ now: () => time, sleep: async () => {} })
  const shown = [100, 130, 50, 60, 60, 200].map((moment) => {
    time = moment
    return now()
  })
  assert.deepEqual(shown, [100, 130, 130, 140, 140, 280])
})

test('after a sleep its time has passed, also by a timer that fires early, and no more than has', async () => {
  let time = 100
  let passes = 0
  const clock = steadyClock({
    now: () => time,
    async sleep() {
      time += passes
    },
  })
  await clock.sleep(30, never)
  assert.equal(clock.now(), 130)
  passes = 20
  await clock.sleep(30, never)
  assert.equal(clock.now(), 160)
  passes = 50
  await clock.sleep(30, never)
  assert.equal(clock.now(), 210)
})

test('a sleep that ends by an error has passed no time', async () => {
  const clock = steadyClock({ now: () => 100, sleep: () => Promise.reject(new Error('no timer')) })
  await assert.rejects(clock.sleep(30, never), /no timer/)
  assert.equal(clock.now(), 100)
})

/** Requests that share a budget with other processes: who asks, how often, and what is given back. */
import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from 'node:test'
import type { EndedCalls, Lease } from '../../../../src/engine/plan/shared-budget.ts'
import { createLeasedLine } from '../../../../src/engine/response/budget/leased-line.ts'
import { steadyClock } from '../../../../src/engine/response/budget/steady-clock.ts'
import { fakeClock } from '../../../helpers/fake-clock.ts'
import { hasCode, never } from '../asking.ts'

type Question = { readonly at: number; readonly wanted: number; readonly ended: readonly EndedCalls[] }

/** A budget that answers as it is told, and lends whatever is wanted after that. */
function opened(...answers: (Lease | Error | Promise<Lease>)[]) {
  const clock = fakeClock(0)
  const questions: Question[] = []
  const waits: number[] = []
  const line = createLeasedLine({
    clock: steadyClock(clock),
    async lease(wanted, ended) {
      questions.push({ at: clock.now(), wanted, ended })
      const answer = answers.shift() ?? { calls: wanted, waitMs: 0 }
      if (answer instanceof Error) throw answer
      return await answer
    },
  })
  const wait = (weight = 1, signal = new AbortController().signal) =>
    line.wait(weight, signal, (waitMs) => void waits.push(waitMs))
  const settle = async () => {
    for (let turn = 0; turn < 3; turn++) await nextTurn()
  }
  /** Lets all the time pass that something sleeps for. */
  const untilQuiet = () => assert.rejects(clock.until(new Promise(() => {})), /nothing sleeps/)
  return { clock, line, questions, waits, wait, settle, untilQuiet }
}

/** An answer that comes when the test says so. */
function later() {
  let answer: (lease: Lease) => void = () => {}
  const lease = new Promise<Lease>((resolve) => (answer = resolve))
  return { lease, answer }
}

const none = (waitMs: number): Lease => ({ calls: 0, waitMs })

test('while one question is under way no other is asked; the next one is for all that came since', async () => {
  const first = later()
  const { questions, wait, settle } = opened(first.lease)
  const all = [wait(1), wait(2), wait(3)]
  await settle()
  assert.deepEqual(questions, [{ at: 0, wanted: 1, ended: [] }])
  first.answer({ calls: 1, waitMs: 0 })
  await Promise.all(all)
  assert.deepEqual(
    questions.map(({ wanted }) => wanted),
    [1, 5],
  )
  await wait(4)
  assert.equal(questions.at(-1)?.wanted, 4)
  assert.equal(questions.length, 3)
})

test('a heavy request keeps what was lent to it, and only the rest is asked for', async () => {
  const { clock, questions, waits, wait } = opened({ calls: 2, waitMs: 1000 })
  await clock.until(wait(5))
  assert.deepEqual(questions, [
    { at: 0, wanted: 5, ended: [] },
    { at: 1000, wanted: 3, ended: [] },
  ])
  assert.deepEqual(waits, [1000])
})

test('none is overtaken: a light request waits for the heavy one before it', async () => {
  const { clock, wait, settle } = opened({ calls: 1, waitMs: 0 }, { calls: 2, waitMs: 1000 })
  const order: string[] = []
  const all = [
    wait(1).then(() => order.push('first')),
    wait(3).then(() => order.push('heavy')),
    wait(1).then(() => order.push('light')),
  ]
  await settle()
  assert.deepEqual(order, ['first'])
  await clock.until(Promise.all(all))
  assert.deepEqual(order, ['first', 'heavy', 'light'])
})

test('a wait of a millisecond is one', async () => {
  const { clock, questions, wait } = opened(none(1))
  await clock.until(wait())
  assert.deepEqual(
    questions.map(({ at }) => at),
    [0, 1],
  )
})

test('a wait of a day is asked about again every hour', async () => {
  const hour = 3_600_000
  const { clock, questions, wait } = opened(none(24 * hour), none(23 * hour))
  await clock.until(wait())
  assert.deepEqual(
    questions.map(({ at }) => at),
    [0, hour, 2 * hour],
  )
})

test('the last one that leaves takes the timer with it; until then the others wait as before', async () => {
  const { clock, questions, wait, settle, untilQuiet } = opened(none(1000), none(1000))
  const [one, other] = [new AbortController(), new AbortController()]
  const left = [
    assert.rejects(wait(1, one.signal), hasCode('response/aborted')),
    assert.rejects(wait(1, other.signal), hasCode('response/aborted')),
  ]
  await settle()
  one.abort()
  await settle()
  assert.equal(questions.length, 1)
  other.abort()
  await Promise.all(left)
  await untilQuiet()
  assert.equal(clock.now(), 0)
  assert.equal(questions.length, 1)
  await clock.until(wait())
  assert.equal(questions.length, 3)
})

test('a request whose signal is aborted already asks nothing', async () => {
  const { questions, wait } = opened()
  await assert.rejects(wait(1, AbortSignal.abort()), hasCode('response/aborted'))
  assert.deepEqual(questions, [])
})

test('calls that were lent to one who left are given back with the next question', async () => {
  const first = later()
  const { questions, wait, settle, clock } = opened(first.lease)
  const cancel = new AbortController()
  const left = assert.rejects(wait(3, cancel.signal), hasCode('response/aborted'))
  cancel.abort()
  await left
  // There is more to wait for, and no one who would.
  first.answer({ calls: 1, waitMs: 1000 })
  await settle()
  clock.set(20)
  await wait(1)
  assert.deepEqual(questions.slice(1), [{ at: 20, wanted: 1, ended: [{ agoMs: 20, calls: 1 }] }])
  await wait(1)
  assert.deepEqual(questions.at(-1)?.ended, [])
})

test('calls that have ended are reported together, after a twentieth of a second, and once', async () => {
  const { clock, line, questions, untilQuiet } = opened()
  line.end(2)
  clock.set(10)
  line.end(1)
  await untilQuiet()
  const ended = [
    { agoMs: 60, calls: 2 },
    { agoMs: 50, calls: 1 },
  ]
  assert.deepEqual(questions, [{ at: 60, wanted: 0, ended }])
  assert.equal(clock.sleeps(), 1)
  line.end(4)
  await untilQuiet()
  assert.deepEqual(questions.slice(1), [{ at: 110, wanted: 0, ended: [{ agoMs: 50, calls: 4 }] }])
})

test('a request that follows reports them, and then nothing else does', async () => {
  const { clock, line, questions, wait, untilQuiet } = opened()
  line.end(2)
  clock.set(30)
  await wait(1)
  await untilQuiet()
  assert.deepEqual(questions, [{ at: 30, wanted: 1, ended: [{ agoMs: 30, calls: 2 }] }])
})

test('calls that end while others wait are reported by the next question of those', async () => {
  const { clock, line, questions, wait, settle } = opened(none(1000))
  const waiting = wait(1)
  await settle()
  line.end(2)
  await clock.until(waiting)
  assert.deepEqual(questions, [
    { at: 0, wanted: 1, ended: [] },
    { at: 1000, wanted: 1, ended: [{ agoMs: 1000, calls: 2 }] },
  ])
  assert.equal(clock.sleeps(), 1)
})

test('a report that begins while others wait leaves it to them', async () => {
  const { clock, line, questions, wait } = opened(none(1000))
  line.end(2)
  const waiting = wait(1)
  line.end(3)
  await clock.until(waiting)
  assert.deepEqual(
    questions.map(({ at, wanted, ended }) => [at, wanted, ended.map(({ calls }) => calls)]),
    [
      [0, 1, [2]],
      [1000, 1, [3]],
    ],
  )
})

test('a report that fails is of no concern, and the next one is made', async () => {
  const { line, questions, untilQuiet } = opened(new Error('no database'))
  line.end(1)
  await untilQuiet()
  line.end(1)
  await untilQuiet()
  assert.equal(questions.length, 2)
})

test('a question that fails fails all that wait for it, and the next request asks again', async () => {
  const { questions, wait } = opened(new Error('no database'))
  const failed = [wait(1), wait(2)].map((one) => assert.rejects(one, /no database/))
  await Promise.all(failed)
  await wait(3)
  assert.deepEqual(
    questions.map(({ wanted }) => wanted),
    [1, 3],
  )
})

test('a timer that fails reaches the request that waited', async () => {
  const sleep = () => Promise.reject(new Error('no timer'))
  const line = createLeasedLine({ clock: steadyClock({ now: () => 0, sleep }), lease: async () => none(1000) })
  await assert.rejects(
    line.wait(1, never, () => {}),
    /no timer/,
  )
})

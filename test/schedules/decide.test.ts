import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Schedule } from '../../src/connections/schedule.ts'
import {
  backoffMs,
  currentState,
  decide,
  type EndedRun,
  endedState,
  nextStart,
  type ScheduleState,
  type StoredSchedule,
} from '../../src/schedules/decide.ts'

const hour = 3_600_000
const minute = 60_000
const noon = Date.parse('2026-01-01T12:00:00Z')
const hourly: Schedule = { every: '1h' }
const onTheHour: Schedule = { cron: '0 * * * *' }
const none: ReadonlySet<string> = new Set()
const complete: EndedRun = { status: 'complete', exitStatus: 0, run: 'r', error: null }
const failed: EndedRun = { status: 'failed', exitStatus: 1, run: null, error: { code: 'x', message: '', hint: '' } }
const busy: EndedRun = { ...failed, status: 'busy' }

const one = (schedule: Schedule, state: ScheduleState | null): StoredSchedule => ({ name: 'shop', schedule, state })

/** Starts what is due. */
function started(schedule: Schedule, state: ScheduleState | null, now: number): ScheduleState {
  const { start } = decide([one(schedule, state)], none, now, 1)
  return start[0]?.state ?? assert.fail('nothing was started')
}

/** A run that is due now, and ends at once. */
function ran(schedule: Schedule, state: ScheduleState | null, now: number, ended = complete): ScheduleState {
  return endedState(schedule, started(schedule, state, now), ended, now)
}

const next = (schedule: Schedule, state: ScheduleState, now: number) =>
  nextStart(schedule, currentState(schedule, state, now), now)

describe('what to start, and when', () => {
  test('a new schedule: `every` starts at once, `cron` at its next time; both are stored', () => {
    const every = decide([one(hourly, null)], none, noon, 1)
    assert.deepEqual([every.start.length, every.adopt.length, every.wakeAt], [1, 0, null])
    assert.equal(decide([one(hourly, null)], none, noon, 0).adopt.length, 1)
    const cron = decide([one(onTheHour, null)], none, noon + minute, 1)
    assert.deepEqual([cron.start.length, cron.adopt.length, cron.wakeAt], [0, 1, noon + hour])
  })

  test('`every` keeps its rhythm, however late a run starts', () => {
    const state = ran(hourly, null, noon)
    assert.equal(next(hourly, state, noon), noon + hour)
    assert.equal(decide([one(hourly, state)], none, noon + hour - 1, 1).start.length, 0)
    const late = ran(hourly, state, noon + hour + 5 * minute)
    assert.equal(next(hourly, late, noon + hour + 6 * minute), noon + 2 * hour)
  })

  for (const schedule of [hourly, onTheHour]) {
    test(`missed times are one run: ${JSON.stringify(schedule)}`, () => {
      const before = ran(schedule, currentState(schedule, null, noon - hour), noon)
      const wake = noon + 10 * hour + minute
      const state = ran(schedule, before, wake)
      assert.equal(next(schedule, state, wake), noon + 11 * hour)
      assert.deepEqual(decide([one(schedule, state)], none, wake, 1).start, [])
    })

    test(`a run in progress is not started twice, and times that pass meanwhile are skipped: ${JSON.stringify(schedule)}`, () => {
      const running = started(schedule, currentState(schedule, null, noon - hour), noon)
      const during = decide([one(schedule, running)], new Set(['shop']), noon + 2 * hour, 1)
      assert.deepEqual([during.start, during.wakeAt], [[], null])
      const state = endedState(schedule, running, complete, noon + 2.5 * hour)
      assert.equal(next(schedule, state, noon + 2.5 * hour), noon + 3 * hour)
    })
  }

  test('failures back off, a success ends that, and what was busy is no failure', () => {
    const often: Schedule = { every: '1m' }
    let state = ran(often, null, noon, failed)
    assert.equal(next(often, state, noon), noon + minute)
    for (const [count, wait] of [
      [2, 2],
      [3, 4],
      [4, 8],
    ] as const) {
      state = ran(often, { ...state, settledUntil: 0, failures: count - 1, last: null }, noon, failed)
      assert.equal(state.failures, count)
      assert.equal(next(often, state, noon), noon + wait * minute)
    }
    const afterBusy = endedState(often, state, busy, noon)
    assert.equal(afterBusy.failures, 4)
    assert.equal(endedState(often, state, complete, noon).failures, 0)
    const busyOnly = ran(often, null, noon, busy)
    assert.deepEqual([busyOnly.failures, next(often, busyOnly, noon)], [0, noon + minute])
    assert.equal(backoffMs(1000), 6 * hour)
    const cron: Schedule = { cron: '* * * * *' }
    const cronFailed = { ...ran(cron, currentState(cron, null, noon - minute), noon, failed), failures: 3 }
    assert.equal(next(cron, cronFailed, noon), noon + 4 * minute)
    const daily: Schedule = { every: '1d' }
    assert.equal(next(daily, ran(daily, null, noon, failed), noon), noon + 24 * hour)
  })

  test('what was interrupted resumes at once; after a crash not before a minute has passed', () => {
    const running = started(hourly, null, noon)
    assert.equal(next(hourly, running, noon + 1000), noon + minute)
    assert.deepEqual(decide([one(hourly, running)], none, noon + 2 * minute, 1).start.length, 1)
    const stopped = endedState(
      hourly,
      running,
      { status: 'interrupted', exitStatus: null, run: 'r', error: null },
      noon + 5,
    )
    assert.equal(next(hourly, stopped, noon + 6), noon + 6)
  })

  test('a paused schedule never starts, and resumes with one run', () => {
    const state = ran(hourly, null, noon)
    const paused = { ...hourly, paused: true }
    assert.deepEqual(decide([one(paused, state)], none, noon + 9 * hour, 1), { start: [], adopt: [], wakeAt: null })
    assert.equal(decide([one(hourly, state)], none, noon + 9 * hour, 1).start.length, 1)
  })

  test('a changed schedule starts anew, and keeps its last run', () => {
    const state = ran(hourly, null, noon, failed)
    const oftener: Schedule = { every: '10m' }
    const { adopt, wakeAt } = decide([one(oftener, state)], none, noon + minute, 1)
    assert.equal(adopt[0]?.state.failures, 0)
    assert.deepEqual(adopt[0]?.state.last, state.last)
    assert.equal(wakeAt, noon + 10 * minute)
    assert.deepEqual(decide([one({ ...hourly, webhook: 'https://x.test' }, state)], none, noon, 1).adopt, [])
  })

  test('a clock that jumps: forward it is one run, back it never waits for longer than a period', () => {
    for (const schedule of [hourly, onTheHour]) {
      const state = ran(schedule, currentState(schedule, null, noon - hour), noon)
      const back = next(schedule, state, noon - 48 * hour) ?? 0
      assert.ok(back > noon - 48 * hour && back <= noon - 47 * hour, JSON.stringify(schedule))
      // A correction of some seconds runs nothing twice.
      assert.equal(next(schedule, state, noon - 5000), noon + hour)
      const failing = { ...state, failures: 9, last: { ...(state.last as never as object), endedAt: noon } as never }
      assert.ok((next(schedule, failing, noon - 48 * hour) ?? 0) <= noon - 41 * hour)
    }
  })

  test('a clock that is set back: the next run is one period after the first look, not after each', () => {
    const ahead = noon + 48 * hour
    const ended = (schedule: Schedule, how: EndedRun) =>
      ran(schedule, currentState(schedule, null, ahead - hour), ahead, how)
    const cases: [schedule: Schedule, state: ScheduleState, waits: number][] = [
      [hourly, ended(hourly, complete), hour],
      [onTheHour, ended(onTheHour, complete), hour],
      [{ every: '1m' }, { ...ended({ every: '1m' }, failed), failures: 5 }, 16 * minute],
      [{ cron: '* * * * *' }, { ...ended({ cron: '* * * * *' }, failed), failures: 5 }, 16 * minute],
      [hourly, started(hourly, null, ahead), minute],
      [{ every: '10m' }, ended(hourly, complete), 10 * minute],
    ]
    for (const [schedule, stored, waits] of cases) {
      let state: ScheduleState | null = stored
      let startedAt: number | null = null
      // As the scheduler looks, and stores what it is told to.
      for (let now = noon; startedAt === null && now <= noon + 2 * hour; now += minute) {
        const { start, adopt } = decide([one(schedule, state)], none, now, 1)
        state = adopt[0]?.state ?? state
        if (start.length > 0) startedAt = now
      }
      assert.equal(startedAt, noon + waits, JSON.stringify(schedule))
    }
  })

  test('no more than the slots are started, the longest overdue first', () => {
    const all = ['late', 'later', 'latest'].map((name, index): StoredSchedule => {
      const state = { times: 'every 1h', settledUntil: noon - (index + 2) * hour, failures: 0, last: null }
      return { name, schedule: hourly, state }
    })
    const { start } = decide(all, none, noon, 2)
    assert.deepEqual(
      start.map(({ name }) => name),
      ['latest', 'later'],
    )
    assert.deepEqual(decide(all, none, noon, 0).start, [])
  })
})

/** What is typed into the form of a schedule → its request, and schedules in words. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  scheduleOf,
  timesWords,
  untilWords,
  usualDraft,
} from '../../../../src/builder/sync/schedule/schedule-form-state.ts'

test('an interval has a whole number and a unit; anything else is not sent', () => {
  assert.deepEqual(scheduleOf(usualDraft), { every: '1h' })
  assert.deepEqual(scheduleOf({ ...usualDraft, amount: ' 15 ', unit: 'm' }), { every: '15m' })
  for (const amount of ['', '0', '-1', '1.5', 'x']) assert.equal(scheduleOf({ ...usualDraft, amount }), null, amount)
})

test('a cron expression has its time zone, where one is given', () => {
  const draft = { ...usualDraft, kind: 'cron', cron: ' 0 6 * * 1 ', timezone: 'Europe/Berlin' } as const
  assert.deepEqual(scheduleOf(draft), { cron: '0 6 * * 1', timezone: 'Europe/Berlin' })
  assert.deepEqual(scheduleOf({ ...draft, timezone: '' }), { cron: '0 6 * * 1' })
  assert.equal(scheduleOf({ ...draft, cron: ' ' }), null)
})

test('times in words', () => {
  const none = { every: null, cron: null, timezone: null }
  assert.equal(timesWords({ ...none, every: '1h' }), 'every hour')
  assert.equal(timesWords({ ...none, every: '15m' }), 'every 15 minutes')
  assert.equal(timesWords({ ...none, every: '1h30m' }), 'every 1h30m')
  assert.equal(timesWords({ ...none, cron: '0 6 * * *', timezone: 'UTC' }), '0 6 * * * UTC')
  const now = Date.UTC(2026, 0, 1)
  const at = (seconds: number) => untilWords(new Date(now + seconds * 1000).toISOString(), now)
  assert.deepEqual(
    [at(-5), at(30), at(60), at(7200), at(200_000)],
    ['now', 'in less than a minute', 'in 1 minute', 'in 2 hours', 'in 2 days'],
  )
})

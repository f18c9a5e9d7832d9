import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseConnection } from '../../src/connections/connection.ts'
import { parseEvery, parseSchedule, timeAfter } from '../../src/connections/schedule.ts'
import { ConnectorError } from '../../src/std/errors.ts'

const at = (text: string) => Date.parse(text)
const after = (schedule: object, text: string) => new Date(timeAfter(parseSchedule(schedule), at(text))).toISOString()

describe('a schedule', () => {
  test('every: a number and a unit', () => {
    assert.deepEqual(
      ['30s', '15m', '1h', '2d', '1w'].map(parseEvery),
      [30_000, 900_000, 3_600_000, 172_800_000, 604_800_000],
    )
    assert.equal(after({ every: '90s' }, '2026-01-01T00:00:00Z'), '2026-01-01T00:01:30.000Z')
  })

  test('cron: in UTC, or in a time zone', () => {
    assert.equal(after({ cron: '0 6 * * *' }, '2026-01-01T06:00:00Z'), '2026-01-02T06:00:00.000Z')
    assert.equal(
      after({ cron: '0 6 * * *', timezone: 'Europe/Berlin' }, '2026-01-01T06:00:00Z'),
      '2026-01-02T05:00:00.000Z',
    )
    assert.equal(after({ cron: '@hourly' }, '2026-01-01T00:10:00Z'), '2026-01-01T01:00:00.000Z')
  })

  test('cron: a time that the clock skips runs once after it, a time that it repeats runs once', () => {
    const daily = { cron: '30 2 * * *', timezone: 'Europe/Berlin' }
    assert.equal(after(daily, '2026-03-28T12:00:00Z'), '2026-03-29T01:00:00.000Z')
    assert.equal(after(daily, '2026-03-29T01:00:00Z'), '2026-03-30T00:30:00.000Z')
    assert.equal(after(daily, '2026-10-24T12:00:00Z'), '2026-10-25T00:30:00.000Z')
    assert.equal(after(daily, '2026-10-25T00:30:00Z'), '2026-10-26T01:30:00.000Z')
    const hourly = { cron: '0 * * * *', timezone: 'Europe/Berlin' }
    assert.equal(after(hourly, '2026-10-25T00:00:00Z'), '2026-10-25T01:00:00.000Z')
    assert.equal(after(hourly, '2026-10-25T01:00:00Z'), '2026-10-25T02:00:00.000Z')
  })

  test('cron: repeated times of a list, a step or a range run once; what runs in every hour runs in both', () => {
    const cases: [cron: string, timezone: string, from: string, times: readonly string[]][] = [
      ['0 */2 * * *', 'Europe/Berlin', '2026-10-24T22:00Z', ['2026-10-25T00:00', '2026-10-25T03:00']],
      [
        '*/30 2 * * *',
        'Europe/Berlin',
        '2026-10-24T22:00Z',
        ['2026-10-25T00:00', '2026-10-25T00:30', '2026-10-26T01:00'],
      ],
      [
        '30 1-3 * * *',
        'Europe/Berlin',
        '2026-10-24T23:00Z',
        ['2026-10-24T23:30', '2026-10-25T00:30', '2026-10-25T02:30'],
      ],
      [
        '0 0-23 * * *',
        'Europe/Berlin',
        '2026-10-24T23:30Z',
        ['2026-10-25T00:00', '2026-10-25T01:00', '2026-10-25T02:00'],
      ],
      [
        '*/30 * * * *',
        'Europe/Berlin',
        '2026-10-25T00:00Z',
        ['2026-10-25T00:30', '2026-10-25T01:00', '2026-10-25T01:30'],
      ],
      // Half an hour only.
      ['45 */1 * * *', 'Australia/Lord_Howe', '2027-04-03T14:00Z', ['2027-04-03T14:45', '2027-04-03T15:15']],
      [
        '*/15 1 * * *',
        'Australia/Lord_Howe',
        '2027-04-03T14:20Z',
        ['2027-04-03T14:30', '2027-04-03T14:45', '2027-04-04T14:30'],
      ],
      // At midnight, where a name has no hour to look at.
      ['@daily', 'America/Havana', '2026-10-31T12:00Z', ['2026-11-01T04:00', '2026-11-02T05:00']],
      ['@daily', 'Africa/Cairo', '2027-04-29T12:00Z', ['2027-04-29T22:00', '2027-04-30T21:00']],
    ]
    for (const [cron, timezone, from, times] of cases) {
      let time = from
      for (const expected of times) {
        time = after({ cron, timezone }, time)
        assert.equal(time, `${expected}:00.000Z`, `${cron} ${timezone}`)
      }
    }
  })

  test('cron: skipped times of a list, a step or a range run once, at the end of the gap', () => {
    const night = '2027-03-13T20:00:00Z'
    const end = '2027-03-14T07:00:00.000Z'
    const zone = { timezone: 'America/New_York' }
    const cases: [cron: string, then: string][] = [
      ['0 2 * * 0', '2027-03-21T06:00:00.000Z'],
      ['0,30 2 * * 0', '2027-03-21T06:00:00.000Z'],
      ['30 2,14 * * *', '2027-03-14T18:30:00.000Z'],
      ['*/30 2 * * *', '2027-03-15T06:00:00.000Z'],
      ['10-20 2 * * *', '2027-03-15T06:10:00.000Z'],
      ['0 2-3 14 3 *', '2028-03-14T06:00:00.000Z'],
    ]
    for (const [cron, then] of cases) {
      assert.deepEqual([after({ cron, ...zone }, night), after({ cron, ...zone }, end)], [end, then], cron)
    }
    // Half an hour is skipped, at two; and what runs every hour keeps its rhythm.
    const island = { cron: '10,20 2 * * *', timezone: 'Australia/Lord_Howe' }
    assert.equal(after(island, '2026-10-03T12:00:00Z'), '2026-10-03T15:30:00.000Z')
    assert.equal(after({ cron: '30 * * * *', ...zone }, '2027-03-14T06:30:00Z'), '2027-03-14T07:30:00.000Z')
    assert.equal(after({ cron: '0,30 3 * * *', ...zone }, end), '2027-03-14T07:30:00.000Z')
    assert.equal(after({ cron: '0 1,4 * * *', ...zone }, '2027-03-14T06:00:00Z'), '2027-03-14T08:00:00.000Z')
  })

  const wrong: [schedule: unknown, code: string, says: RegExp, hint: RegExp][] = [
    [{ every: '0s' }, 'schedules/every', /it is zero/, /30s, 15m, 1h/],
    [{ every: '5' }, 'schedules/every', /not a duration/, /15m/],
    [{ every: '-1h' }, 'schedules/every', /not a duration/, /1h/],
    [{ every: '100w' }, 'schedules/every', /longer than a year/, /1w/],
    [{ cron: '0 * * *' }, 'schedules/cron', /`0 \* \* \*` is wrong: it has 4 of 5 parts/, /`0 \* \* \* \*`/],
    [{ cron: '0 0 * * * *' }, 'schedules/cron', /it has 6 of 5 parts/, /minute, hour/],
    [{ cron: '61 * * * *' }, 'schedules/cron', /the minute is a number from 0 to 59, not 61/, /minute, hour/],
    [{ cron: '0 0 0 * *' }, 'schedules/cron', /the day of month is a number from 1 to 31, not 0\./, /minute, hour/],
    [{ cron: '0 0 1,20-32/2 * *' }, 'schedules/cron', /the day of month is .* 31, not 32\./, /minute, hour/],
    [{ cron: '0 0 * 13 *' }, 'schedules/cron', /the month is a number from 1 to 12, not 13/, /minute, hour/],
    [{ cron: '0 0 * * 8' }, 'schedules/cron', /the day of week is a number from 0 to 7, not 8/, /minute, hour/],
    [{ cron: 'x * * * *' }, 'schedules/cron', /illegal characters/, /minute, hour/],
    [{ cron: '0 0 30 2 *' }, 'schedules/cron', /there is no such day/, /minute, hour/],
    [{ cron: '2030-01-23T00:00:00' }, 'schedules/cron', /it has 1 of 5 parts/, /minute, hour/],
    [{ cron: '@never' }, 'schedules/cron', /it has 1 of 5 parts/, /minute, hour/],
    [
      { cron: '0 * * * *', timezone: 'Europe/Berln' },
      'schedules/timezone',
      /Europe\/Berln/,
      /Did you mean Europe\/Berlin\?/,
    ],
    [{ cron: '0 * * * *', timezone: 'Mars' }, 'schedules/timezone', /Mars/, /IANA/],
    [{ every: '1h', timezone: 'UTC' }, 'schedules/invalid', /belongs to `cron`/, /counts from the last run/],
    [{ every: '1h', cron: '0 * * * *' }, 'schedules/invalid', /either `every` or `cron`/, /keys/],
    [{}, 'schedules/invalid', /either `every` or `cron`/, /keys/],
    ['1h', 'schedules/invalid', /has `every` or `cron`/, /keys/],
    [{ evry: '1h' }, 'schedules/invalid', /no key `evry`/, /Did you mean `every`\?/],
    [{ every: 5 }, 'schedules/invalid', /`every` must be a string/, /keys/],
    [{ every: '1h', paused: 'yes' }, 'schedules/invalid', /`paused`/, /keys/],
    [{ every: '1h', webhook: 'ftp://x' }, 'schedules/webhook', /http or https/, /reference/],
  ]
  for (const [schedule, code, says, hint] of wrong) {
    test(`is refused: ${JSON.stringify(schedule)}`, () => {
      assert.throws(
        () => parseSchedule(schedule),
        (error: unknown) => {
          assert.ok(error instanceof ConnectorError)
          assert.equal(error.code, code)
          assert.match(error.message, says)
          assert.match(error.hint, hint)
          return true
        },
      )
    })
  }

  test('is part of a connection, and its errors have a place', () => {
    const text = 'connector: shop\nschedule:\n  every: 1h\n  webhook: ${HOOK}\n'
    assert.deepEqual(parseConnection(text, 'c/shop/connection.yaml').schedule, { every: '1h', webhook: '${HOOK}' })
    assert.throws(() => parseConnection('connector: shop\nschedule:\n  every: 0s\n', 'c/shop/connection.yaml'), {
      code: 'schedules/every',
      at: { pointer: '/schedule', file: 'c/shop/connection.yaml', line: 3, column: 3 },
    })
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDate, parseDate } from '../../../src/engine/template/dates/airbyte-format.ts'
import { DateTime } from '../../../src/engine/template/dates/date-time.ts'
import { addDuration, parseDuration } from '../../../src/engine/template/dates/duration.ts'
import { codeOf, python, table } from './evaluating.ts'

table('dates are made, moved and printed', [
  ["{{ format_datetime('2024-03-05T06:07:08,5+02', '%Y-%m-%dT%H:%M:%S.%f%z') }}", "'2024-03-05T04:07:08.500000+0000'"],
  ["{{ format_datetime('2024-W10-2', '%j') }}", "'065'"],
  ["{{ format_datetime(1700000000, '%Y-%m-%d') }}", "'2023-11-14'"],
  ["{{ format_datetime('Mar 5, 2024 1:02 PM', '%s', '%b %d, %Y %I:%M %p') }}", '1709643720'],
  ["{{ format_datetime('2024-01-01T00:00:00.123456Z', '%Y.%_ms') }}", '2024.123'],
  // Nine zeros after the day: a time of midnight is not shortened with its fraction.
  ["{{ format_datetime('2024-01-01T00:00:00Z', 'at %Y%m%d%H%M%S%_ms') }}", "'at 20240101000000000'"],
  ["{{ str_to_datetime('2024-01-31') + duration('P1M') }}", "'2024-02-29 00:00:00+00:00'"],
  ["{{ today_utc() - duration('P1Y') }}", "'2025-01-02'"],
  ["{{ now_utc() - str_to_datetime('2025-12-31') }}", "'2 days, 3:04:05'"],
  ["{{ duration('-PT90M') }}", "'-1 day, 22:30:00'"],
  ["{{ duration('P1Y2M') }}", "'1 years, 2 months, 0:00:00'"],
  ["{{ day_delta(-1, '%a %-d %B %y') }}", "'Thu 1 January 26'"],
  ["{{ timestamp('2022-02-28') }}", '1646006400.0'],
  ["{{ today_with_timezone('Pacific/Kiritimati') }}", "'2026-01-02'"],
  ['{{ now_utc().isocalendar()[1] }}', '1'],
  ["{{ now_utc().strftime('%epoch') }}", "' 2poch'"],
])

test('a date that does not fit is an error', () => {
  const refused = [
    "{{ str_to_datetime('2024-02-30') }}",
    "{{ str_to_datetime('2024-3-5') }}",
    "{{ format_datetime('x', '%Y', '%Y') }}",
    "{{ format_datetime('1', '%Y', '%s') }}",
    "{{ duration('1D') }}",
    "{{ today_with_timezone('Nope/Zone') }}",
    '{{ now_utc() + duration("P9999Y") }}',
  ]
  for (const template of refused)
    assert.equal(
      codeOf(() => python(template)),
      'template/failed',
      template,
    )
})

test('the formats of manifests read back what they wrote', () => {
  const at = parseDate('2024-03-05T06:07:08.123456+0000', '%Y-%m-%dT%H:%M:%S.%f%z')
  for (const format of [
    '%s',
    '%ms',
    '%epoch_microseconds',
    '%Y-%m-%dT%H:%M:%SZ',
    '%Y-%m-%dT%H:%M:%S.%_msZ',
    '%d/%m/%y %H',
  ]) {
    const text = formatDate(at, format)
    assert.equal(formatDate(parseDate(text, format), format), text, format)
  }
  assert.equal(formatDate(at, '%ms'), '1709618828123')
})

test('a window moves by months and years', () => {
  const start = DateTime.fromEpochMs(Date.parse('2023-12-31T00:00:00Z'))
  assert.equal(addDuration(start, parseDuration('P2M')).toString(), '2024-02-29 00:00:00+00:00')
  assert.equal(addDuration(start, parseDuration('PT36H')).toString(), '2024-01-01 12:00:00+00:00')
})

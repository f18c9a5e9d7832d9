/** The words of a status are those of HTTP. */
import assert from 'node:assert/strict'
import { STATUS_CODES } from 'node:http'
import { test } from 'node:test'
import { reasonPhrases } from '../../../src/std/text/reason-phrases.ts'

/** RFC 9110 renamed these; Node keeps the older phrases. */
const renamed = { 413: 'Content Too Large', 422: 'Unprocessable Content' }

test('every status has the phrase of RFC 9110', () => {
  const expected = Object.keys(reasonPhrases).map((status) => [status, STATUS_CODES[status]])
  assert.deepEqual(reasonPhrases, { ...Object.fromEntries(expected), ...renamed })
})

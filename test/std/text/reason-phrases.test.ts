/** The titles of problems are the phrases of HTTP. */
import assert from 'node:assert/strict'
import { STATUS_CODES } from 'node:http'
import { test } from 'node:test'
import { phrases } from '../../src/site/problem.ts'

/** RFC 9110 renamed these; Node keeps the older phrases. */
const renamed = { 413: 'Content Too Large', 422: 'Unprocessable Content' }

test('every status has the phrase of RFC 9110', () => {
  const expected = Object.keys(phrases).map((status) => [status, STATUS_CODES[status]])
  assert.deepEqual(phrases, { ...Object.fromEntries(expected), ...renamed })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorInBody, isReported } from '../../../src/engine/response/error-body.ts'

const at = ['data']

/** What the body is called; null where it is no error. */
const rows: [name: string, body: unknown, path: readonly string[] | null, error: string | null][] = [
  ['the list is there', { data: [{}], error: 'ignored' }, at, null],
  ['an empty list next to an error', { data: [], error: 'timeout' }, at, 'error'],
  ['an empty list that is said to be one', { data: [], code: 404, message: 'not found' }, at, null],
  ['words that only look like it', { data: null, status: 'deferred' }, at, null],
  ['a lone message', { message: 'No results' }, at, null],
  ['an empty error', { error: null, errors: [] }, at, null],
  ['an error that is none', { error: 'none', errors: {}, ok: true, status: 'ok', code: 200 }, at, null],
  ['a text', { error: 'quota exceeded' }, at, 'error'],
  ['an object', { error: { code: 1 } }, at, 'error'],
  ['GraphQL', { errors: [{ message: 'x' }], data: { items: null } }, ['data', 'items', 'nodes'], 'errors'],
  [
    'GraphQL, with the list',
    { errors: [{ message: 'x' }], data: { items: { nodes: [{}] } } },
    ['data', 'items', 'nodes'],
    null,
  ],
  ['a status in words', { status: 'error', message: 'x' }, at, 'status'],
  ['a status in numbers', { status: 429 }, at, 'status'],
  ['a code in words', { code: 'rate_limit_exceeded', message: 'x' }, at, 'code'],
  ['inside an envelope', { meta: { status: 503 } }, at, 'meta.status'],
  ['success: false', { success: false }, at, 'success'],
  ['null', null, at, 'null'],
  ['a bare string', 'Service unavailable', at, 'text'],
  ['a list in place of the envelope', [], at, null],
  ['an error at the place of the list', { data: { error: 'x', message: 'y' } }, at, 'data.error'],
  ['a record that failed', { data: { id: 7, status: 'failed', error: 'x' } }, at, null],
  ['a body that is a record that failed', { id: 7, status: 'failed', error: 'x' }, [], null],
  ['a body that is nothing but an error', { error: 'x', request_id: 'r' }, [], 'error'],
  ['a class of its own knows where records are', { rows: [1], error: 'x' }, null, null],
  ['a class of its own, and nothing but an error', { error: 'x' }, null, 'error'],
]

for (const [name, body, path, expected] of rows) {
  test(`${name}: ${expected === null ? 'no error' : 'an error'}`, () => {
    const found = errorInBody(body, path)
    assert.equal(found === null ? null : found.kind === 'member' ? found.path.join('.') : found.kind, expected)
  })
}

test('a map of many records is not searched for reports: its keys may be called anything', () => {
  const few = { data: [1], error: 'one shard failed' }
  assert.equal(isReported(few), true)
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key ${index}`, {}]))
  assert.equal(isReported({ ...many, error: { id: 'error' } }), false)
  assert.equal(isReported({ data: [1], meta: { ...many, error: 'x' } }), false)
})

test('a body that says it is not whole reports that, where it says yes', () => {
  for (const name of ['timed_out', 'partialResults', 'incomplete_results', 'isPartial']) {
    assert.equal(isReported({ data: [1], [name]: true }), true, name)
    assert.equal(isReported({ data: [1], [name]: false }), false, name)
    assert.equal(isReported({ data: [1], [name]: 'true' }), false, name)
  }
})

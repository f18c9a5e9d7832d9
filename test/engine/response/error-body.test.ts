import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorInBody, isMessage, isReported } from '../../../src/engine/response/error-body.ts'

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
  ['a body without any member', {}, at, null],
  ['an empty list that is the body', [], [], null],
  ['an empty list next to a status of 404', { data: [], status: 404 }, at, null],
  ['an empty list next to one of 404 in a text', { data: [], status: '404' }, at, null],
  ['an empty list next to another status', { data: [], status: 405 }, at, 'status'],
  ['words at the place of the list', { data: 'x', error: 'y' }, at, null],
  ['an empty object at the place of the list', { data: {}, error: 'y' }, at, 'error'],
  ['an object without a value there', { data: { a: null, b: {} }, error: 'y' }, at, 'error'],
  ['an object with a value there', { data: { a: 0 }, error: 'y' }, at, null],
  ['an error there, and another member of one', { data: { error: 'x', data: {} } }, at, 'data.error'],
  ['an error there, with data', { data: { error: 'x', data: { id: 1 } } }, at, null],
  ['an error there, with a result', { data: { error: 'x', result: [1] } }, at, null],
  ['a message there that is no error', { data: { message: 'x' } }, at, null],
  ['a class of its own, and a lone message', { message: 'x' }, null, null],
  ['a class of its own, and a text', 'x', null, null],
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

const members: [isError: boolean, name: string, values: unknown[]][] = [
  [true, 'error', ['x', 7, -1, true, ['x'], { code: 1 }, '1', ' failed ']],
  [false, 'error', ['', ' ', '0', 'none', 'NULL', 'false', ' ok ', 'Success', 0, null, false, [], {}]],
  [true, 'Error-Message', ['x']],
  [true, 'success', [false, 'false']],
  [false, 'success', [true, 'no', 0, null]],
  [true, 'ok', [false]],
  [true, 'is_error', [true, 'true']],
  [false, 'is_error', [false, 'false', 1]],
  [true, 'hasError', [true]],
  [true, 'status', [400, 599, '400', ' 503 ', -1, '-1', 'error', 'Err', 'FAILED', 'rate limited', 'not_found']],
  [false, 'status', [399, 600, 200, 0, '399', '600', '0', 'ok', 'sherry', [500], true, null]],
  [true, 'state', ['timeout']],
  [true, 'errorCode', ['quota']],
  [true, 'status_code', [404]],
  [true, 'result', ['invalid']],
  [false, 'result', ['found', [500]]],
  [false, 'reason', ['error']],
]

for (const [isError, name, values] of members) {
  test(`\`${name}\` ${isError ? 'reports an error' : 'reports none'}: ${JSON.stringify(values)}`, () => {
    for (const value of values) {
      const found = errorInBody({ [name]: value, data: null }, at)
      assert.deepEqual(found, isError ? { kind: 'member', path: [name] } : null, JSON.stringify(value))
    }
  })
}

test('a report may have a hundred members, the body and what is in its envelope too', () => {
  const ofLength = (length: number, last: object) => ({
    ...Object.fromEntries(Array.from({ length: length - Object.keys(last).length }, (_, index) => [`key ${index}`, 1])),
    ...last,
  })
  for (const last of [{ error: 'x' }, { meta: { status: 500 } }, { partial: true }]) {
    assert.equal(isReported(ofLength(100, last)), true, JSON.stringify(last))
    assert.equal(isReported(ofLength(101, last)), false, JSON.stringify(last))
  }
  assert.equal(isReported({ data: [1], meta: ofLength(100, { error: 'x' }) }), true)
  assert.equal(isReported({ data: [1], meta: ofLength(101, { error: 'x' }) }), false)
})

test('a body with its list that was not found, or is no object, reports nothing', () => {
  assert.equal(isReported({ data: [1], error: 'not found' }), false)
  assert.equal(isReported({ data: [1], code: 404 }), false)
  assert.equal(isReported([{ error: 'x' }]), false)
  assert.equal(isReported('error'), false)
  assert.equal(isReported({}), false)
})

test('a message for people has no member of a record, and one at least', () => {
  assert.equal(isMessage({ message: 'x', data: null, result: {} }), true)
  assert.equal(isMessage({ message: 'x', data: 'y' }), true)
  assert.equal(isMessage({ message: 'x', data: [1] }), false)
  assert.equal(isMessage({ message: 'x', id: 1 }), false)
  assert.equal(isMessage({}), false)
  assert.equal(isMessage(['message']), false)
})

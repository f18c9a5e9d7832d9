import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countChanges, compareRequests } from '../../../src/builder/test-reads/exchange/request-changes.ts'

const get = (url: string, headers: Record<string, string> = {}, body: string | null = null) => ({
  method: body === null ? 'GET' : 'POST',
  url,
  headers,
  body,
})

test('the first page has nothing to be compared with', () => {
  const { query } = compareRequests(null, get('http://api/orders?limit=2'))
  assert.deepEqual(query, [{ name: 'limit', value: '2', change: { kind: 'same' } }])
})

test('a value that is new, one that changed and one that is gone', () => {
  const { query } = compareRequests(get('http://api/?a=1&b=2'), get('http://api/?a=3&c=4'))
  assert.deepEqual(
    query.map(({ name, change }) => [name, change]),
    [
      ['a', { kind: 'changed', was: '1' }],
      ['c', { kind: 'new' }],
      ['b', { kind: 'gone' }],
    ],
  )
})

test('names that occur twice are compared one by one', () => {
  const { query } = compareRequests(get('http://api/?id=1&id=2'), get('http://api/?id=1&id=3'))
  assert.deepEqual(
    query.map(({ change }) => change.kind),
    ['same', 'changed'],
  )
})

test('a cursor in the path changes the address', () => {
  const { address } = compareRequests(get('http://api/a?x=1'), get('http://api/b?x=1'))
  assert.deepEqual(address, { name: '', value: 'http://api/b', change: { kind: 'changed', was: 'http://api/a' } })
})

test('a cursor in a JSON body is named by its path, with every digit', () => {
  const body = (cursor: string) => get('http://api/', {}, `{"page": {"after": ${cursor}, "size": 2}}`)
  const { bodyValues } = compareRequests(body('90071992547409931'), body('90071992547409932'))
  assert.equal(countChanges(bodyValues), 1)
  assert.deepEqual(bodyValues[0], {
    name: 'page.after',
    value: '90071992547409932',
    change: { kind: 'changed', was: '90071992547409931' },
  })
})

test('a form is compared field by field', () => {
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const { bodyValues } = compareRequests(get('http://api/', type, 'p=1&q=x'), get('http://api/', type, 'p=2&q=x'))
  assert.deepEqual(
    bodyValues.map(({ name, change }) => [name, change.kind]),
    [
      ['p', 'changed'],
      ['q', 'same'],
    ],
  )
})

test('a body that is neither is left as text', () => {
  assert.deepEqual(compareRequests(null, get('http://api/', {}, '<a/>')).bodyValues, [])
})

test('parameters named like the members of objects are ordinary', () => {
  const { query } = compareRequests(get('http://api/?__proto__=1'), get('http://api/?__proto__=2&constructor=3'))
  assert.deepEqual(
    query.map(({ change }) => change.kind),
    ['changed', 'new'],
  )
})

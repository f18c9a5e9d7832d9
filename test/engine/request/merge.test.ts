/** Values of several sources in one request: each has a place of its own, or they must agree. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeJson, mergeNamed, nest, sourcedAs } from '../../../src/engine/request/merge.ts'
import { ConnectorError } from '../../../src/std/errors.ts'

const at = { pointer: '/requester' }
const own = (value: Record<string, unknown>) => ({ source: 'request body', value }) as const
const token = (value: Record<string, unknown>) => ({ source: 'page_token_option', value }) as const
const size = (value: Record<string, unknown>) => ({ source: 'page_size_option', value }) as const

function refusal(merge: () => unknown): string {
  try {
    merge()
  } catch (error) {
    assert.ok(error instanceof ConnectorError)
    assert.equal(error.code, 'request/option-collision')
    return error.message
  }
  throw new Error('nothing was refused')
}

test('values of one source keep their order and know it', () => {
  assert.deepEqual(sourcedAs('authenticator', [{ name: 'a', value: 1 }]), [
    { source: 'authenticator', name: 'a', value: 1 },
  ])
})

test('a name is written once, even where both values are equal', () => {
  const entries = sourcedAs('request_parameters', [
    { name: 'a', value: 1 },
    { name: 'b', value: 2 },
  ])
  assert.deepEqual(mergeNamed(entries, 'the query parameter', at), entries)
  const again = [...entries, ...sourcedAs('page_token_option', [{ name: 'a', value: 1 }])]
  assert.equal(
    refusal(() => mergeNamed(again, 'the query parameter', at)),
    'request_parameters and page_token_option write the query parameter `a`.',
  )
  assert.equal(
    refusal(() => mergeNamed([...entries, ...entries], 'the header', at)),
    'request_parameters twice write the header `a`.',
  )
})

test('objects merge member by member, and leave their sources as they were', () => {
  const written = { page: { sort: 'id', at: { a: 1 } }, q: 'x' }
  const merged = mergeJson([own(written), token({ page: { from: 6, at: { b: 2 } } }), size({ page: { size: 3 } })], at)
  assert.deepEqual(merged, { page: { sort: 'id', at: { a: 1, b: 2 }, from: 6, size: 3 }, q: 'x' })
  assert.deepEqual(written, { page: { sort: 'id', at: { a: 1 } }, q: 'x' })
  assert.deepEqual(mergeJson([], at), {})
})

test('equal leaves agree; others are refused with where they are and who wrote them', () => {
  assert.deepEqual(mergeJson([own({ a: [1] }), token({ a: [1] })], at), { a: [1] })
  const messages: [Parameters<typeof mergeJson>[0], string][] = [
    [[own({ a: 1 }), token({ a: 2 })], 'request body and page_token_option write `a` in the JSON body.'],
    [
      [own({ a: {} }), token({ a: { b: 1 } }), size({ a: { b: 2 } })],
      'page_token_option and page_size_option write `a.b` in the JSON body.',
    ],
    [[token({ a: 1 }), token({ a: 2 })], 'page_token_option twice write `a` in the JSON body.'],
    [[own({ a: 1 }), token({ a: { b: 1 } })], 'request body and page_token_option write `a` in the JSON body.'],
    [[own({ a: { b: 1 } }), token({ a: 1 })], 'request body and page_token_option write `a` in the JSON body.'],
    [[own({ a: null }), token({ a: { b: 1 } })], 'request body and page_token_option write `a` in the JSON body.'],
  ]
  for (const [parts, message] of messages)
    assert.equal(
      refusal(() => mergeJson(parts, at)),
      message,
    )
})

test('a member may have any name', () => {
  const merged = mergeJson([own(JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}'))], at)
  assert.equal(JSON.stringify(merged), '{"__proto__":{"a":1},"constructor":2}')
  assert.equal(Object.getPrototypeOf(merged), Object.prototype)
})

test('a path becomes objects in each other', () => {
  assert.deepEqual(nest(['a', 'b'], 1), { a: { b: 1 } })
  assert.deepEqual(nest(['a'], null), { a: null })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestKey } from '../../../src/proof/detection/probe-sender.ts'

const get = (url: string, headers: Record<string, string> = {}) => ({ method: 'GET', url, headers, body: null })
const post = (body: string) => ({ method: 'POST', url: 'http://x.example/a', headers: {}, body })

test('requests that ask for the same are one, however they are spelt', () => {
  const same = [
    [get('http://x.example/a?b=1&c=a%20b'), get('http://x.example/a?c=a+b&b=1')],
    [get('http://x.example/a', { 'X-A': '1' }), get('http://x.example/a', { 'x-a': '1', accept: '*/*' })],
    [post('{"a": 1, "b": {"c": 2, "d": 3}}'), post('{"b":{"d":3,"c":2},"a":1}')],
    [post('a=1&b=2'), post('b=2&a=1')],
  ] as const
  for (const [one, other] of same) assert.equal(requestKey(one), requestKey(other))
})

test('what may matter keeps them apart', () => {
  const other = [
    [get('http://x.example/a?b=1&b=2'), get('http://x.example/a?b=2&b=1')],
    [get('http://x.example/a'), get('http://x.example/A')],
    [post('{"a": 1}'), post('{"a": "1"}')],
    [post('{"a": [1, 2]}'), post('{"a": [2, 1]}')],
    [post('{"id": 9007199254740993}'), post('{"id": 9007199254740992}')],
    [get('http://x.example/a', { 'X-A': '1' }), get('http://x.example/a', { 'X-A': '2' })],
  ] as const
  for (const [one, two] of other) assert.notEqual(requestKey(one), requestKey(two))
})

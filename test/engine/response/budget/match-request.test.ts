/** Which requests a matcher of a budget means. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MatcherPlan } from '../../../../src/engine/plan/budget.ts'
import { matchesRequest } from '../../../../src/engine/response/budget/budget.ts'
import { get, post } from '../asking.ts'

const any: MatcherPlan = { method: null, origin: null, path: null, query: {}, headers: {}, weight: 1 }
const request = get('https://API.shop:443/v1/orders/?page=2&page=3&q=a%20b', { 'X-Plan': 'pro' })

const rows: [name: string, matcher: Partial<MatcherPlan>, isMeant: boolean][] = [
  ['nothing named', {}, true],
  ['the method', { method: 'GET' }, true],
  ['another method', { method: 'POST' }, false],
  ['the origin', { origin: 'https://api.shop' }, true],
  ['the origin with its port', { origin: 'https://api.shop:443' }, true],
  ['another scheme', { origin: 'http://api.shop' }, false],
  ['CDK: an origin with a path matches nothing', { origin: 'https://api.shop/v1' }, false],
  ['CDK: a template for an origin matches nothing', { origin: "https://{{ config['domain'] }}/api" }, false],
  ['part of the path', { path: 'orders' }, true],
  ['CDK: the path has no slash at its end', { path: '/orders$' }, true],
  ['CDK: the path has one at its start', { path: '^orders' }, false],
  ['the query is no part of the path', { path: 'page' }, false],
  ['CDK: of a parameter sent twice the last counts', { query: { page: '3' } }, true],
  ['the first does not', { query: { page: '2' } }, false],
  ['a parameter is compared decoded', { query: { q: 'a b' } }, true],
  ['a parameter that is not there', { query: { toString: 'x' } }, false],
  ['a header in any case', { headers: { 'x-plan': 'pro' } }, true],
  ['a header with another value', { headers: { 'x-plan': 'Pro' } }, false],
  ['all must hold', { method: 'GET', path: 'orders', headers: { 'x-plan': 'free' } }, false],
]
for (const [name, matcher, isMeant] of rows) {
  test(`matcher: ${name}`, () => assert.equal(matchesRequest({ ...any, ...matcher }, request), isMeant))
}

test('matcher: a pattern that would take Python for ever is done at once', () => {
  const long = post(`https://api.shop/${'a'.repeat(50_000)}!`, '')
  assert.equal(matchesRequest({ ...any, path: '^/(a+)+$' }, long), false)
})

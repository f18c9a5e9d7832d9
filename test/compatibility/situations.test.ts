/** In which situations `npm run compat:airbyte -- --situation` compares the engines. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Situation, situations } from '../../compat/airbyte/situations.ts'
import { loadManifest } from '../../src/connector/load-manifest.ts'
import type { Endpoint, Role } from '../../src/lab/mirror/endpoint.ts'

const named = (name: string): Situation => situations[name] ?? assert.fail(name)

const request = (page: number) => ({
  method: 'GET',
  url: new URL(`https://api.example.com/orders?page=${page}`),
  headers: {},
  body: '',
})

function endpointIn(situation: string, role: Role, body: unknown = { orders: [] }): Endpoint {
  const endpoint: Endpoint = { role, name: 'orders', fit: () => 1, answer: () => ({ body }), shortfalls: [] }
  return named(situation).endpoint?.(endpoint) ?? assert.fail(situation)
}

test('a request is refused once, but a login never', () => {
  const orders = endpointIn('rate-limited-once', 'own')
  const statuses = [1, 2, 1, 2].map((page) => orders.answer(request(page)).status)
  assert.deepEqual(statuses, [429, 429, undefined, undefined])
  assert.equal(endpointIn('rate-limited-once', 'login').answer(request(1)).status, undefined)
})

test('a parent can be missing while its children are there', () => {
  const statuses = (['own', 'parent'] as const).map((role) => endpointIn('parent-not-found', role).answer(request(1)))
  assert.deepEqual(
    statuses.map(({ status }) => status),
    [undefined, 404],
  )
})

test('one record lacks what it can lack, between two that pages may depend on', () => {
  const records = [1, 2, 3].map((id) => ({ id, name: 'a' }))
  const bodyIn = (situation: string) =>
    endpointIn(situation, 'own', { total: 3, orders: records }).answer(request(1)).body
  const [first, , last] = records
  assert.deepEqual(bodyIn('missing-fields'), { total: 3, orders: [first, { id: 2 }, last] })
  assert.deepEqual(bodyIn('null-fields'), { total: 3, orders: [first, { id: 2, name: null }, last] })
  assert.deepEqual(bodyIn('no-records'), { total: 3, orders: [] })
})

test('a config has only what it must have, or the other options', () => {
  const manifest = loadManifest(
    JSON.stringify({
      version: '6.0.0',
      type: 'DeclarativeSource',
      check: { type: 'CheckStream', stream_names: [] },
      streams: [],
      spec: {
        type: 'Spec',
        connection_specification: {
          type: 'object',
          required: ['key'],
          properties: { key: { type: 'string' }, region: { enum: ['eu', 'us'] }, archived: { type: 'boolean' } },
        },
      },
    }),
  )
  const configIn = (situation: string, config: Record<string, unknown>) => named(situation).config?.(config, manifest)
  assert.deepEqual(configIn('required-config', { key: 'k', region: 'eu' }), { key: 'k' })
  assert.equal(configIn('required-config', { key: 'k' }), null)
  assert.deepEqual(configIn('other-options', { key: 'k', region: 'eu', archived: true }), {
    key: 'k',
    region: 'us',
    archived: false,
  })
  assert.equal(configIn('other-options', { key: 'k' }), null)
})

test('a state takes another shape, if it has what that needs', () => {
  const stateIn = (situation: string, state: Record<string, unknown>) => named(situation).state?.(state)
  const states = [{ partition: { shop: 1 } }, { partition: { shop: 2 } }]
  const partitioned = { use_global_cursor: false, states, state: { updated: '2026-06-01' } }
  assert.deepEqual(stateIn('state-of-one-cursor', partitioned), { updated: '2026-06-01' })
  assert.deepEqual(stateIn('state-of-some-partitions', partitioned), { ...partitioned, states: states.slice(1) })
  assert.equal(stateIn('state-of-some-partitions', { updated: '2026-06-01' }), null)
  assert.deepEqual(stateIn('state-before-start', { updated: '2026-06-01' }), { updated: '2020-06-01' })
  assert.equal(stateIn('state-in-future', { updated: 1_780_000_000 }), null)
})

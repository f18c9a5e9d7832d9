import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadManifest } from '../../../src/connector/load-manifest.ts'
import { delegateOf } from '../../../src/engine/streams/delegate.ts'
import { writtenStreams } from '../../../src/engine/streams/resolve-streams.ts'
import { daily } from '../../cli/shop.ts'
import { sourceOf, streamOf } from '../../helpers/manifests.ts'

const now = Date.parse('2024-02-01T00:00:00Z')
const whole = streamOf({ name: 'orders', requester: { path: '/whole' } })
const since = streamOf({ name: 'orders', requester: { path: '/since' }, stream: daily })

const delegating = (rest: object = {}) => ({
  type: 'StateDelegatingStream',
  name: 'orders',
  full_refresh_stream: whole,
  incremental_stream: since,
  ...rest,
})

/** `whole` or `since`, with a mark when the state must not be used. */
function chosen(stream: object, state?: Record<string, unknown>, config = {}): string {
  const manifest = loadManifest(sourceOf([stream as { name: string }]))
  const input = { manifest, config }
  const [one] = manifest.streams
  assert.ok(one)
  const delegate = delegateOf(input, one, state, now)
  const { requester } = delegate.stream.retriever as { requester: { path: string } }
  return `${requester.path.slice(1)}${delegate.isStale ? ', stale' : ''}`
}

describe('a stream that depends on its state', () => {
  test('is read whole without a state, and from there on with one', () => {
    assert.equal(chosen(delegating()), 'whole')
    assert.equal(chosen(delegating(), {}), 'whole')
    assert.equal(chosen(delegating(), { at: '2024-01-31T00:00:00Z' }), 'since')
    assert.equal(chosen(whole, { at: 'any' }), 'whole')
  })

  test('a state older than what the API keeps is not used', () => {
    const kept = delegating({ api_retention_period: 'P7D' })
    assert.equal(chosen(kept, { at: '2024-01-31T00:00:00Z' }), 'since')
    assert.equal(chosen(kept, { at: '2024-01-25T00:00:00Z' }), 'since')
    assert.equal(chosen(kept, { at: '2024-01-24T23:59:59Z' }), 'whole, stale')
  })

  test('reads the state in every shape Airbyte keeps it in', () => {
    const kept = delegating({ api_retention_period: 'P7D' })
    assert.equal(chosen(kept, { __ab_no_cursor_state_message: true }), 'since')
    const slices = (end: string) => ({ state_type: 'date-range', slices: [{ start: '2020-01-01T00:00:00Z', end }] })
    assert.equal(chosen(kept, slices('2024-01-31T00:00:00.000Z')), 'since')
    assert.equal(chosen(kept, slices('2023-01-31T00:00:00.000Z')), 'whole, stale')
    assert.equal(chosen(kept, { state: { at: '2024-01-31T00:00:00Z' }, states: [] }), 'since')
    assert.equal(chosen(kept, { state: { at: '2023-01-31T00:00:00Z' }, states: [] }), 'whole, stale')
  })

  test('a state that cannot be read counts as too old', () => {
    const kept = delegating({ api_retention_period: 'P7D' })
    for (const state of [{ at: 'yesterday' }, { other: 1 }, { at: null }, { state_type: 'date-range', slices: [] }]) {
      assert.equal(chosen(kept, state), 'whole, stale')
    }
  })

  test('the period may come from the config; an empty one is none', () => {
    const kept = delegating({ api_retention_period: "{{ config.get('days', '') }}" })
    assert.equal(chosen(kept, { at: '2020-01-01T00:00:00Z' }), 'since')
    assert.equal(chosen(kept, { at: '2020-01-01T00:00:00Z' }, { days: 'P1D' }), 'whole, stale')
    assert.throws(() => chosen(kept, { at: '2020-01-01T00:00:00Z' }, { days: 'soon' }), {
      code: 'plan/invalid-duration',
    })
  })

  test('its two streams share its name', () => {
    const other = delegating({ incremental_stream: { ...since, name: 'other' } })
    assert.throws(() => chosen(other), {
      code: 'manifest/invalid-value',
      message: /must share its name; one is "other"/,
    })
  })
})

describe('streams with a condition', () => {
  const manifest = loadManifest(
    sourceOf([
      streamOf({ name: 'plain' }),
      {
        type: 'ConditionalStreams',
        condition: "{{ config.get('more', false) }}",
        streams: [streamOf({ name: 'one' }), streamOf({ name: 'two' })],
      } as never,
    ]),
  )
  const names = (config: Record<string, unknown>) => writtenStreams({ manifest, config }).map(({ name }) => name)

  test('are there when it holds', () => {
    assert.deepEqual(names({}), ['plain'])
    assert.deepEqual(names({ more: true }), ['plain', 'one', 'two'])
    assert.deepEqual(names({ more: 'false' }), ['plain'])
  })
})

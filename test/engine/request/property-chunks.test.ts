/** The groups in which the properties of a stream are requested. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChunkingPlan, PropertiesPlan } from '../../../src/engine/plan/query-properties.ts'
import { placedProperties, propertyChunks, withProperties } from '../../../src/engine/request/property-chunks.ts'

const plan = (chunking: Partial<ChunkingPlan> | null, more: Partial<PropertiesPlan> = {}): PropertiesPlan => ({
  parameter: 'fields',
  source: [],
  always: ['id'],
  chunking: chunking === null ? null : { unit: 'properties', limit: null, mergeBy: [], ...chunking },
  selection: null,
  at: { pointer: '/p' },
  ...more,
})
const texts = (chunking: Partial<ChunkingPlan> | null, names: string[], selected: string[] | null = null) =>
  propertyChunks(plan(chunking), names, selected === null ? null : new Set(selected)).map((one) => one.join())

test('all properties are one group without a limit, narrowed by the schema unless it is a group without one', () => {
  assert.deepEqual(texts(null, ['a', 'b']), ['id,a,b'])
  assert.deepEqual(texts(null, ['a', 'b'], ['b']), ['id,b'])
  assert.deepEqual(texts({}, ['a', 'b'], ['b']), ['a,b,id'])
})

test('a group has as many properties as the limit, and there is always one', () => {
  const inTwos = (...names: string[]) => texts({ limit: 2 }, names)
  assert.deepEqual(inTwos('a', 'b'), ['id,a,b'])
  assert.deepEqual(inTwos('a', 'b', 'c', 'd', 'e'), ['id,a,b', 'id,c,d', 'id,e'])
  assert.deepEqual(inTwos(), ['id'])
  assert.deepEqual(texts({ limit: 2 }, ['a', 'b', 'c'], ['a', 'c']), ['id,a,c'])
})

test('a group has as many characters as the limit, with three for each comma; a longer name is alone', () => {
  const within = (limit: number, ...names: string[]) => texts({ unit: 'characters', limit }, names)
  assert.deepEqual(within(10, 'ab', 'cd', 'ef'), ['id,ab,cd', 'id,ef'])
  assert.deepEqual(within(9, 'ab', 'cd'), ['id,ab', 'id,cd'])
  assert.deepEqual(within(8, 'a', 'b', 'c'), ['id,a,b', 'id,c'])
  assert.deepEqual(within(5, 'too-long', 'a', 'too-long'), ['id,too-long', 'id,a', 'id,too-long'])
  // A letter is one character, however many units it has.
  assert.deepEqual(within(8, '😀', '😀'), ['id,😀,😀'])
})

test('a group goes into its parameter, where the author keeps one', () => {
  const [placed] = placedProperties(plan(null), ['a', 'b'])
  assert.deepEqual(placed, {
    source: 'query_properties',
    placement: { into: 'query', name: 'fields' },
    value: 'a,b',
  })
  assert.deepEqual(placedProperties(null, ['a']), [])
  assert.deepEqual(placedProperties(plan(null, { parameter: null }), ['a']), [])
  assert.deepEqual(placedProperties(plan(null), undefined), [])
})

test('templates see the group in the slice, next to what else it has', () => {
  const slice = withProperties({ partition: { a: 1 }, window: {}, extra: { b: 2 } }, ['c'])
  assert.deepEqual(slice, { partition: { a: 1 }, window: {}, extra: { b: 2, query_properties: ['c'] } })
})

/** Where records are found, counted, filtered and changed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Float, stringifyJson } from '../../../src/std/json.ts'
import { loadManifest, planStream } from '../../../src/index.ts'
import { selectRecords } from '../../../src/engine/records/select.ts'
import { manifestOf, type StreamParts } from '../../helpers/manifests.ts'
import { recordsOf } from './transforming.ts'

function select(parts: StreamParts, value: unknown, hasFloats = false) {
  const stream = planStream(loadManifest(manifestOf(parts)), 'items', { key: 'data' })
  return selectRecords({
    stream,
    config: { key: 'data' },
    slice: { partition: {}, window: {} },
    decoded: { value, hasFloats },
    isWanted: null,
    tools: { instances: new Map(), schema: null, onMisfit: () => {} },
  })
}
const ids = (parts: StreamParts, value: unknown) => select(parts, value).records.map((record) => record.id)

const paths: [name: string, path: string[], body: unknown, expected: unknown[]][] = [
  ['one name', ['data'], { data: [{ id: 1 }, { id: 2 }] }, [1, 2]],
  ['two names', ['result', 'items'], { result: { items: [{ id: 1 }] } }, [1]],
  ['the whole body, a list', [], [{ id: 1 }, { id: 2 }], [1, 2]],
  ['the whole body, one object', [], { id: 1 }, [1]],
  ['one object at a name', ['data'], { data: { id: 1 } }, [1]],
  ['an empty object is nothing', ['data'], { data: {} }, []],
  ['a missing name is nothing', ['data'], { other: [] }, []],
  ['null is nothing', ['data'], { data: null }, []],
  ['a wildcard over an object', ['data', '*'], { data: { a: { id: 1 }, b: { id: 2 } } }, [1, 2]],
  [
    'a wildcard over a list',
    ['data', '*', 'item'],
    { data: [{ item: { id: 1 } }, { other: 1 }, { item: { id: 2 } }] },
    [1, 2],
  ],
  [
    'a wildcard whose matches are lists',
    ['data', '*', 'items'],
    { data: { a: { items: [{ id: 1 }] }, b: { items: [{ id: 2 }] } } },
    [1, 2],
  ],
  ['two wildcards', ['*', '*'], { a: { x: { id: 1 } }, b: { y: { id: 2 } } }, [1, 2]],
  ['a position in a list', ['data', '1'], { data: [{ id: 1 }, { id: 2 }] }, [2]],
  [
    'Airbyte: the path is followed into each item of a list body',
    ['item'],
    [{ item: { id: 1 } }, { item: { id: 2 } }],
    [1, 2],
  ],
  ['a template', ['{{ config.key }}'], { data: [{ id: 1 }] }, [1]],
  ['a template that multiplies', ["{{ 'ab' * 2 }}"], { abab: [{ id: 1 }] }, [1]],
  ['names of the prototype are not there', ['constructor'], {}, []],
]
for (const [name, fieldPath, body, expected] of paths) {
  test(`path: ${name}`, () => assert.deepEqual(ids({ fieldPath }, body), expected))
}

test('an empty match of a wildcard counts as one of the page', () => {
  const { records, receivedCount } = select(
    { fieldPath: ['data', '*', 'node'] },
    { data: [{ node: {} }, { node: { id: 1 } }] },
  )
  assert.deepEqual(records, [{}, { id: 1 }])
  assert.equal(receivedCount, 2)
})

for (const node of [null, '', 0, false]) {
  test(`a match of a wildcard that is ${JSON.stringify(node)} is no record`, () => {
    const page = { data: [{ node: { id: 1 } }, { node }] }
    assert.throws(() => select({ fieldPath: ['data', '*', 'node'] }, page), { code: 'records/not-an-object' })
  })
}

test('texts and numbers are no records', () => {
  assert.throws(() => select({}, { data: ['a'] }), { code: 'records/not-an-object' })
  assert.throws(() => select({}, { data: [[1]] }), { code: 'records/not-an-object' })
})

const body = { data: [{ id: 1 }, { id: 2 }, { id: 3 }] }
const filter = { record_filter: { type: 'RecordFilter', condition: '{{ record.id > 2 }}' } }

test('a filter does not change what was received', () => {
  const { records, receivedCount, received } = select({ selector: filter }, body)
  assert.deepEqual(records, [{ id: 3 }])
  assert.equal(receivedCount, 3)
  assert.equal(received.length, 3)
})

for (const record_filter of [{ type: 'RecordFilter' }, { type: 'RecordFilter', condition: '' }]) {
  test(`a filter that asks nothing keeps everything: ${JSON.stringify(record_filter)}`, () => {
    assert.equal(select({ selector: { record_filter } }, body).records.length, 3)
  })
}

const add = (value: string, more: object = {}, onComponent: object = {}) => ({
  stream: {
    transformations: [
      {
        type: 'AddFields',
        fields: [{ type: 'AddedFieldDefinition', path: ['extra'], value, ...more }],
        ...onComponent,
      },
    ],
  },
})

const additions: [name: string, parts: StreamParts, expected: unknown][] = [
  ['from the record', add("x{{ record['id'] }}"), 'x1'],
  ['a number', add("{{ record['id'] + 1 }}"), 2],
  ['as text, by value_type', add("{{ record['id'] }}", { value_type: 'string' }), '1'],
  ['a nested path', add('v', { path: ['a', 'b'] }), undefined],
  ['under a condition that is false', add('v', {}, { condition: '{{ record.id > 5 }}' }), undefined],
]
for (const [name, parts, expected] of additions) {
  test(`AddFields: ${name}`, () => assert.deepEqual(select(parts, { data: [{ id: 1 }] }).records[0]?.extra, expected))
}

test('AddFields makes objects on the way and leaves the response alone', () => {
  const response = { data: [{ id: 1, a: { c: 1 } }] }
  assert.deepEqual(select(add('v', { path: ['a', 'b'] }), response).records, [{ id: 1, a: { c: 1, b: 'v' } }])
  assert.deepEqual(response, { data: [{ id: 1, a: { c: 1 } }] })
})

test('RemoveFields, with wildcards, leaves the response alone', () => {
  const response = { data: [{ id: 1, a: { x: 1, y: 2 }, b: [{ x: 1 }, { x: 2, z: 3 }] }] }
  const parts = {
    stream: { transformations: [{ type: 'RemoveFields', field_pointers: [['a', 'x'], ['b', '*', 'x'], ['nope']] }] },
  }
  assert.deepEqual(select(parts, response).records, [{ id: 1, a: { y: 2 }, b: [{}, { z: 3 }] }])
  assert.equal(
    (response.data[0] as { a: object }).a !== undefined && 'x' in (response.data[0] as { a: object }).a,
    true,
  )
})

test('records hold plain numbers; what cursors read keeps the float', () => {
  const { records, received } = select({}, { data: [{ price: new Float(2), id: 9007199254740993n }] }, true)
  assert.deepEqual(records, [{ price: 2, id: 9007199254740993n }])
  assert.deepEqual(received, [{ price: new Float(2), id: 9007199254740993n }])
})

test('a filter comes before the transformations, unless the stream says so or drops records by their time', () => {
  const incremental = (more: object) => ({
    type: 'DatetimeBasedCursor',
    cursor_field: 'at',
    datetime_format: '%Y-%m-%d',
    start_datetime: '2020-01-01',
    ...more,
  })
  const { stream } = add('{{ record.id }}')
  const made = { record_filter: { type: 'RecordFilter', condition: '{{ record.extra == 1 }}' } }
  const count = (selector: object, more: object = {}) =>
    select({ selector: { ...made, ...selector }, stream: { ...stream, ...more } }, body).records.length
  const byTime = { incremental_sync: incremental({ is_client_side_incremental: true }) }
  assert.equal(count({}), 0)
  assert.equal(count({ transform_before_filtering: true }), 1)
  assert.equal(count({}, { incremental_sync: incremental({}) }), 0)
  assert.equal(count({}, byTime), 1)
  assert.equal(count({ transform_before_filtering: false }, byTime), 0)
})

test('each transformation sees what those before it made, and a value that holds the record stays as it was', () => {
  const transformations = [
    { type: 'AddFields', fields: [{ path: ['before'], value: '{{ record }}' }] },
    { type: 'AddFields', fields: [{ path: ['geo', 'zip'], value: "{{ record['zip'] }}" }] },
    { type: 'RemoveFields', field_pointers: [['zip'], ['geo', 'lon']] },
    { type: 'DpathFlattenFields', field_path: ['geo'], delete_origin_value: true },
    { type: 'AddFields', fields: [{ path: ['names'], value: "{{ record.keys() | list | join(' ') }}" }] },
  ]
  const page = '[{"zip":"x8000","geo":{"lat":1,"lon":2},"__proto__":{"a":1}},{"zip":"x3000"}]'
  const [first, second] = recordsOf({ stream: { transformations } }, page)
  assert.equal(
    stringifyJson(first),
    '{"__proto__":{"a":1},"before":{"zip":"x8000","geo":{"lat":1,"lon":2},"__proto__":{"a":1}},"lat":1,"zip":"x8000","names":"__proto__ before lat zip"}',
  )
  assert.equal(stringifyJson(second), '{"before":{"zip":"x3000"},"zip":"x3000","names":"before zip"}')
})

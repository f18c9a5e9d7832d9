/** Records under several paths of a response. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, planStream } from '../../../src/index.ts'
import { selectRecords } from '../../../src/engine/records/select.ts'
import { parseJson } from '../../../src/std/json.ts'
import { manifestOf, offsetPaginator, type StreamParts } from '../../helpers/manifests.ts'

const paths = (...names: string[]) => names.map((name) => ({ type: 'DpathExtractor', field_path: [name] }))
const combined = (extractors: object[], more: object = {}): StreamParts => ({
  selector: { extractor: { type: 'CombinedExtractor', extractors, ...more } },
})
const planOf = (parts: StreamParts) => planStream(loadManifest(manifestOf(parts)), 'items', {})

function select(parts: StreamParts, value: unknown) {
  return selectRecords({
    stream: planOf(parts),
    config: {},
    slice: { partition: {}, window: {} },
    decoded: { value, hasFloats: false },
    isWanted: null,
    tools: { instances: new Map(), schema: null, onMisfit: () => {} },
  })
}

/** Expected results are what Airbyte's engine (CDK 7.39.1) gives. */
const body = { a: [{ id: 1 }, null, {}], b: [{ id: 2 }, { id: 3 }], empty: [null] }

test('the records of all lists, one list after the other', () => {
  const { records, receivedCount, list } = select(combined(paths('b', 'none', 'b')), body)
  assert.deepEqual(records, [{ id: 2 }, { id: 3 }, { id: 2 }, { id: 3 }])
  assert.equal(receivedCount, 4)
  assert.equal(list, 'found')
})

test('empty records are left out and counted', () => {
  const { records, receivedCount } = select(combined(paths('a', 'b'), { skip_empty_records: true }), body)
  assert.deepEqual(records, [{ id: 1 }, { id: 2 }, { id: 3 }])
  assert.equal(receivedCount, 5)
})

test('an empty record is what Python takes for false, also a zero with a point', () => {
  const { value } = parseJson('{"a": [0, 0.0, "", false, [], {"id": 1}]}')
  const { records, receivedCount } = select(combined(paths('a'), { skip_empty_records: true }), value)
  assert.deepEqual(records, [{ id: 1 }])
  assert.equal(receivedCount, 6)
})

test('only the first list that has a record', () => {
  const first = { mode: 'first_match', skip_empty_records: true }
  const { records, receivedCount } = select(combined(paths('none', 'empty', 'a', 'b'), first), body)
  assert.deepEqual(records, [{ id: 1 }])
  assert.equal(receivedCount, 3)
  const nothing = select(combined(paths('none', 'empty'), first), body)
  assert.deepEqual([nothing.records, nothing.receivedCount, nothing.list], [[], 1, 'found'])
})

test('of a first list whose items hold no records, the items are counted and those cut short too', () => {
  const expanding = {
    type: 'DpathExtractor',
    field_path: ['orders'],
    record_expander: { expand_records_from_field: ['lines', 'data'], truncation_indicator_path: ['lines', 'more'] },
  }
  const orders = [
    { id: 1, lines: { data: [] } },
    { id: 2, lines: { data: [], more: true } },
  ]
  const { records, receivedCount, received, truncated } = select(
    combined([...paths('none'), expanding], { mode: 'first_match' }),
    { orders },
  )
  assert.deepEqual([records, receivedCount, truncated], [[], 2, 1])
  // What a cursor continues after.
  assert.deepEqual(received, [orders[1]])
})

test('an offset cannot count a union of lists', () => {
  const paginator = offsetPaginator({ page_size: 2 })
  assert.throws(() => planOf({ ...combined(paths('a', 'b')), paginator }), { code: 'manifest/unsupported-component' })
  const nested = [{ type: 'CombinedExtractor', extractors: paths('a') }]
  assert.throws(() => planOf({ ...combined(nested, { mode: 'first_match' }), paginator }), {
    code: 'manifest/unsupported-component',
  })
  assert.ok(planOf({ ...combined(paths('a', 'b'), { mode: 'first_match' }), paginator }))
})

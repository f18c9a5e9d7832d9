/** Where a paging value goes, as the form shows it and as the manifest says it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placementNames, placeOf, withNames, withPlace } from '../../../../src/builder/stream/pagination/placement.ts'

const query = { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'cursor' }

test('every spelling of a place is read, the older ones too', () => {
  assert.equal(placeOf(query), 'request_parameter')
  assert.equal(placeOf({ type: 'RequestPath' }), 'path')
  assert.equal(placeOf({ inject_into: 'path' }), 'path')
  assert.equal(placeOf({ inject_into: 'body', field_name: 'x' }), 'body')
  assert.equal(placeOf('{{ odd }}'), '')
})

test('a value moves with its name, and unknown keys move along', () => {
  assert.deepEqual(withPlace({ ...query, note: 'mine' }, 'header', 'x'), {
    ...query,
    note: 'mine',
    inject_into: 'header',
  })
  assert.deepEqual(withPlace(query, 'path', 'x'), { type: 'RequestPath' })
  assert.deepEqual(withPlace({ type: 'RequestPath' }, 'body_data', 'cursor'), { ...query, inject_into: 'body_data' })
})

test('several names are a path into a JSON body, and only there', () => {
  const nested = withNames({ ...query, inject_into: 'body_json' }, ['page', 'cursor'])
  assert.deepEqual(nested, { type: 'RequestOption', inject_into: 'body_json', field_path: ['page', 'cursor'] })
  assert.deepEqual(placementNames(nested), ['page', 'cursor'])
  assert.deepEqual(withNames(nested, ['cursor']), { ...query, inject_into: 'body_json' })
  assert.deepEqual(withPlace(nested, 'request_parameter', 'x'), query)
  assert.equal(placementNames({ field_path: [['odd']] }), null)
})

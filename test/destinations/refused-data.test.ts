/** Which failures of a commit concern one stream. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChangedTable, concernsOneStream, nestedTooDeep } from '../../src/destinations/refused-data.ts'
import { ConnectorError } from '../../src/std/errors.ts'

test('a table that was changed, or is taken, and records that are refused concern one stream; a lost session, all', () => {
  const error = (code: 'destinations/data-refused' | 'destinations/table-taken' | 'destinations/lost') =>
    new ConnectorError(code, 'No.')
  assert.equal(concernsOneStream(error('destinations/data-refused')), true)
  assert.equal(concernsOneStream(error('destinations/table-taken')), true)
  assert.equal(concernsOneStream(new ChangedTable('It is gone.', 'live', {})), true)
  assert.equal(concernsOneStream(error('destinations/lost')), false)
  assert.equal(concernsOneStream(new Error('No.')), false)
})

test('a table is restored or dropped, what is staged is read again, unless the error knows better', () => {
  assert.match(new ChangedTable('It is gone.', 'live', {}).hint, /drop the table/)
  assert.match(new ChangedTable('It is gone.', 'staged', {}).hint, /--fresh/)
  assert.equal(new ChangedTable('It is longer.', 'live', { hint: 'Cut it.' }).hint, 'Cut it.')
})

test('a record that is nested too deeply is known by the overflow of the stack alone', () => {
  const overflow = new RangeError('Maximum call stack size exceeded')
  assert.equal(nestedTooDeep(overflow)?.code, 'destinations/data-refused')
  assert.equal(nestedTooDeep(overflow)?.cause, overflow)
  assert.equal(nestedTooDeep(new RangeError('Invalid array length')), null)
  assert.equal(nestedTooDeep(new Error('Maximum call stack size exceeded')), null)
})

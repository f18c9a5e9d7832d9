/** A row of the outline stays the same when its stream gets another place. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outlineRows, streamOfRow } from '../../../src/builder/editor/outline-rows.ts'
import { streamsIn } from '../../../src/document/stream-paths.ts'

const named = (...names: string[]) => ({ streams: names.map((name) => ({ type: 'DeclarativeStream', name })) })

test('rows are known by name, and numbered where a name is there twice', () => {
  const rows = outlineRows(streamsIn(named('a', 'b', 'a')))
  assert.deepEqual(
    rows.map(({ id, canRise, canSink }) => [id, canRise, canSink]),
    [
      ['a', false, true],
      ['b', true, true],
      ['a 2', true, false],
    ],
  )
})

test('where a stream is, is asked when it is needed', () => {
  assert.deepEqual(streamOfRow(named('a', 'b'), 'b')?.path, ['streams', 1])
  assert.deepEqual(streamOfRow(named('b', 'a'), 'b')?.path, ['streams', 0])
  assert.deepEqual(streamOfRow(named('b', 'a', 'b'), 'b 2')?.path, ['streams', 2])
  assert.equal(streamOfRow(named('a'), 'b'), null)
})

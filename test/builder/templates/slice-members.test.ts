/** What the manifest says about the slices of a stream, as names for templates. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sliceMembers } from '../../../src/builder/templates/slice-members.ts'
import { openDocument } from '../../../src/document/open-document.ts'

const parent = (field: string) =>
  `{ type: ParentStreamConfig, stream: { $ref: "#/definitions/shops" }, parent_key: id, partition_field: ${field} }`
const { value: root } = openDocument(`definitions:
  shops: { type: DeclarativeStream, name: shops }
  list: { type: ListPartitionRouter, values: [open, closed], cursor_field: status }
  parents: { type: SubstreamPartitionRouter, parent_stream_configs: [${parent('shop_id')}, ${parent('shop_id')}] }
  days: { type: DatetimeBasedCursor, partition_field_end: until }
streams:
  - $ref: "#/definitions/shops"
  - name: both
    retriever: { partition_router: [{ $ref: "#/definitions/list" }, { $ref: "#/definitions/parents" }] }
    incremental_sync: { $ref: "#/definitions/days" }
  - name: grouped
    retriever:
      partition_router: { type: GroupingPartitionRouter, underlying_partition_router: { $ref: "#/definitions/parents" } }
  - name: counted
    incremental_sync: { type: IncrementingCountCursor, cursor_field: id }
  - name: unnamed
    retriever:
      partition_router: { type: ListPartitionRouter, values: [], cursor_field: "{{ parameters['field'] }}" }
dynamic_streams:
  - name: made
    stream_template: { retriever: { partition_router: { $ref: "#/definitions/list" } } }
`)
const shown = (stream: string) => sliceMembers(root, stream).map(({ name, type, sample }) => [name, type, sample])

test('values of partitions and bounds of windows, each once, by the names that the manifest gives them', () => {
  assert.deepEqual(shown('both'), [
    ['status', 'str', '"open"'],
    ['shop_id', '', 'id of shops'],
    ['start_time', '', 'start of the window'],
    ['until', '', 'end of the window'],
  ])
  assert.deepEqual(shown('counted'), [['start', '', 'start value']])
})

test('a group has a list of each value', () => {
  assert.deepEqual(shown('grouped'), [['shop_id', 'list', '']])
})

test('the template of streams has the names of the streams made from it', () => {
  assert.deepEqual(shown('made'), [['status', 'str', '"open"']])
})

test('none where the stream is one slice, or only a read knows the name', () => {
  assert.deepEqual(shown('shops'), [])
  assert.deepEqual(shown('unnamed'), [])
  assert.deepEqual(shown('gone'), [])
})

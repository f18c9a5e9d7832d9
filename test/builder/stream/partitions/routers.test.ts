import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDocument } from '../../../../src/document/open-document.ts'
import { streamsIn } from '../../../../src/document/stream-paths.ts'
import { valueAt } from '../../../../src/document/value-path.ts'
import {
  addRouter,
  newParent,
  newRouter,
  parentOf,
  referenceTo,
  removeRouter,
  setParent,
} from '../../../../src/builder/stream/partitions/routers.ts'

const manifest = `definitions:
  shops: { name: shops }
  router: { type: ListPartitionRouter, values: [a], cursor_field: x }
streams:
  - $ref: "#/definitions/shops"
  - name: items
  - name: orders
    retriever:
      partition_router: { type: SubstreamPartitionRouter, parent_stream_configs: [{ stream: { $ref: "#/definitions/shops" } }] }
  - name: one
    retriever: { partition_router: { $ref: "#/definitions/router" } }
  - name: two
    retriever: { partition_router: { $ref: "#/definitions/router" } }
`
const parentAt = ['streams', 2, 'retriever', 'partition_router', 'parent_stream_configs', 0]
const routerAt = (stream: number) => ['streams', stream, 'retriever', 'partition_router']
const second = { type: 'ListPartitionRouter', values: ['b'], cursor_field: 'y' }

test('a parent is found by its definition, and referred to by it', () => {
  const { value: root } = openDocument(manifest)
  const streams = streamsIn(root)
  assert.equal(parentOf(root, parentAt, streams)?.name, 'shops')
  assert.deepEqual(
    streams.slice(0, 2).map((stream) => referenceTo(root, stream)),
    ['#/definitions/shops', '#/streams/1'],
  )
})

test('no name of a field is invented: a key is the primary key of the parent, or is left to the author', () => {
  const { value: root } = openDocument(
    'streams: [{ name: a, primary_key: [code] }, { name: b, primary_key: [x, y] }, { name: c }]',
  )
  const keyOf = (index: number) => newParent(root, streamsIn(root)[index]!)
  assert.deepEqual(keyOf(0), { type: 'ParentStreamConfig', stream: { $ref: '#/streams/0' }, parent_key: 'code' })
  assert.deepEqual(keyOf(1), { type: 'ParentStreamConfig', stream: { $ref: '#/streams/1' } })
  assert.deepEqual(keyOf(2), { type: 'ParentStreamConfig', stream: { $ref: '#/streams/2' } })
  assert.deepEqual(newRouter(root, 'ListPartitionRouter', []), { type: 'ListPartitionRouter', values: [] })
})

test('another parent changes the reference, and never the stream it refers to', () => {
  const [, items] = streamsIn(openDocument(manifest).value)
  assert.ok(items)
  assert.equal(
    setParent(manifest, parentAt, items),
    manifest.replace('stream: { $ref: "#/definitions/shops" }', 'stream: { $ref: "#/streams/1" }'),
  )
})

test('a second way to cut makes a list of both, for this stream alone', () => {
  const { value } = openDocument(addRouter(manifest, routerAt(3), second))
  assert.deepEqual(valueAt(value, routerAt(3)), [
    { type: 'ListPartitionRouter', values: ['a'], cursor_field: 'x' },
    second,
  ])
  assert.deepEqual(valueAt(value, routerAt(4)), { $ref: '#/definitions/router' })
})

test('one of two is taken away, and the other stays', () => {
  const both = addRouter(manifest, routerAt(2), second)
  const { value } = openDocument(removeRouter(both, routerAt(2), 0))
  assert.deepEqual(valueAt(value, routerAt(2)), [second])
})

/** The streams of a document, and how they come and go. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addStream, duplicateStream, moveStream, removeStream, renameStream } from '../../src/document/edit-streams.ts'
import { follow } from '../../src/document/follow.ts'
import { openDocument } from '../../src/document/open-document.ts'
import { streamsIn, streamsUsing } from '../../src/document/stream-paths.ts'
import type { Path } from '../../src/document/value-path.ts'

const shop = `version: 6.1.0
check:
  type: CheckStream
  stream_names: [orders] # fast
definitions:
  base:
    name: "{{ parameters['name'] }}"
    retriever: {type: SimpleRetriever}
  streams:
    items: # the largest
      name: items
      primary_key: id
streams:
  # first of all
  - name: orders
    type: DeclarativeStream
  - $ref: '#/definitions/streams/items'
  - $ref: '#/definitions/base'
    $parameters: {name: users, path: /users}
  - type: ConditionalStreams
    condition: "{{ config['more'] }}"
    streams:
      - name: refunds
dynamic_streams:
  - name: sheets
metadata:
  autoImportSchema:
    orders: true
`
const names = (text: string) => streamsIn(openDocument(text).value).map(({ name }) => name)

test('streams have their names from themselves, from references, parameters and groups', () => {
  assert.deepEqual(streamsIn(openDocument(shop).value), [
    { name: 'orders', path: ['streams', 0], kind: 'written' },
    { name: 'items', path: ['streams', 1], kind: 'written' },
    { name: 'users', path: ['streams', 2], kind: 'written' },
    { name: 'refunds', path: ['streams', 3, 'streams', 0], kind: 'conditional' },
    { name: 'sheets', path: ['dynamic_streams', 0], kind: 'dynamic' },
  ])
})

test('a document without streams has none, whatever it is', () => {
  for (const text of ['', 'streams:\n', 'streams: 1\n', '[]', 'x', 'streams: [1, null, {}]\n']) {
    assert.ok(names(text).every((name) => name.startsWith('stream ')))
  }
})

test('a definition lists the streams that would change with it', () => {
  const root = openDocument(shop).value
  assert.deepEqual(
    streamsUsing(root, ['definitions', 'base', 'retriever']).map(({ name }) => name),
    ['users'],
  )
})

test('a stream is added at the end', () => {
  const after = addStream(shop, { name: 'carts', type: 'DeclarativeStream' })
  const line = '  - name: carts\n    type: DeclarativeStream\n'
  assert.equal(after, shop.replace('dynamic_streams:', `${line}dynamic_streams:`))
})

test('the first stream of all is checked', () => {
  const after = openDocument(addStream('version: 6.1.0\ntype: DeclarativeSource\n', { name: 'a' })).value
  assert.deepEqual(after, {
    version: '6.1.0',
    type: 'DeclarativeSource',
    streams: [{ name: 'a' }],
    check: { type: 'CheckStream', stream_names: ['a'] },
  })
})

test('a stream in the list is copied there', () => {
  const after = duplicateStream(shop, ['streams', 0], 'orders_copy')
  const copy = '  - name: orders_copy\n    type: DeclarativeStream\n'
  assert.equal(
    after,
    shop.replace("  - $ref: '#/definitions/streams/items'", (found) => copy + found),
  )
})

test('a stream in the definitions is copied there, with a reference to it', () => {
  const after = duplicateStream(shop, ['streams', 1], 'items_copy')
  assert.deepEqual(names(after), ['orders', 'items', 'items_copy', 'users', 'refunds', 'sheets'])
  assert.match(after, /    items_copy:\n      name: items_copy\n      primary_key: id\nstreams:/)
  assert.match(after, /streams\/items'\n  - \$ref: "#\/definitions\/streams\/items_copy"\n/)
})

test('a stream named by its parameters is copied with them', () => {
  const after = duplicateStream(shop, ['streams', 2], 'people')
  assert.match(after, /    \$parameters: \{name: users, path: \/users\}\n  - \$ref: "#\/definitions\/base"\n/)
  assert.deepEqual(names(after), ['orders', 'items', 'users', 'people', 'refunds', 'sheets'])
})

test('a new name reaches the check and the notes of the builder', () => {
  const after = renameStream(shop, ['streams', 0], 'sales')
  assert.equal(
    after,
    shop
      .replace('[orders]', '[sales]')
      .replace('name: orders', 'name: sales')
      .replace('    orders: true', '    sales: true'),
  )
})

test('a new name reaches parents, whether they are references or written out, and the check of a template', () => {
  const text = `check:
  type: CheckDynamicStream
  dynamic_streams_check_configs:
    - {type: DynamicStreamCheckConfig, dynamic_stream_name: orders}
streams:
  - name: orders
  - name: lines
    retriever:
      partition_router:
        parent_stream_configs:
          - {parent_key: id, stream: {$ref: '#/streams/0'}}
          - parent_key: id
            stream:
              name: orders # the same, written out
          - {parent_key: id, stream: {name: carts}}
          - {parent_key: id, stream: {$ref: '#/definitions/parents/orders'}}
definitions:
  parents:
    orders: # a copy
      name: orders
`
  const after = renameStream(text, ['streams', 0], 'sales')
  assert.equal(
    after,
    text
      .replace('dynamic_stream_name: orders', 'dynamic_stream_name: sales')
      .replace('  - name: orders\n', '  - name: sales\n')
      .replace('name: orders # the same', 'name: sales # the same')
      .replace('      name: orders\n', '      name: sales\n'),
  )
})

test('a new name goes to the parameters where they hold the name', () => {
  assert.equal(renameStream(shop, ['streams', 2], 'people'), shop.replace('{name: users', '{name: people'))
})

test('a new name goes to the definition where that holds it', () => {
  assert.equal(renameStream(shop, ['streams', 1], 'things'), shop.replace('      name: items', '      name: things'))
})

test('a stream that goes is not checked any more; another one is', () => {
  const after = removeStream(shop, ['streams', 0])
  assert.deepEqual(names(after), ['items', 'users', 'refunds', 'sheets'])
  const { check, metadata } = openDocument(after).value as Record<string, unknown>
  assert.deepEqual(check, { type: 'CheckStream', stream_names: ['items'] })
  assert.deepEqual(metadata, { autoImportSchema: {} })
  assert.match(after, /# fast/)
})

test('a stream that goes leaves its definition', () => {
  assert.equal(removeStream(shop, ['streams', 1]), shop.replace("  - $ref: '#/definitions/streams/items'\n", ''))
})

test('the last stream leaves an empty list', () => {
  assert.equal(removeStream('streams:\n  - name: a\n', ['streams', 0]), 'streams: []\n')
})

test('a stream of a group goes', () => {
  assert.deepEqual(names(removeStream(shop, ['streams', 3, 'streams', 0])), ['orders', 'items', 'users', 'sheets'])
})

test('streams change places with the comments above them', () => {
  const after = moveStream(shop, ['streams', 0], 1)
  assert.match(after, /streams:\n  - \$ref: '#\/definitions\/streams\/items'\n  # first of all\n  - name: orders\n/)
  assert.equal(moveStream(after, ['streams', 1], 0), shop)
})

const family = `version: 6.1.0
definitions:
  requester: '#/streams/1/retriever/requester' # shared
streams:
  - name: events
  - name: customers # the parent
    retriever:
      requester: {url_base: https://api.test}
      again: {$ref: '#/streams/1/retriever/requester'}
  - name: invoices
    retriever:
      requester:
        $ref: "#/streams/1/retriever/requester"
        path: /invoices
      config_overrides: {note: '#/streams/1'}
      partition_router:
        parent_stream_configs:
          - stream: {$ref: '#/streams/-2'}
          - stream: &parent
              $ref: >-
                #/streams/1
          - stream: *parent
          - stream: "\\u0023/streams/1"
          - stream: {$ref: '#/streams/7'} # missing
`
const parents = (text: string, path: Path = ['streams', 2]): unknown[] => {
  const at = [...path, 'retriever', 'partition_router', 'parent_stream_configs']
  return [0, 1, 2, 3, 4].map((index) => follow(openDocument(text).value, [...at, index, 'stream', 'name']).value)
}
const allCustomers = ['customers', 'customers', 'customers', 'customers', undefined]

test('references by place follow a stream that is moved, and nothing else changes', () => {
  const plain = family.replace('"\\u0023/streams/1"', "'#/streams/1'")
  const after = moveStream(plain, ['streams', 1], 0)
  assert.deepEqual(parents(after), allCustomers)
  const [head = '', events = '', customers = '', rest = ''] = plain.split(/(?<=streams:\n)|(?=  - name)/)
  const renamed = (part: string) => part.replaceAll(/(?<!note: ')#\/streams\/(1|-2)/g, '#/streams/0')
  assert.equal(after, renamed(head) + renamed(customers) + events + renamed(rest))
  assert.deepEqual(parents(moveStream(family, ['streams', 1], 0)), allCustomers)
  assert.deepEqual(parents(moveStream(family, ['streams', 2], 0), ['streams', 0]), allCustomers)
})

test('references by place follow when a stream is added, copied or removed above', () => {
  assert.deepEqual(parents(addStream(family, { name: 'last' })), allCustomers)
  const copied = duplicateStream(family, ['streams', 0], 'events_copy')
  assert.deepEqual(parents(copied, ['streams', 3]), allCustomers)
  assert.deepEqual(parents(duplicateStream(family, ['streams', 1], 'clients'), ['streams', 3]), allCustomers)
  const fewer = removeStream(family, ['streams', 0])
  assert.deepEqual(parents(fewer, ['streams', 1]), allCustomers)
  assert.match(fewer, /note: '#\/streams\/1'/)
})

test('a stream that goes stays as a definition while something refers to it', () => {
  const after = removeStream(family, ['streams', 1])
  assert.deepEqual(names(after), ['events', 'invoices'])
  assert.deepEqual(parents(after, ['streams', 1]), allCustomers)
  const { definitions } = openDocument(after).value as Record<string, unknown>
  assert.deepEqual(definitions, {
    requester: '#/definitions/customers/retriever/requester',
    customers: {
      name: 'customers',
      retriever: {
        requester: { url_base: 'https://api.test' },
        again: { $ref: '#/definitions/customers/retriever/requester' },
      },
    },
  })
  const unused = family.replace('#/streams/-2', '#/streams/0').replaceAll(/(?<=requester.*#\/streams\/)1/g, '0')
  assert.doesNotMatch(removeStream(unused, ['streams', 2]), /invoices/)
})

test('what referred to a stream that was only a reference refers to its definition', () => {
  const text = shop.replace('name: refunds', "name: refunds\n        parent: {$ref: '#/streams/1'}")
  const after = removeStream(text, ['streams', 1])
  assert.equal(
    after,
    text.replace("  - $ref: '#/definitions/streams/items'\n", '').replace('#/streams/1', '#/definitions/streams/items'),
  )
})

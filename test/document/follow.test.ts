/** References: the value at a path, where it is written, what uses it, and how it is detached. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { detach, removeResolved, setResolved } from '../../src/document/edit-resolved.ts'
import { follow, usersOf } from '../../src/document/follow.ts'
import { openDocument } from '../../src/document/open-document.ts'
import { resolveIn } from '../../src/document/references.ts'
import { isSame } from '../../src/document/value-path.ts'
import { parseText } from '../../src/engine/manifest/parse.ts'
import { lastOf } from '../../src/engine/manifest/read-yaml.ts'
import { resolveReferences } from '../../src/engine/manifest/references.ts'
import { isObject } from '../../src/engine/manifest/tree.ts'

const shop = `definitions:
  paginator: # for all
    type: DefaultPaginator
    pagination_strategy:
      type: PageIncrement
      page_size: 100
  retriever:
    paginator:
      $ref: '#/definitions/paginator'
    record_selector: {type: RecordSelector}
  streams:
    orders:
      name: orders
      retriever:
        $ref: '#/definitions/retriever'
    items:
      name: items
      retriever:
        $ref: '#/definitions/retriever'
        record_selector: {type: Own}
streams:
  - $ref: '#/definitions/streams/orders'
  - '#/definitions/streams/items'
  - name: plain
    retriever:
      paginator: {type: NoPagination}
`
const root = openDocument(shop).value
const at = (index: number, ...path: string[]) => ['streams', index, ...path]
const strategy = ['definitions', 'paginator', 'pagination_strategy']

test('a place is written where its references lead', () => {
  const { value, writtenAt, through } = follow(
    root,
    at(0, 'retriever', 'paginator', 'pagination_strategy', 'page_size'),
  )
  assert.equal(value, 100)
  assert.deepEqual(writtenAt, [...strategy, 'page_size'])
  assert.deepEqual(through, ['#/definitions/streams/orders', '#/definitions/retriever', '#/definitions/paginator'])
})

test('a member next to a `$ref` overrides what the `$ref` brings in', () => {
  const { value, writtenAt } = follow(root, at(1, 'retriever', 'record_selector', 'type'))
  assert.equal(value, 'Own')
  assert.deepEqual(writtenAt, ['definitions', 'streams', 'items', 'retriever', 'record_selector', 'type'])
})

test('the value has every reference written out', () => {
  const { value } = follow(root, at(0))
  const paginator = { type: 'DefaultPaginator', pagination_strategy: { type: 'PageIncrement', page_size: 100 } }
  assert.deepEqual(value, { name: 'orders', retriever: { paginator, record_selector: { type: 'RecordSelector' } } })
})

test('a missing value would be written where nothing else changes', () => {
  const inDefinition = follow(root, at(0, 'primary_key'))
  assert.equal(inDefinition.value, undefined)
  assert.deepEqual(inDefinition.writtenAt, ['definitions', 'streams', 'orders', 'primary_key'])
  const besideReference = follow(root, at(0, 'retriever', 'partition_router', 'type')).writtenAt
  assert.deepEqual(besideReference, ['definitions', 'streams', 'orders', 'retriever', 'partition_router', 'type'])
})

test('the users of a shared definition are all who reach it', () => {
  assert.deepEqual(usersOf(root, strategy), [
    at(0, 'retriever', 'paginator', 'pagination_strategy'),
    at(1, 'retriever', 'paginator', 'pagination_strategy'),
  ])
  assert.deepEqual(usersOf(root, ['definitions', 'retriever', 'record_selector']), [
    at(0, 'retriever', 'record_selector'),
  ])
  assert.deepEqual(usersOf(root, at(2, 'name')), [at(2, 'name')])
})

test('a change is made where the thing is written, and the rest of the text stays', () => {
  const after = setResolved(shop, at(0, 'retriever', 'paginator', 'pagination_strategy', 'page_size'), 50)
  assert.equal(after, shop.replace('page_size: 100', 'page_size: 50'))
})

test('a resolved value that is set whole leaves the references in it that still say the same', () => {
  const { value } = follow(root, at(0))
  assert.equal(setResolved(shop, at(0), value), shop)
  const changed = setResolved(shop, at(0), { ...(value as object), primary_key: 'id' })
  assert.equal(
    changed,
    shop.replace(
      "      name: orders\n      retriever:\n        $ref: '#/definitions/retriever'\n",
      (found) => `${found}      primary_key: id\n`,
    ),
  )
})

test('detached, a stream has its own value and shares the rest', () => {
  const path = at(0, 'retriever', 'paginator', 'pagination_strategy', 'page_size')
  const after = setResolved(detach(shop, path), path, 7)
  const changed = openDocument(after).value
  assert.equal(follow(changed, path).value, 7)
  assert.equal(follow(changed, at(1, 'retriever', 'paginator', 'pagination_strategy', 'page_size')).value, 100)
  assert.equal(follow(changed, at(0, 'retriever', 'paginator', 'type')).value, 'DefaultPaginator')
  assert.deepEqual(follow(changed, at(0, 'retriever', 'record_selector')).writtenAt, [
    'definitions',
    'retriever',
    'record_selector',
  ])
  assert.ok(after.startsWith(shop.slice(0, shop.indexOf('    items:') - 1)))
})

test('detached as a whole, a section is a copy of its own', () => {
  const after = detach(shop, at(0, 'retriever', 'paginator'))
  const written = follow(openDocument(after).value, at(0, 'retriever', 'paginator', 'type')).writtenAt
  assert.deepEqual(written, ['definitions', 'streams', 'orders', 'retriever', 'paginator', 'type'])
  assert.equal(detach(after, at(0, 'retriever', 'paginator')), after)
})

test('what is not shared is not copied', () => {
  assert.equal(detach(shop, at(0, 'name')), shop)
  assert.equal(detach(shop, at(2, 'retriever', 'paginator', 'type')), shop)
})

test('removing a member that hid a shared one hides it still', () => {
  const after = openDocument(removeResolved(shop, at(1, 'retriever', 'record_selector'))).value
  assert.equal(follow(after, at(1, 'retriever', 'record_selector')).value, null)
  assert.deepEqual(follow(after, at(0, 'retriever', 'record_selector')).value, { type: 'RecordSelector' })
})

test('removing what is not there changes nothing', () => {
  assert.equal(removeResolved(shop, at(0, 'retriever', 'requester')), shop)
})

test('circles and dead ends are places like others', () => {
  const text = `a: {$ref: '#/b', x: 1}\nb: {$ref: '#/a', y: 2}\nc: '#/c'\nd: {$ref: '#/nowhere'}\ne: {f: {$ref: '#/e'}}\n`
  const circle = openDocument(text).value
  assert.equal(follow(circle, ['a', 'y']).value, 2)
  assert.equal(follow(circle, ['a', 'z']).value, undefined)
  assert.deepEqual(follow(circle, ['c']).value, {})
  assert.equal(follow(circle, ['c', 'x']).value, undefined)
  assert.equal(follow(circle, ['d', 'x', 'y']).value, undefined)
  assert.deepEqual(follow(circle, ['e', 'f', 'f', 'f']).writtenAt, ['e'])
  assert.ok(usersOf(circle, ['e', 'f']).length > 0)
  assert.equal(openDocument(setResolved(text, ['a', 'y'], 3)).problem, null)
  assert.equal(openDocument(detach(text, ['e', 'f', 'f', 'f'])).problem, null)
})

test('a text that looks like a reference is none below `config_overrides`', () => {
  const overrides = openDocument(`x: 1\na: {config_overrides: {path: '#/x'}}\n`).value
  assert.equal(follow(overrides, ['a', 'config_overrides', 'path']).value, '#/x')
  assert.deepEqual(follow(overrides, ['a', 'config_overrides', 'path']).writtenAt, ['a', 'config_overrides', 'path'])
})

test('public manifests come out as the engine resolves them', () => {
  for (const file of readdirSync('test/manifests')) {
    const text = readFileSync(`test/manifests/${file}`, 'utf8')
    const { value, places } = parseText(text)
    assert.ok(isObject(value))
    const document = openDocument(text).value
    assert.ok(isSame(resolveIn(document, document), lastOf(resolveReferences(value, places)).root), file)
  }
})

test('after an edit, users are those of the document as it is now: values may change, references and names count', () => {
  const shared = { $ref: '#/definitions/a' }
  const users = (document: unknown) => usersOf(document, ['definitions', 'a', 'x']).map((path) => path.join('/'))
  const first = { definitions: { a: { x: '1' }, b: {} }, streams: [shared, shared] }
  assert.deepEqual(users(first), ['streams/0/x', 'streams/1/x'])
  const edited = { ...first, definitions: { a: { x: '2' }, b: {} } }
  assert.deepEqual(users(edited), ['streams/0/x', 'streams/1/x'])
  const named = { ...edited, streams: [shared, { $ref: '#/definitions/a', x: 'own' }] }
  assert.deepEqual(users(named), ['streams/0/x'])
  const turned = { ...named, streams: [shared, { $ref: '#/definitions/a', x: '#/definitions/a/x' }] }
  assert.deepEqual(users(turned), ['streams/0/x', 'streams/1/x'])
  const moved = { ...turned, streams: [{ $ref: '#/definitions/b' }, shared] }
  assert.deepEqual(users(moved), ['streams/1/x'])
  assert.deepEqual(users({ ...moved, streams: [shared] }), ['streams/0/x'])
  assert.deepEqual(users(first), ['streams/0/x', 'streams/1/x'])
})

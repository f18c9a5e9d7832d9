/** What may be written at the cursor (¦) in a manifest that cannot be parsed yet. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { offersAt } from '../../../src/builder/yaml/manifest-offers.ts'
import { referenceTargets } from '../../../src/builder/yaml/reference-targets.ts'
import { writtenPlace } from '../../../src/builder/yaml/written-place.ts'

function offers(marked: string, root: unknown = {}) {
  const lines = marked.split('\n')
  const line = lines.findIndex((one) => one.includes('¦'))
  const column = (lines[line] as string).indexOf('¦')
  const plain = lines.map((one) => one.replace('¦', ''))
  const place = writtenPlace({ count: plain.length, at: (index) => plain[index] as string }, line, column)
  return place === null ? null : offersAt(place, () => referenceTargets(root))
}
const labels = (marked: string, root?: unknown) => offers(marked, root)?.map(({ label }) => label)

const stream = `streams:
  - type: DeclarativeStream
    name: orders
    retriever:
      type: SimpleRetriever
      paginator:
        type: DefaultPaginator
`

test('at the top, the fields of a source that are not there yet', () => {
  const found = labels('version: 6.0.0\ntype: DeclarativeSource\n¦')
  assert.ok(found?.includes('streams') && found.includes('definitions'))
  assert.ok(!found?.includes('version') && !found?.includes('type'))
})

test('in a component, its own fields, with what they hold in words', () => {
  const found = offers(`${stream}        pagination_strategy:\n          type: PageIncrement\n          ¦`)
  assert.deepEqual(
    found?.map(({ label, detail }) => [label, detail]),
    [
      ['page_size', 'a whole number or text'],
      ['start_from_page', 'a whole number'],
      ['inject_on_first_request', 'true or false'],
      ['$ref', 'what is written elsewhere'],
      ['$parameters', 'values for the templates below'],
    ],
  )
})

test('where no type is written, the types that are allowed there', () => {
  const found = labels(`${stream}        pagination_strategy:\n          ¦`)
  assert.deepEqual(found?.slice(0, 4), [
    'type: PageIncrement',
    'type: OffsetIncrement',
    'type: CursorPagination',
    'type: CustomPaginationStrategy',
  ])
})

test('after `type:`, the types; after a choice, its values; after a switch, true and false', () => {
  assert.deepEqual(labels(`${stream}        page_token_option:\n          type: ¦`), ['RequestOption', 'RequestPath'])
  assert.deepEqual(
    labels(`${stream}        page_token_option:\n          type: RequestOption\n          inject_into: ¦`),
    ['request_parameter', 'header', 'body_data', 'body_json'],
  )
  assert.deepEqual(
    labels(
      `${stream}        pagination_strategy:\n          type: OffsetIncrement\n          inject_on_first_request: ¦`,
    ),
    ['true', 'false'],
  )
})

test('lists may start at the column of their key, and items begin at a dash', () => {
  const found = labels('type: DeclarativeSource\nstreams:\n- type: DeclarativeStream\n  na¦')
  assert.ok(found?.includes('name') && found.includes('retriever'))
  assert.ok(labels('type: DeclarativeSource\nstreams:\n- ¦')?.includes('type: DeclarativeStream'))
})

test('members of another item, or of another component, are not taken for its own', () => {
  const found = labels('streams:\n  - type: DeclarativeStream\n    name: a\n  - type: DeclarativeStream\n    ¦')
  assert.ok(found?.includes('name'))
})

test('in definitions, a component is known by its type', () => {
  const found = labels('definitions:\n  pages:\n    type: CursorPagination\n    ¦')
  assert.deepEqual(found?.slice(0, 2), ['cursor_value', 'page_size'])
})

test('references lead to what is defined, what fits first', () => {
  const root = { definitions: { pages: { type: 'PageIncrement' }, 'a/b': { type: 'HttpRequester' } } }
  const found = offers(`${stream}        pagination_strategy:\n          $ref: ¦`, root)
  assert.deepEqual(
    found?.map(({ label, insert, isNeeded }) => [label, insert, isNeeded]),
    [
      ['#/definitions/pages', '"#/definitions/pages"', true],
      ['#/definitions/a~1b', '"#/definitions/a~1b"', false],
    ],
  )
})

test('a component continues below its key, a list with a dash', () => {
  const found = offers('type: DeclarativeSource\n¦') ?? []
  assert.equal(found.find(({ label }) => label === 'spec')?.insert, 'spec:\n  ')
  assert.equal(found.find(({ label }) => label === 'streams')?.insert, 'streams:\n  - ')
  assert.equal(found.find(({ label }) => label === 'version')?.insert, 'version: ')
})

test('nothing inside a text of several lines, or in a comment', () => {
  assert.equal(labels('description: |\n  some text\n  ¦'), undefined)
  assert.equal(labels('version: 6.0.0 # wh¦'), undefined)
})

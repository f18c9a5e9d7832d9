import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settleComponents } from '../../../src/engine/manifest/parameters.ts'
import { parseText } from '../../../src/engine/manifest/parse.ts'
import { nodeAt, objectAt } from './node-at.ts'

function settle(text: string) {
  const { value, places } = parseText(text)
  return { root: settleComponents(objectAt(value), places).root, places }
}

const rows: [string, string, unknown][] = [
  [
    'parameters are written onto the component and handed down',
    '{type: A, $parameters: {p: 1}, child: {type: B, q: 2}}',
    { type: 'A', p: 1, $parameters: { p: 1 }, child: { type: 'B', q: 2, p: 1, $parameters: { p: 1 } } },
  ],
  [
    'those of the child win',
    '{type: A, $parameters: {p: 1}, child: {type: B, $parameters: {p: 2}}}',
    { type: 'A', p: 1, $parameters: { p: 1 }, child: { type: 'B', p: 2, $parameters: { p: 2 } } },
  ],
  [
    'a field the author wrote stays, unless it is empty',
    '{type: A, $parameters: {p: 1, q: 1, r: 1}, p: 5, q: 0, r: ""}',
    { type: 'A', p: 5, q: 1, r: 1, $parameters: { p: 1, q: 1, r: 1 } },
  ],
  [
    'the members of a list get them too',
    '{type: A, $parameters: {p: 1}, list: [{type: B}, text, {x: 1}]}',
    { type: 'A', p: 1, $parameters: { p: 1 }, list: [{ type: 'B', p: 1, $parameters: { p: 1 } }, 'text', { x: 1 }] },
  ],
  [
    'a JSON schema does not',
    '{type: A, $parameters: {p: 1}, schema: {type: object, properties: {a: {type: B}}}, other: {type: ["null", object]}}',
    {
      type: 'A',
      p: 1,
      $parameters: { p: 1 },
      schema: { type: 'object', properties: { a: { type: 'B' } } },
      other: { type: ['null', 'object'] },
    },
  ],
  [
    'nor does an object without a type, but a component directly inside does',
    '{type: A, $parameters: {p: 1}, map: {x: {type: QueryProperties}, y: {z: {type: B}}}}',
    {
      type: 'A',
      p: 1,
      $parameters: { p: 1 },
      map: { x: { type: 'QueryProperties', p: 1, $parameters: { p: 1 } }, y: { z: { type: 'B' } } },
    },
  ],
  [
    'parameters of an object without a type reach the components inside, and are gone',
    '{type: A, map: {$parameters: {p: 1}, x: {type: B}}, other: {$parameters: {p: 1}, y: 2}}',
    { type: 'A', map: { x: { type: 'B', p: 1, $parameters: { p: 1 } } }, other: { y: 2 } },
  ],
  [
    'a parameter is not handed to the field of its own name',
    '{type: A, $parameters: {child: {type: B}, p: 1}}',
    {
      type: 'A',
      p: 1,
      child: { type: 'B', p: 1, $parameters: { p: 1 } },
      $parameters: { child: { type: 'B' }, p: 1 },
    },
  ],
  [
    'types are filled in by place',
    '{type: DeclarativeStream, retriever: {requester: {url_base: x}, record_selector: {extractor: {field_path: []}}}}',
    {
      type: 'DeclarativeStream',
      retriever: {
        type: 'SimpleRetriever',
        requester: { type: 'HttpRequester', url_base: 'x' },
        record_selector: { type: 'RecordSelector', extractor: { type: 'DpathExtractor', field_path: [] } },
      },
    },
  ],
  [
    'a class_name makes it custom',
    '{type: DefaultPaginator, pagination_strategy: {class_name: source_x.y.Z}}',
    { type: 'DefaultPaginator', pagination_strategy: { type: 'CustomPaginationStrategy', class_name: 'source_x.y.Z' } },
  ],
  [
    'Airbyte: page_token_option gets no type, page_size_option does',
    '{type: DefaultPaginator, page_token_option: {field_name: a}, page_size_option: {field_name: b}}',
    {
      type: 'DefaultPaginator',
      page_token_option: { field_name: 'a' },
      page_size_option: { type: 'RequestOption', field_name: 'b' },
    },
  ],
  [
    'a whole float in a field of numbers is that number',
    '{type: PageIncrement, page_size: 50.0}',
    { type: 'PageIncrement', page_size: 50 },
  ],
  [
    'Airbyte: a state migration without a type is the one for states of old',
    '{type: DeclarativeStream, state_migrations: [{Type: LegacyToPerPartitionStateMigration}]}',
    {
      type: 'DeclarativeStream',
      state_migrations: [{ type: 'LegacyToPerPartitionStateMigration', Type: 'LegacyToPerPartitionStateMigration' }],
    },
  ],
]

for (const [name, text, expected] of rows) {
  test(name, () => assert.deepEqual(settle(text).root, expected))
}

test('a field that a parameter wrote is placed where the parameter was written', () => {
  const { root, places } = settle('type: A\n$parameters:\n  p: 1\nchild:\n  type: B\n')
  assert.deepEqual(places.at(nodeAt(root, 'child'), 'p'), { pointer: '/$parameters/p', line: 3, column: 6 })
  assert.equal(places.wrote(nodeAt(root, 'child'), 'p'), false)
})

test('a component that needs nothing is handed on as it is', () => {
  const text = '{type: A, child: {type: B}}'
  const { value, places } = parseText(text)
  assert.equal(settleComponents(objectAt(value), places).root, value)
})

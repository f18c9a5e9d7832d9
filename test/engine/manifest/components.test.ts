import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type ComponentOf,
  components,
  type ComponentFields,
  isComponent,
  isComponentType,
  type FieldKind,
} from '../../../src/engine/manifest/components.ts'
import { alternativesOf } from '../../../src/engine/manifest/value-kinds.ts'

test('every component type that a field names is in the table', () => {
  const simple = new Set(['text', 'template', 'integer', 'number', 'boolean', 'null', 'map', 'schema', 'any'])
  const strays = (kind: FieldKind): unknown[] =>
    alternativesOf(kind).flatMap((one): unknown[] => {
      if (typeof one === 'string') return simple.has(one) || isComponentType(one) ? [] : [one]
      if ('list' in one) return strays(one.list)
      if ('map' in one) return strays(one.map)
      return 'shape' in one ? Object.values(one.shape).flatMap(strays) : []
    })
  for (const [type, fields] of Object.entries<ComponentFields>(components)) {
    assert.deepEqual(Object.values(fields).flatMap(strays), [], type)
  }
})

function pathOf({ extractor }: ComponentOf<'RecordSelector'>): readonly string[] | null {
  return extractor.type === 'DpathExtractor' ? extractor.field_path : null
}

test('fields are typed by the table', () => {
  const requester: unknown = { type: 'HttpRequester', http_method: 'POST', url_base: 'https://x' }
  assert.ok(isComponent(requester, 'HttpRequester'))
  const method: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH' | undefined = requester.http_method
  const url: string | undefined = requester.url_base
  assert.deepEqual([method, url], ['POST', 'https://x'])
  assert.deepEqual(pathOf({ type: 'RecordSelector', extractor: { type: 'DpathExtractor', field_path: ['a'] } }), ['a'])
})

test('a guard distinguishes types', () => {
  assert.equal(isComponent({ type: 'NoAuth' }, 'BearerAuthenticator'), false)
  assert.equal(isComponent(null, 'NoAuth'), false)
  assert.equal(isComponentType('constructor'), false)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchingStreams } from '../../../src/builder/editor/matching-streams.ts'
import { proposedClassName } from '../../../src/builder/fields/class-name.ts'
import { findVersions } from '../../../src/builder/versions/find-versions.ts'
import { locateClass } from '../../../src/connector/load-class.ts'

test('streams that have every word, in any order and case', () => {
  const streams = ['Order_Items', 'orders', 'items'].map((name) => ({
    name,
    path: ['streams', 0],
    kind: 'written' as const,
  }))
  const found = (wanted: string) => matchingStreams(streams, wanted).map(({ name }) => name)
  assert.deepEqual(found('item ORDER'), ['Order_Items'])
  assert.deepEqual(found(' '), ['Order_Items', 'orders', 'items'])
  assert.deepEqual(found('x'), [])
})

test('versions by label and day', () => {
  const version = (label: string | null, savedAt: string) => ({
    version: savedAt,
    savedAt,
    bytes: 1,
    isCurrent: false,
    label,
  })
  const versions = [version('works with API v2', '2026-11-16T10:00:00.000Z'), version(null, '2026-11-15T10:00:00.000Z')]
  assert.deepEqual(findVersions(versions, 'V2 works'), [versions[0]])
  assert.deepEqual(findVersions(versions, '2026-11-15'), [versions[1]])
  assert.equal(findVersions(versions, '').length, 2)
})

test('a proposed class has a name that the engine accepts, whatever the connector is called', () => {
  for (const connector of ['shop', 'my-shop', 'a_b-c', '3scale', '-']) {
    const name = proposedClassName(connector === '-' ? 'x' : connector, 'CustomPaginationStrategy')
    assert.ok(locateClass(name, undefined).exportName.endsWith('PaginationStrategy'), name)
  }
  assert.equal(proposedClassName('my-shop', 'CustomDecoder'), 'source_my_shop.components.MyShopDecoder')
})

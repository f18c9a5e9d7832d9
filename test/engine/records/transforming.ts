/** Runs transformations the way a stream does: planned from a manifest, on a response that must stay as it was. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseJson, stringifyJson } from '../../../src/std/json.ts'
import { type JsonSchema, loadManifest, planStream } from '../../../src/index.ts'
import { selectRecords } from '../../../src/engine/records/select.ts'
import { loadSnakeCase } from '../../../src/engine/records/snake-case.ts'
import { isObject } from '../../../src/std/values/objects.ts'
import { manifestOf, type StreamParts } from '../../helpers/manifests.ts'

export const config = { k: 'a' }

// As opening a stream does.
await loadSnakeCase([{ kind: 'keys-to-snake-case' }])

/** The records made of one page of them, given as JSON text. */
export function recordsOf(parts: StreamParts, page: string): Record<string, unknown>[] {
  const stream = planStream(loadManifest(manifestOf({ fieldPath: [], ...parts })), 'items', config)
  const decoded = parseJson(page)
  const before = stringifyJson(decoded.value)
  const slice = { partition: { shop: 's1' }, window: {} }
  const isFitted = stream.selector.normalization.kind === 'cast' && stream.schema.kind === 'inline'
  const schema = isFitted ? (stream.schema as { schema: JsonSchema }).schema : null
  const tools = { instances: new Map(), schema, onMisfit: () => {} }
  const { records } = selectRecords({ stream, config, slice, decoded, isWanted: null, tools })
  assert.equal(stringifyJson(decoded.value), before, 'the response was changed in place')
  return records
}

export function transform(transformation: object, record: string): unknown {
  return recordsOf({ stream: { transformations: [transformation] } }, record)[0]
}

export type Row = [name: string, fields: object, record: string, expected: string]

/** One test per row. Expected results are what Airbyte's own classes (CDK 7.28.2) give. */
export function transformationTable(type: string, rows: readonly Row[]): void {
  for (const [name, fields, record, expected] of rows) {
    test(`${type}: ${name}`, () => {
      assert.equal(sorted(transform({ type, ...fields }, record)), sorted(parseJson(expected).value))
    })
  }
}

/** Names in one order, since the order of an object's members means nothing. */
function sorted(value: unknown): string {
  return stringifyJson(inOrder(value))
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (!isObject(value)) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([name, member]) => [name, inOrder(member)]))
}

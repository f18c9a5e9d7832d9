/** What Airbyte's own decoders (CDK 7.28.2) make of a body, and that we make the same of it, however it is cut. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseJson, stringifyJson } from '../../../../src/std/json.ts'
import { bytesOf, decoded, planOf } from './decoding.ts'

type Vector = {
  kind: 'csv' | 'jsonl' | 'lines' | 'items' | 'xml'
  options?: { encoding?: string; delimiter?: string; nulls?: string[]; path?: string }
  text?: string
  base64?: string
  items?: unknown[]
  fails?: true
}

const vectors = parseJson(readFileSync('test/vectors/decoders.json', 'utf8')).value as Vector[]

const types = {
  csv: 'CsvDecoder',
  jsonl: 'JsonlDecoder',
  lines: 'IterableDecoder',
  items: 'JsonItemsDecoder',
  xml: 'XmlDecoder',
} as const

function decoderOf({ kind, options = {} }: Vector): Record<string, unknown> {
  const { encoding, delimiter, nulls, path } = options
  return {
    type: types[kind],
    ...(encoding && { encoding }),
    ...(delimiter && { delimiter }),
    ...(nulls && { set_values_to_none: nulls }),
    ...(path && { items_path: path }),
  }
}

for (const [kind, type] of Object.entries(types)) {
  test(`${type}: the same items as Airbyte's, whole and in pieces of 1, 2, 3 and 7 bytes`, async () => {
    for (const vector of vectors.filter((candidate) => candidate.kind === kind)) {
      const plan = planOf(decoderOf(vector))
      const body = vector.base64 === undefined ? bytesOf(vector.text ?? '') : Buffer.from(vector.base64, 'base64')
      const utf8 = { 'content-type': 'text/plain; charset=utf-8' }
      for (const pieceLength of [undefined, 1, 2, 3, 7]) {
        const options = { headers: utf8, ...(pieceLength !== undefined && { pieceLength }) }
        if (vector.fails) {
          await assert.rejects(decoded(plan, body, options), { code: 'response/not-decodable' }, vector.text)
          continue
        }
        const value = await decoded(plan, body, options)
        const items = kind === 'xml' ? [value] : value
        assert.equal(stringifyJson(items), stringifyJson(vector.items), vector.text)
      }
    }
  })
}

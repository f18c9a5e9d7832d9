/** Descriptions with parts replaced at random: imported, or refused in words. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { load } from 'js-yaml'
import { type DescriptionKind, openDescription, importConnector } from '../../src/import/import-api.ts'
import { ConnectorError } from '../../src/std/errors.ts'

const odd = [
  null,
  1,
  'x',
  '',
  [],
  {},
  true,
  [null],
  { $ref: '#' },
  { type: ['object', 'array'] },
  '{{ x }}',
  { allOf: [null] },
  '\u0000',
]

/** The same numbers in every run. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff
    return state / 0x7fffffff
  }
}

function mutate(value: unknown, share: number, roll: () => number): unknown {
  if (roll() < share) return odd[Math.floor(roll() * odd.length)]
  if (Array.isArray(value)) return value.map((one) => mutate(one, share, roll))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [roll() < share / 4 ? `x${name}` : name, mutate(one, share, roll)]),
  )
}

const request = {
  method: 'GET',
  url: 'https://a.example/v1/things?page=2',
  headers: [{ name: 'Authorization', value: 'Bearer x' }],
  postData: { mimeType: 'application/json', text: '{}' },
}
const response = { status: 200, headers: [], content: { mimeType: 'application/json', text: '{"data":[{"id":1}]}' } }
const item = {
  name: 'l',
  request: { method: 'GET', header: [{ key: 'X-Key', value: 'k' }], url: { raw: '{{b}}/things/:id/parts?page=1' } },
  response: [{ code: 200, body: '[{"id":1}]' }],
}

const samples: readonly (readonly [DescriptionKind, unknown])[] = [
  ['openapi', load(readFileSync('test/import/shop.openapi.yaml', 'utf8'))],
  [
    'postman',
    {
      info: { name: 'n' },
      auth: { type: 'basic' },
      variable: [{ key: 'b', value: 'https://a.example' }],
      item: [{ item: [item] }],
    },
  ],
  ['har', { log: { entries: [{ request, response }] } }],
]

for (const [kind, sample] of samples) {
  test(`${kind}: no document crashes the import`, () => {
    const roll = dice(18)
    let imported = 0
    let refused = 0
    for (let round = 0; round < 400; round++) {
      const text = JSON.stringify(mutate(sample, [0.004, 0.02, 0.06][round % 3] ?? 0, roll))
      try {
        importConnector(openDescription(kind, text, null), {})
        imported++
      } catch (error) {
        assert.ok(error instanceof ConnectorError && error.code.startsWith('import/'), `${String(error)} ${text}`)
        refused++
      }
    }
    assert.ok(imported > 50 && refused > 10, `${imported} and ${refused}`)
  })
}

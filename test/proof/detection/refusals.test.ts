/** The words of a refusal, as APIs write them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProbeResponse } from '../../../src/proof/detection/probe-sender.ts'
import { inQuery, slotName } from '../../../src/proof/detection/probe-request.ts'
import { readRefusal } from '../../../src/proof/detection/refusals.ts'

const sent = ['page', 'per_page', 'offset', 'cursor', 'page[size]'].map(inQuery)

const cases: readonly [says: string, { unknown?: string[]; known?: string[]; offered?: string[] }][] = [
  ['Unknown parameter "offset".', { unknown: ['offset'] }],
  ['{"errors":[{"param":"per_page","message":"is not allowed"}]}', { unknown: ['per_page'] }],
  [
    'Unknown parameter "offset". Allowed parameters: after_id, limit.',
    { unknown: ['offset'], offered: ['after_id', 'limit'] },
  ],
  [
    'Unrecognized query parameters: page, per_page. Did you mean page[number]?',
    { unknown: ['page', 'per_page'], offered: ['page[number]'] },
  ],
  [
    'The query parameter [cursor] is not one of [max_results,pagination_token]',
    { known: ['cursor'], offered: ['max_results', 'pagination_token'] },
  ],
  ['cursor must be a text that this API gave out', { known: ['cursor'] }],
  ['page is required', { known: ['page'], offered: [] }],
  ['The parameter limit is missing.', { offered: ['limit'] }],
  ['Something went wrong.', {}],
  ['The pages of this homepage', {}],
]

for (const [says, { unknown = [], known = [], offered = [] }] of cases) {
  test(`“${says}”`, () => {
    const found = readRefusal(answering(says), sent)
    assert.deepEqual(found.unknown.map(slotName), unknown)
    assert.deepEqual(found.known.map(slotName), known)
    assert.deepEqual(found.offered, offered)
  })
}

test('a name that a refusal asks for is offered when it was not sent', () => {
  assert.deepEqual(readRefusal(answering('page is required'), []).offered, ['page'])
})

function answering(says: string): ProbeResponse {
  const response = { status: 400, url: 'http://x.example/', headers: {}, body: Buffer.from(says) }
  return { ...response, body: undefined, isJson: false, message: says, response, isPassing: false }
}

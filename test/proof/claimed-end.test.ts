/** Where the API says that its pages end, for a reader that requests them ahead. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, planStream } from '../../src/index.ts'
import { claimedEnd } from '../../src/proof/claims/claimed-end.ts'
import { manifestOf } from '../helpers/manifests.ts'
import { rows } from '../helpers/claims-of-pages.ts'

const endOn = claimedEnd({ plan: planStream(loadManifest(manifestOf()), 'items', {}), config: {} })
const end = (envelope: object) => endOn({ body: { data: rows(3), ...envelope }, headers: {}, receivedCount: 3 })

test('the end is known by the largest numbers that are named for it', () => {
  assert.deepEqual(end({}), { records: null, pages: null, isOver: false })
  assert.deepEqual(end({ total: 9, total_count: 8 }), { records: 9, pages: null, isOver: false })
  assert.deepEqual(end({ total_pages: 3 }), { records: null, pages: 3, isOver: false })
  assert.deepEqual(end({ last_page: 3, page: 0 }), { records: null, pages: 4, isOver: false })
  assert.deepEqual(end({ count: 9, offset: 0 }), { records: null, pages: null, isOver: false })
})

test('the end is there where a page says so', () => {
  assert.equal(end({ has_more: false }).isOver, true)
  assert.equal(end({ next: null }).isOver, true)
  assert.equal(end({ has_more: true }).isOver, false)
  assert.equal(end({ next: '/b' }).isOver, false)
})

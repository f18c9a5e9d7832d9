/** Properties requested in several groups: whether a group lacks records that the others have. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lackingGroups } from '../../src/proof/claims/lacking-groups.ts'
import type { Claims } from '../../src/proof/claims/merge-claims.ts'
import type { GroupFacts, PageFacts } from '../../src/proof/claims/page-facts.ts'
import { plainRules, rows } from '../helpers/claims-of-pages.ts'

const facts = { body: {}, headers: {}, receivedCount: 3, part: 0, isLast: true, isError: false }
const group = (size: number, envelope: object = {}): GroupFacts => ({
  body: { data: rows(size), ...envelope },
  headers: {},
  receivedCount: size,
})
const page = (...groups: GroupFacts[]): PageFacts => ({ ...facts, lacking: { records: 2, groups } })
const sliced = { ...plainRules, isSliced: true }
const none = {} as Claims

/** Whether it is shown that records are missing. */
const isShown = (groups: GroupFacts[], rules = plainRules) =>
  lackingGroups(none, page(...groups), rules, 1).lacking?.isShown

test('a group without any record lacks them, unless the stream has slices: in one of many it may be empty', () => {
  assert.equal(isShown([group(3), group(0)]), true)
  assert.equal(isShown([group(3), group(0)], sliced), false)
  assert.equal(isShown([group(3), group(1)]), false)
  assert.equal(isShown([group(0), group(0)]), false)
})

test('a group that counts as many records as a longer one lacks some', () => {
  const counting = (...totals: [size: number, total: number][]) =>
    isShown(
      totals.map(([size, total]) => group(size, { total })),
      sliced,
    )
  assert.equal(counting([3, 3], [2, 3]), true)
  assert.equal(counting([3, 3], [2, 2]), false)
  assert.equal(counting([3, 3], [3, 3], [1, 3]), true)
  // A total of nothing is none, and groups of one length lack nothing of each other.
  assert.equal(counting([3, 0], [2, 0]), false)
  assert.equal(counting([3, 3], [3, 3]), false)
})

test('a number counts where it is the same place that says so, and its name says what it counts', () => {
  assert.equal(isShown([group(3, { total: 3 }), group(2, { total_count: 3 })], sliced), false)
  assert.equal(isShown([group(3, { count: 3, page: 1 }), group(2, { count: 3, page: 1 })], sliced), false)
  assert.equal(isShown([group(3, { total_pages: 3 }), group(2, { total_pages: 3 })], sliced), false)
})

test('the first page that lacks records is kept, until one shows that they are missing', () => {
  const doubtful = page(group(3), group(1))
  const shown = page(group(3), group(0))
  const first = lackingGroups(none, doubtful, plainRules, 1)
  assert.deepEqual(first, { lacking: { page: 1, records: 2, isShown: false } })
  assert.deepEqual(lackingGroups({ ...none, ...first }, doubtful, plainRules, 2), first)
  const second = lackingGroups({ ...none, ...first }, shown, plainRules, 2)
  assert.deepEqual(second, { lacking: { page: 2, records: 2, isShown: true } })
  assert.deepEqual(lackingGroups({ ...none, ...second }, shown, plainRules, 3), second)
  assert.deepEqual(lackingGroups({ ...none, ...second }, facts, plainRules, 3), second)
  assert.deepEqual(lackingGroups({ ...none, ...first }, facts, plainRules, 3), first)
  assert.deepEqual(lackingGroups(none, facts, plainRules, 1), {})
})

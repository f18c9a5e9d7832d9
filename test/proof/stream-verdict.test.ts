import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addSlice,
  emptyTally,
  judgeStream,
  lacksOpen,
  shownIn,
  type StreamTally,
} from '../../src/proof/verdict/judge-stream.ts'
import { claimedIn } from '../../src/proof/receipts/receipt.ts'
import { judgeSlice } from '../../src/proof/verdict/judge-slice.ts'
import { noKeys } from '../helpers/receipts.ts'
import { plainRules, rows, claimsOfPages } from '../helpers/claims-of-pages.ts'

type Sliced = { size: number; total?: number; has_more?: boolean; again?: number }

/** Every tally goes through the text of a note. */
function judge(slices: Sliced[]): string {
  const rules = { ...plainRules, isSliced: true }
  const tally = slices.reduce<StreamTally>((before, { size, again = 0, ...envelope }) => {
    const claims = claimsOfPages([{ body: { data: rows(size), ...envelope } }])
    const judgement = judgeSlice({
      received: size,
      stop: 'short-page',
      claims,
      rules,
      keys: { ...noKeys, unique: size - again, repeated: again },
    })
    return JSON.parse(
      JSON.stringify(addSlice(before, { judgement, received: size, keys: null, claimed: claimedIn(claims) })),
    ) as StreamTally
  }, emptyTally)
  const { verdict, reason } = judgeStream(tally)
  return `${verdict}: ${reason}`
}

test('one slice speaks for the stream', () => {
  assert.equal(judge([{ size: 3, total: 3 }]), 'complete: total 3')
  assert.equal(judge([{ size: 3, total: 57 }]), 'unproven: the API counts 57, received 3')
})

test('the worst slice speaks for the stream, with how many there are', () => {
  assert.equal(
    judge([
      { size: 3, total: 3 },
      { size: 2, total: 2 },
    ]),
    'complete: each of 2 slices is complete',
  )
  assert.equal(judge([{ size: 3, total: 3 }, { size: 2 }]), 'unproven: 1 of 2 slices: the API reports no total')
  assert.equal(
    judge([{ size: 3, total: 3 }, { size: 2 }, { size: 2, has_more: true }]),
    'incomplete: 1 of 3 slices: the last page says there is more',
  )
})

test('a total that all slices name counts the stream', () => {
  assert.equal(
    judge([
      { size: 3, total: 5 },
      { size: 2, total: 5 },
    ]),
    'complete: total 5 in 2 slices',
  )
  assert.equal(
    judge([
      { size: 3, total: 9 },
      { size: 2, total: 9 },
    ]),
    'unproven: 2 of 2 slices: the API counts 9, received 3',
  )
})

test('a total that the slices meet only with what came twice does not make the stream complete', () => {
  assert.equal(
    judge([
      { size: 3, total: 5, again: 1 },
      { size: 2, total: 5 },
    ]),
    'duplicated: 1 of 2 slices: 1 record received more than once',
  )
})

test('a total that one slice has met counts slices, and others are short of theirs', () => {
  const verdict = judge([
    { size: 3, total: 3 },
    { size: 2, total: 7 },
  ])
  assert.equal(verdict, 'incomplete: 1 of 2 slices: the API counts 7, received 2')
})

test('totals that differ without one being met prove nothing: the data may have moved', () => {
  const verdict = judge([
    { size: 3, total: 100 },
    { size: 2, total: 101 },
  ])
  assert.equal(verdict, 'unproven: 2 of 2 slices: the API counts 100, received 3')
})

test('an empty slice meets its total, and shows nothing by it', () => {
  const verdict = judge([
    { size: 0, total: 0 },
    { size: 2, total: 7 },
  ])
  assert.equal(verdict, 'unproven: 1 of 2 slices: the API counts 7, received 2')
})

test('without a slice there is nothing to judge', () => {
  assert.deepEqual(judgeStream(emptyTally), { verdict: 'unproven', reason: 'there was no slice to read' })
})

test('totals that differ count slices: that the last of them equals what all slices brought is chance', () => {
  assert.equal(
    judge([
      { size: 3, total: 9 },
      { size: 2, total: 5 },
    ]),
    'unproven: 2 of 2 slices: the API counts 9, received 3',
  )
})

test('ignored first responses: of all slices nothing shows that the list exists, of some it is unproven', () => {
  const ignored = { judgement: { verdict: 'unproven', reason: 'ignored', isIgnored: true }, received: 0 } as const
  const read = { judgement: { verdict: 'complete', reason: 'total 3' }, received: 3 } as const
  const judged = (...slices: (typeof ignored | typeof read)[]) => {
    const tally = slices.reduce<StreamTally>(
      (before, one) => addSlice(before, { ...one, keys: null, claimed: emptyTally.shown.claimed }),
      emptyTally,
    )
    const { verdict, reason } = judgeStream(tally)
    return [`${verdict}: ${reason}`, lacksOpen(tally)]
  }
  assert.deepEqual(judged(ignored, ignored), ['incomplete: 2 of 2 slices: ignored', true])
  assert.deepEqual(judged(ignored, read), ['unproven: 1 of 2 slices: ignored', false])
  assert.deepEqual(judged(read, read), ['complete: each of 2 slices is complete', false])
})

test('what slices brought and claimed is added up from the first one on, and so are pages without their list', () => {
  const judgement = { verdict: 'complete', reason: 'total' } as const
  const slice = (unique: number, pagesWithoutList?: number) => ({
    judgement: { ...judgement, ...(pagesWithoutList !== undefined && { pagesWithoutList }) },
    received: unique,
    keys: { ...noKeys, unique },
    claimed: claimedIn(claimsOfPages([{ body: { data: rows(unique), total: unique } }])),
  })
  const shown = (tally: StreamTally) => {
    const { keys, claimed } = shownIn(tally)
    return [keys?.unique, claimed.total?.value, judgeStream(tally).pagesWithoutList]
  }
  const one = addSlice(emptyTally, slice(3))
  assert.deepEqual(shown(one), [3, 3, undefined])
  const two = addSlice(one, slice(2, 1))
  assert.deepEqual(shown(two), [5, 5, 1])
  assert.deepEqual(shown(addSlice(two, slice(4, 2))), [9, 9, 3])
})

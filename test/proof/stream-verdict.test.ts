import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addSlice,
  emptyTally,
  judgeStream,
  judgeWithParents,
  lacksOpen,
  passingOf,
  shownIn,
  type StreamTally,
} from '../../src/proof/verdict/judge-stream.ts'
import { claimedIn } from '../../src/proof/receipts/receipt.ts'
import { judgeSlice } from '../../src/proof/verdict/judge-slice.ts'
import type { Judgement } from '../../src/proof/verdict/verdict.ts'
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

const claimedOf = (total: number | null) =>
  claimedIn(claimsOfPages([{ body: { data: rows(1), ...(total !== null && { total }) } }]))

/** Slices with a verdict, what they brought and the total they claim. */
function tallyOf(...slices: [verdict: Judgement['verdict'], received: number, total: number | null][]): StreamTally {
  return slices.reduce<StreamTally>((before, [verdict, received, total], index) => {
    const judgement = { verdict, reason: `slice ${index + 1}` }
    return addSlice(before, { judgement, received, keys: null, claimed: claimedOf(total) })
  }, emptyTally)
}

test('a slice that may lack records waits for the others, one that lacks them stays, any other passes', () => {
  const passing = (verdict: Judgement['verdict'], received: number, total: number | null, more: object = {}) =>
    passingOf({ judgement: { verdict, reason: '', ...more }, received, claimed: claimedOf(total) })
  assert.equal(passing('incomplete', 3, 9), 'stay')
  assert.equal(passing('incomplete', 3, 9, { isIgnored: true }), 'stay')
  assert.equal(passing('unproven', 3, 4), 'wait')
  assert.equal(passing('unproven', 3, 3), 'pass')
  assert.equal(passing('unproven', 3, null), 'pass')
  assert.equal(passing('unproven', 0, null, { isIgnored: true }), 'wait')
  assert.equal(passing('duplicated', 3, 9), 'pass')
  assert.equal(passing('complete', 3, 9), 'pass')
})

test('slices of one size whose sum is their total may each be cut: that is chance', () => {
  assert.equal(
    judge([
      { size: 3, total: 6 },
      { size: 3, total: 6 },
    ]),
    'unproven: 2 of 2 slices: the API counts 6, received 3',
  )
})

test('a total of the stream is met by slices of which one brought all of it', () => {
  const tally = tallyOf(['complete', 5, 5], ['unproven', 0, 5])
  assert.deepEqual(judgeStream(tally), { verdict: 'complete', reason: 'total 5 in 2 slices' })
  assert.equal(lacksOpen(tally), false)
  assert.equal(lacksOpen(tallyOf(['complete', 5, 5], ['unproven', 1, 5])), true)
  assert.equal(lacksOpen(tallyOf(['unproven', 2, 5], ['unproven', 3, 5])), false)
  assert.equal(lacksOpen(emptyTally), false)
})

test('slices that brought exactly their total are counted, empty ones aside', () => {
  assert.equal(tallyOf(['complete', 1, 1], ['complete', 0, 0], ['complete', 4, 5], ['complete', 3, null]).exact, 1)
  assert.equal(tallyOf(['complete', 3, 3], ['complete', 2, 2]).exact, 2)
})

test('a total that is met makes no stream complete that lacks or repeats records in a slice', () => {
  const met = (...slices: Parameters<typeof tallyOf>) => judgeStream(tallyOf(...slices))
  assert.deepEqual(met(['unproven', 2, 5], ['incomplete', 3, 5]), {
    verdict: 'incomplete',
    reason: '1 of 2 slices: slice 2',
  })
  assert.deepEqual(met(['unproven', 2, 5], ['duplicated', 3, 5]), {
    verdict: 'duplicated',
    reason: '1 of 2 slices: slice 2',
  })
  const ignored = { judgement: { verdict: 'unproven', reason: 'ignored', isIgnored: true }, received: 0 } as const
  const tally = addSlice(tallyOf(['unproven', 2, 5], ['unproven', 3, 5]), {
    ...ignored,
    keys: null,
    claimed: claimedOf(5),
  })
  assert.equal(judgeStream(tally).verdict, 'unproven')
})

test('slices that were left open are counted with those of the same verdict, whose first one speaks', () => {
  assert.deepEqual(judgeStream(tallyOf(['unproven', 2, 9], ['unproven', 3, null], ['complete', 1, 9])), {
    verdict: 'unproven',
    reason: '2 of 3 slices: slice 2',
  })
  assert.deepEqual(judgeStream(tallyOf(['unproven', 2, 9], ['complete', 9, 9], ['unproven', 1, 9])), {
    verdict: 'incomplete',
    reason: '2 of 3 slices: slice 1',
  })
})

test('one total on all slices is that of the stream, unless a slice has as many; others are added up', () => {
  const total = (...slices: Parameters<typeof tallyOf>) => shownIn(tallyOf(...slices)).claimed.total?.value
  assert.equal(total(['unproven', 2, 9], ['unproven', 3, 9]), 9)
  assert.equal(total(['unproven', 2, 9], ['unproven', 3, 9], ['unproven', 4, 9]), 9)
  assert.equal(total(['complete', 9, 9], ['unproven', 3, 9]), 18)
  assert.equal(total(['unproven', 2, 9], ['unproven', 3, 8]), 17)
  assert.equal(total(['unproven', 2, 9], ['unproven', 3, 8], ['unproven', 3, 8]), 25)
  assert.equal(total(['unproven', 2, 9]), 9)
  assert.equal(total(['unproven', 2, null], ['unproven', 3, null]), undefined)
})

test('a stream is no better than its parents', () => {
  const parent = (verdict: Judgement['verdict']) => ({ stream: 'shops', verdict, reason: 'why' })
  const judged = (verdict: Judgement['verdict'], ...parents: Judgement['verdict'][]) =>
    judgeWithParents({ verdict, reason: 'total 3', at: 'total', pagesWithoutList: 1 }, parents.map(parent))
  const own = { at: 'total', pagesWithoutList: 1 }
  assert.deepEqual(judged('complete', 'complete'), { verdict: 'complete', reason: 'total 3', ...own })
  assert.deepEqual(judged('complete'), { verdict: 'complete', reason: 'total 3', ...own })
  assert.deepEqual(judged('complete', 'complete', 'unproven'), {
    verdict: 'unproven',
    reason: 'total 3, but parent stream "shops" is not verified: why',
    ...own,
  })
  assert.deepEqual(judged('unproven', 'duplicated'), { verdict: 'unproven', reason: 'total 3', ...own })
  assert.deepEqual(judged('duplicated', 'unproven', 'incomplete'), {
    verdict: 'incomplete',
    reason: 'parent stream "shops" is incomplete: why',
    pagesWithoutList: 1,
  })
  assert.deepEqual(judged('incomplete', 'incomplete'), { verdict: 'incomplete', reason: 'total 3', ...own })
})

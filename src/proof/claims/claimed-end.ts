/** One page → where the API says that its pages end, for a reader that requests pages ahead. */
import type { ReadClaimedEnd } from '../../engine/pages/stream.ts'
import { pageClaims } from './page-claims.ts'
import { claimRulesOf } from './page-facts.ts'

/** A number that counts something else costs time or a few requests, never a record: the reader decides by its pages. */
export const claimedEnd: ReadClaimedEnd = (stream) => {
  const rules = claimRulesOf(stream)
  return (page) => {
    const { numbers, nexts } = pageClaims({ ...page, part: 0, isLast: false, isError: false }, rules)
    const named = numbers.filter(({ isNamed }) => isNamed)
    const largest = (counts: 'records' | 'pages') => {
      const values = named.filter((one) => one.counts === counts).map(({ value, plus }) => value + plus)
      return values.length === 0 ? null : Math.max(...values)
    }
    const isOver = nexts.some(({ says, isNamed }) => isNamed && says === 'end')
    return { records: largest('records'), pages: largest('pages'), isOver }
  }
}

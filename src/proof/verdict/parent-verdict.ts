/** The verdict on a stream × those on the streams its slices come from: children of records that nobody saw are missing too. */
import type { JudgedParent } from '../../engine/pages/judged-parent.ts'
import type { Judgement } from './verdict.ts'

/** Twice the same parents change nothing more. */
export function judgeWithParents<J extends Judgement>(judged: J, parents: readonly JudgedParent[]): J {
  if (judged.verdict === 'incomplete') return judged
  const short = parents.find(({ verdict }) => verdict === 'incomplete')
  if (short !== undefined) {
    const { at: _ofTheSlices, ...others } = judged
    return { ...(others as J), verdict: 'incomplete', reason: sayParent(short) }
  }
  const doubted = parents.find(({ verdict }) => verdict !== 'complete')
  if (doubted === undefined || judged.verdict !== 'complete') return judged
  return { ...judged, verdict: 'unproven', reason: `${judged.reason}, but ${sayParent(doubted)}` }
}

function sayParent({ stream, verdict, reason }: JudgedParent): string {
  return `parent stream "${stream}" is ${verdict === 'unproven' ? 'not verified' : verdict}: ${reason}`
}

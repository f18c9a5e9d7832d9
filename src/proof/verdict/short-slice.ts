/** The receipt of a slice → whether a state may move past it: not where records are known to be missing. */
import type { JudgeSlices } from '../../engine/pages/read-parents.ts'
import type { Passing } from '../../engine/pages/advance-cursor.ts'
import { openReceipts } from '../receipts/open-receipts.ts'
import { type JudgedSlice, mayLack } from './judge-stream.ts'

/** Slices that may lack records wait for what the others show, also for those read after them. */
export function passingOf(judged: Pick<JudgedSlice, 'judgement' | 'received' | 'claimed'>): Passing {
  if (judged.judgement.verdict === 'incomplete') return 'stay'
  return mayLack(judged) ? 'wait' : 'pass'
}

/** For parent streams, whose receipts nobody else sees. */
export const judgeSlices: JudgeSlices = (stream) => {
  const receipts = openReceipts(stream)
  return {
    passing(slice, page) {
      const receipt = receipts.observe(slice, page)
      return receipt === null ? 'pass' : passingOf({ judgement: receipt, ...receipt })
    },
    lacksWaiting: receipts.lacksWaiting,
    judged() {
      const proof = receipts.stream()
      return proof.slices === 0 ? null : proof
    },
  }
}

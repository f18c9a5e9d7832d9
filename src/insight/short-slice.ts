/** The receipt of a slice → whether records are known to be missing from it, so that no state may move past it. */
import type { JudgeSlices } from '../engine/pages/read-parents.ts'
import type { Receipt } from './receipt.ts'
import { openReceipts } from './receipts.ts'
import { isShort } from './stream-verdict.ts'

/** Whether a slice is known to lack records, by its own receipt or by what the slices before it showed. */
export function lacksRecords(receipt: Receipt): boolean {
  if (receipt.verdict === 'incomplete') return true
  return receipt.stream.verdict === 'incomplete' && isShort({ judgement: receipt, ...receipt })
}

/** For parent streams, whose receipts nobody else sees. */
export const judgeSlices: JudgeSlices = (stream) => {
  const receipts = openReceipts(stream)
  return {
    lacksRecords(slice, page) {
      const receipt = receipts.observe(slice, page)
      return receipt !== null && lacksRecords(receipt)
    },
    judged() {
      const proof = receipts.stream()
      return proof.slices === 0 ? null : proof
    },
  }
}

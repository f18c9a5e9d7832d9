/** A slice whose total is larger than what it brought: it lacks records, unless the total counts the whole stream. */
import type { JudgeSlices } from '../engine/pages/read-parents.ts'
import type { Judgement } from './evidence.ts'
import type { Receipt, Shown } from './receipt.ts'
import { openReceipts } from './receipts.ts'

type JudgedSlice = { readonly judgement: Judgement; readonly received: number; readonly claimed: Shown['claimed'] }

/** Only the slices together show which of the two it is. */
export function isShort({ judgement, received, claimed }: JudgedSlice): boolean {
  return judgement.verdict === 'unproven' && claimed.total !== null && claimed.total.value > received
}

/** Whether a slice is known to lack records, by its own receipt or by what the slices before it showed. */
export function lacksRecords(receipt: Receipt): boolean {
  if (receipt.verdict === 'incomplete') return true
  return receipt.stream.verdict === 'incomplete' && isShort({ judgement: receipt, ...receipt })
}

/** For parent streams, whose receipts nobody else sees. */
export const judgeSlices: JudgeSlices = (stream) => {
  const receipts = openReceipts(stream)
  return (slice, page) => {
    const receipt = receipts.observe(slice, page)
    return receipt !== null && lacksRecords(receipt)
  }
}

/** Receipts as tests compare them. */
import type { SliceEnd } from '../../src/engine/pages/page.ts'
import type { SliceReceipt } from '../../src/insight/receipt.ts'

/** What a slice counted and why it ended, without what that proves. */
export function countsOf(receipt: SliceEnd | undefined): SliceEnd | undefined {
  if (receipt === undefined) return undefined
  const { pages, received, emitted, stop } = receipt
  return { pages, received, emitted, stop }
}

/** `complete: total 5` */
export function verdictOf(receipt: Pick<SliceReceipt, 'verdict' | 'reason'> | undefined): string | undefined {
  return receipt === undefined ? undefined : `${receipt.verdict}: ${receipt.reason}`
}

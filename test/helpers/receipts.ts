/** Receipts as tests compare them. */
import type { SliceEnd } from '../../src/engine/pages/page.ts'
import type { KeyCounts } from '../../src/proof/keys/track-keys.ts'
import type { SliceReceipt } from '../../src/proof/receipts/receipt.ts'

/** Of a stream that has a key, and of which nothing came. */
export const noKeys: KeyCounts = {
  unique: 0,
  repeated: 0,
  changed: 0,
  alike: 0,
  clashing: 0,
  probable: 0,
  repeatedPage: null,
  examples: [],
  isKey: true,
  isAssumed: false,
  isExact: true,
  errorRate: 0,
  uncounted: 0,
}

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

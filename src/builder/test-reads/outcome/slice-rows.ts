/** Receipts of slices → the rows of their table, those that need attention first. */
import { verdicts } from '../../../proof/verdict/verdict-name.ts'
import type { WireSliceReceipt } from '../../../server/wire/receipt.ts'
import type { ReadSlice } from '../read-state.ts'
import { sliceLabel } from '../timeline/timeline-rows.ts'

export type SliceRow = Readonly<Record<string, string | number | null>>

export function sliceRows(receipts: readonly WireSliceReceipt[], slices: readonly ReadSlice[]): SliceRow[] {
  const labels = new Map(slices.map((slice) => [slice.slice, sliceLabel(slice)]))
  return receipts
    .toSorted((one, other) => verdicts.indexOf(one.verdict) - verdicts.indexOf(other.verdict))
    .map(({ slice, verdict, reason, pages, received, emitted, keys, stop, error }) => ({
      slice: labels.get(slice) ?? `slice ${slice + 1}`,
      verdict,
      reason,
      pages,
      received,
      kept: emitted,
      unique: keys?.unique ?? null,
      repeated: keys?.repeated ?? null,
      stopped: error ?? stop,
    }))
}

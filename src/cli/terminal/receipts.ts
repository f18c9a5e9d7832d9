/** Receipts → a table for people: what was read, why it stopped, and what that proves. */
import type { KeyCounts } from '../../proof/keys/track-keys.ts'
import { sayVerdict } from '../../protocol/say.ts'
import type { StreamReceipt } from '../../sync/receipt.ts'
import { colours, type noColours, oneLine, tableOf } from './print.ts'
import { sayEnding } from './sync-row.ts'
import { number } from '../../std/text/format-count.ts'

type Cell = { readonly title: string; readonly isNumber?: true; readonly of: (receipt: StreamReceipt) => string }

const keysCell: Cell = { title: 'keys', isNumber: true, of: sayKeys }

export function receiptsTable(receipts: readonly StreamReceipt[], paint: typeof noColours = colours): string[] {
  const cells: readonly Cell[] = [
    { title: 'stream', of: ({ stream }) => oneLine(stream) },
    { title: 'records', isNumber: true, of: ({ records }) => number(records) },
    // Where none came again, there are as many keys as records.
    ...(receipts.some(({ keys }) => (keys?.repeated ?? 0) > 0) ? [keysCell] : []),
    { title: 'pages', isNumber: true, of: ({ pages }) => number(pages) },
    { title: 'stopped at', of: sayEnding },
    { title: 'verdict', of: (receipt) => paintedVerdict(receipt, paint) },
  ]
  return tableOf(
    cells.map(({ title }) => title),
    receipts.map((receipt) => cells.map(({ of }) => of(receipt))),
    { numbers: cells.flatMap(({ isNumber }, index) => (isNumber ? [index] : [])), paint },
  )
}

/** `250`, `240, 10 again`; nothing where the key does not tell records apart, or where it is not known any more. */
function sayKeys({ keys }: { readonly keys: KeyCounts | null }): string {
  if (keys === null || !keys.isKey) return ''
  return keys.repeated === 0 ? number(keys.unique) : `${number(keys.unique)}, ${number(keys.repeated)} again`
}

function paintedVerdict(receipt: StreamReceipt, paint: typeof noColours): string {
  const text = oneLine(sayVerdict(receipt))
  switch (receipt.verdict) {
    case 'complete':
      return paint.green(text)
    case 'unproven':
      return text
    case 'incomplete':
    case 'duplicated':
      return paint.red(text)
  }
}

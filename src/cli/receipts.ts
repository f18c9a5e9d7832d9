/** Receipts → a table for people: what was read, why it stopped, and what that proves. */
import type { StreamReceipt } from '../sync/receipt.ts'
import { type Column, colours, noColours, oneLine, row } from './print.ts'
import { sayEnding } from './sync-row.ts'
import { number } from '../words.ts'

const titles = ['stream', 'records', 'pages', 'stopped at', 'verdict']

export function receiptsTable(receipts: readonly StreamReceipt[], paint: typeof noColours = colours): string[] {
  const cells = receipts.map((receipt) => [
    oneLine(receipt.stream),
    number(receipt.records),
    number(receipt.pages),
    sayEnding(receipt),
    paintedVerdict(receipt, paint),
  ])
  const columns: Column[] = titles.map((title, index) => ({
    // The last one may be as long as it likes.
    width: index === 4 ? 0 : Math.max(title.length, ...cells.map((texts) => texts[index]?.length ?? 0)),
    isNumber: index === 1 || index === 2,
  }))
  return [paint.dim(row(columns, titles)), ...cells.map((texts) => row(columns, texts))]
}

/** `complete (total 12,441)`, `unproven: the API claims nothing` */
export function sayVerdict({ verdict, reason }: StreamReceipt): string {
  return oneLine(verdict === 'complete' ? `${verdict} (${reason})` : `${verdict}: ${reason}`)
}

function paintedVerdict(receipt: StreamReceipt, paint: typeof noColours): string {
  const text = sayVerdict(receipt)
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

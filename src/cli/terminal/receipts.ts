/** Receipts → a table for people: what was read, why it stopped, and what that proves. */
import type { KeyCounts } from '../../proof/keys/track-keys.ts'
import { type Requirement, sayVerdict, suffices } from '../../proof/verdict/verdict-name.ts'
import { sayStop } from '../../protocol/say.ts'
import type { StreamReceipt } from '../../sync/receipt.ts'
import { colours, type noColours, oneLine, say, tableOf } from './print.ts'
import { number } from '../../std/text/format-count.ts'

/** What is shown of a stream that ended, by a read or a sync. */
export type EndedStream = Pick<
  StreamReceipt,
  'stream' | 'records' | 'pages' | 'stop' | 'ending' | 'verdict' | 'reason'
> &
  Pick<StreamReceipt, 'keys' | 'error' | 'held'> &
  Partial<Pick<StreamReceipt, 'tookMs'>>

/** Why a stream ended, in a few words. */
export function sayEnding({ ending, stop, error }: EndedStream): string {
  if (ending === 'cancelled') return 'interrupted'
  if (ending === 'failed') return error?.code === undefined ? 'failed' : `failed: ${error.code}`
  const stopped = stop === null ? 'nothing to request' : sayStop(stop)
  return ending === 'held' ? `${stopped}, held` : stopped
}

export function sayReceipts(receipts: readonly EndedStream[]): void {
  if (receipts.length === 0) return
  say(['', ...receiptsTable(receipts), ''].join('\n'))
}

type Cell = { readonly title: string; readonly isNumber?: true; readonly of: (receipt: EndedStream) => string }

const keysCell: Cell = { title: 'keys', isNumber: true, of: sayKeys }

export function receiptsTable(receipts: readonly EndedStream[], paint: typeof noColours = colours): string[] {
  const cells: readonly Cell[] = [
    { title: 'stream', of: ({ stream }) => oneLine(stream) },
    { title: 'records', isNumber: true, of: ({ records }) => number(records) },
    // Without repetitions there are as many keys as records.
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

/** `250`, `240, 10 repeated`; empty where the key does not identify records, or is no longer known. */
function sayKeys({ keys }: { readonly keys: KeyCounts | null }): string {
  if (keys === null || !keys.isKey) return ''
  return keys.repeated === 0 ? number(keys.unique) : `${number(keys.unique)}, ${number(keys.repeated)} repeated`
}

function paintedVerdict(receipt: EndedStream, paint: typeof noColours): string {
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

/** Streams whose verdict is below `--require`. Streams that failed have been reported already. */
export function sayBelowRequired(streams: readonly EndedStream[], required: Requirement): void {
  for (const { stream, verdict, reason } of streams) {
    if (suffices(verdict, required)) continue
    const threshold = `--require ${required}${required === 'unproven' ? ' (the default)' : ''}`
    say(
      `Stream "${oneLine(stream)}" is ${oneLine(sayVerdict({ verdict, reason }))}; that is below the threshold set by ${threshold}.`,
    )
  }
}

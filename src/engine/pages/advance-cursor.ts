/** Reports to a stream's cursor what was read, and lets its state move past no slice that lacks records. */
import type { Slice } from '../slices/slice.ts'
import type { Page } from './page.ts'
import type { StreamCursor } from '../slices/stream-cursor.ts'

/** What a slice that ended lets a state do: move past it, stay before it, or wait for what the other slices show. */
export type Passing = 'pass' | 'stay' | 'wait'

export type CursorAdvance = {
  /** Every page; `passing` counts on the last page of a slice. */
  readonly advance: (slice: Slice, page: Page, passing: Passing) => void
  /** The slice was read to its end, now or by an earlier run. */
  readonly end: (slice: Slice, passing: Passing) => void
  /** Every slice was read, or will not be. `lacksWaiting`: those that wait lack records, and stay open. */
  readonly settle: (lacksWaiting: boolean) => void
}

export function openCursorAdvance(cursor: StreamCursor): CursorAdvance {
  const waiting: Slice[] = []
  const end = (slice: Slice, passing: Passing) => {
    if (passing === 'pass') cursor.close(slice)
    if (passing === 'wait') waiting.push(slice)
  }
  return {
    advance(slice, page, passing) {
      cursor.observe(slice, page.records)
      if (isReadToItsEnd(page)) end(slice, passing)
    },
    end,
    settle(lacksWaiting) {
      for (const slice of waiting.splice(0)) if (!lacksWaiting) cursor.close(slice)
    },
  }
}

/** Reports a page to the cursor, where slices are not judged. A slice that was cut or failed stays open, so that no state moves past it. */
export function advance(cursor: StreamCursor, slice: Slice, page: Page): void {
  cursor.observe(slice, page.records)
  if (isReadToItsEnd(page)) cursor.close(slice)
}

function isReadToItsEnd({ receipt }: Page): boolean {
  return receipt !== undefined && receipt.stop !== 'limit' && receipt.stop !== 'error'
}

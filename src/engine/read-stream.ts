/** One stream → its pages, slices side by side. */
import { cancelWith } from './cancel.ts'
import type { OpenStream } from './open-stream.ts'
import type { Page } from './page.ts'
import type { ReadOptions } from './read.ts'
import { readSlicePages } from './read-slice.ts'
import { sideBySide } from './side-by-side.ts'
import type { StreamCursor } from './slices/cursor.ts'
import type { Slice } from './slices/slice.ts'

/** A page and the slice it belongs to, unredacted: what states and children are made of. */
export type SlicePage = { readonly slice: Slice; readonly page: Page }

/** `from` belongs to the slice that the reader resumes, which it names with `slice`. */
export type StreamReadOptions = ReadOptions & {
  /** Which slices to read; all when absent. */
  readonly choose?: (slice: Slice) => 'read' | 'skip' | 'resume'
  /** How many slices side by side; as the manifest says when absent. */
  readonly concurrency?: number | undefined
}

export async function* readStream(stream: OpenStream, options: StreamReadOptions = {}): AsyncGenerator<SlicePage> {
  const { from, choose, concurrency = stream.width, ...others } = options
  // Whoever stops reading stops every slice, and the parents they come from.
  const cancel = cancelWith(options.signal)
  const { signal } = cancel
  const chosen = choosing(stream.slices({ prefetch: options.prefetch, signal }), choose)
  const walk = async function* ({ slice, resumes }: Chosen): AsyncGenerator<SlicePage> {
    for await (const page of readSlicePages(stream, slice, { ...others, signal, from: resumes ? from : undefined })) {
      yield { slice, page }
    }
  }
  try {
    yield* sideBySide(chosen, concurrency, walk)
  } finally {
    cancel.abort()
  }
}

type Chosen = { readonly slice: Slice; readonly resumes: boolean }

async function* choosing(
  slices: AsyncIterable<Slice>,
  choose: StreamReadOptions['choose'] = () => 'read',
): AsyncGenerator<Chosen> {
  for await (const slice of slices) {
    const choice = choose(slice)
    if (choice !== 'skip') yield { slice, resumes: choice === 'resume' }
  }
}

/** Tells the cursor what was read. A slice that was cut or failed has unread records behind it and stays open. */
export function advance(cursor: StreamCursor, slice: Slice, { records, receipt }: Page): void {
  cursor.observe(slice, records)
  if (receipt !== undefined && isReadToItsEnd(receipt.stop)) cursor.close(slice)
}

export function isReadToItsEnd(stop: NonNullable<Page['receipt']>['stop']): boolean {
  return stop !== 'limit' && stop !== 'error'
}

/** An open stream → its first slices and pages, each told as it comes; the cursor is told what was read. */
import { readStream } from '../../engine/pages/read-stream.ts'
import { advance } from '../../engine/pages/advance-cursor.ts'
import type { OpenStream } from '../../engine/pages/stream.ts'
import type { Inferring } from '../../engine/records/infer-schema.ts'
import type { Slice } from '../../engine/slices/slice.ts'
import { wholeReadState } from '../../engine/slices/cursor.ts'
import type { ManifestReadRequest } from '../wire/manifest-server.ts'
import type { collectRead } from './collect.ts'
import type { Asking } from './operations.ts'

export type ReadLimits = Pick<ManifestReadRequest, 'slice_limit' | 'page_limit'>

export type Reading = Asking & {
  readonly collected: ReturnType<typeof collectRead>
  readonly inferring: Inferring
  /** Whether what was read is as much as one answer may hold. */
  readonly isFull: () => boolean
}

export async function readLimited(stream: OpenStream, limits: ReadLimits, reading: Reading): Promise<void> {
  const { cursor } = stream
  const { collected, inferring, signal, isFull } = reading
  let isWhole = true
  const onCut = () => {
    isWhole = false
  }
  const tellState = () => {
    const state = cursor.hasNews() ? cursor.state() : null
    if (state !== null) collected.state(state)
  }
  const slices: OpenStream['slices'] = (how) =>
    firstOf(stream.slices(how), { most: limits.slice_limit, begin: (slice) => collected.begin(slice), onCut })
  const how = { maxPages: limits.page_limit, prefetch: 'off', concurrency: 1, signal, outlivesFailures: true } as const
  try {
    for await (const { slice, page } of readStream({ ...stream, slices }, how)) {
      collected.page(page)
      for (const record of page.records) inferring.add(record)
      advance(cursor, slice, page)
      tellState()
      if (isFull()) return
    }
    cursor.finish(isWhole)
    // Airbyte: a stream that has no cursor says so, limited or not. It is read from the start every time.
    if (stream.plan.slicing.cursor === null) collected.state(wholeReadState)
    else tellState()
  } catch (error) {
    cursor.finish(false)
    tellState()
    throw error
  }
}

type Taking = { readonly most: number; readonly begin: (slice: Slice) => void; readonly onCut: () => void }

/** Whether there are more is not looked for: parents are asked for no more than these need. */
async function* firstOf(slices: AsyncIterable<Slice>, { most, begin, onCut }: Taking): AsyncGenerator<Slice> {
  let count = 0
  for await (const slice of slices) {
    begin(slice)
    yield slice
    if (++count === most) return onCut()
  }
}

/** An open stream → its first slices and pages, each told as it comes; the cursor is told what was read. */
import { advance, readStream } from '../../engine/pages/read-stream.ts'
import type { OpenStream } from '../../engine/pages/stream.ts'
import type { Inferring } from '../../engine/records/infer-schema.ts'
import type { Slice } from '../../engine/slices/slice.ts'
import { type StreamState, wholeReadState } from '../../engine/slices/state.ts'
import type { ManifestReadRequest } from '../wire/manifest-server.ts'
import type { Asking } from './operations.ts'
import type { Page } from '../../engine/pages/page.ts'
import type { Exchange } from '../../engine/response/observe.ts'

type ReadLimits = Pick<ManifestReadRequest, 'slice_limit' | 'page_limit'>

type Reading = Asking & {
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

export type ReadSlice = {
  readonly slice: Slice
  readonly pages: ReadPage[]
  readonly jobs: Exchange[]
  /** What to store once it is read; null when nothing is new since the slice before. */
  state: { readonly state: StreamState; readonly records: number } | null
}

export type ReadPage = {
  /** Null where something was asked for and no page came of it. */
  readonly page: Page | null
  /** What was exchanged for it, in order; none where the answer was there already. */
  readonly exchanges: readonly Exchange[]
  readonly records: Page['records']
}

export type Collected = {
  readonly slices: readonly ReadSlice[]
  readonly auxiliary: readonly Exchange[]
}

export function collectRead() {
  const slices: ReadSlice[] = []
  const auxiliary: Exchange[] = []
  let asked: Exchange[] = []
  let wasAsked = false
  /** Records that no state has told of yet. */
  let untold = 0

  /** What was asked since the last page, and brought none, is why the slice failed. */
  const settle = () => {
    if (asked.length > 0) slices.at(-1)?.pages.push({ page: null, exchanges: asked, records: [] })
    asked = []
  }
  return {
    begin(slice: Slice) {
      settle()
      slices.push({ slice, pages: [], jobs: [], state: null })
    },
    exchange(exchange: Exchange) {
      const { purpose } = exchange
      wasAsked = true
      if (purpose === undefined) asked.push(exchange)
      else if (purpose.kind === 'job') slices.at(-1)?.jobs.push(exchange)
      else auxiliary.push(exchange)
    },
    page(page: Page) {
      const pages = slices.at(-1)?.pages
      untold += page.records.length
      // Another part of a body that is larger than memory.
      if (page.part > 0) pages?.at(-1)?.records.push(...page.records)
      else pages?.push({ page, exchanges: asked, records: [...page.records] })
      asked = []
    },
    state(state: StreamState) {
      const last = slices.at(-1)
      if (last !== undefined) last.state = { state, records: (last.state?.records ?? 0) + untold }
      untold = 0
    },
    end(): Collected {
      settle()
      // Airbyte: a slice for which nothing was asked is not told of.
      return { slices: slices.filter(({ pages, jobs }) => pages.length > 0 || jobs.length > 0), auxiliary }
    },
    /** Nothing was asked yet. */
    isUntouched: () => !wasAsked,
  }
}

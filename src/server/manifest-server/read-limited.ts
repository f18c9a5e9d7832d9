/** An open stream → its first slices and pages, collected with their requests; the cursor follows. */
import { advance } from '../../engine/pages/advance-cursor.ts'
import { readStream } from '../../engine/pages/read-stream.ts'
import type { OpenStream } from '../../engine/pages/stream.ts'
import type { Inferring } from '../../engine/records/infer-schema.ts'
import type { Slice } from '../../engine/slices/slice.ts'
import { wholeReadState } from '../../engine/slices/cursor.ts'
import type { ManifestReadRequest } from '../wire/manifest-server.ts'
import type { OperationTools } from './operations.ts'
import type { Page } from '../../engine/pages/page.ts'
import type { Exchange } from '../../engine/response/observe.ts'
import type { StreamState } from '../../engine/slices/stream-cursor.ts'

type ReadLimits = Pick<ManifestReadRequest, 'slice_limit' | 'page_limit'>

type LimitedRead = OperationTools & {
  readonly collected: ReturnType<typeof collectRead>
  readonly inferring: Inferring
  /** Whether the size limit of a response is reached. */
  readonly isFull: () => boolean
}

export async function readLimited(stream: OpenStream, limits: ReadLimits, reading: LimitedRead): Promise<void> {
  const { cursor } = stream
  const { collected, inferring, signal, isFull } = reading
  let isWhole = true
  const onCut = () => {
    isWhole = false
  }
  const addState = () => {
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
      addState()
      if (isFull()) return
    }
    cursor.finish(isWhole)
    // Airbyte: a stream without a cursor has this state, limited or not. It is always read from the start.
    if (stream.plan.slicing.cursor === null) collected.state(wholeReadState)
    else addState()
  } catch (error) {
    cursor.finish(false)
    addState()
    throw error
  }
}

type Taking = { readonly most: number; readonly begin: (slice: Slice) => void; readonly onCut: () => void }

/** Does not check for further slices: parents are read only as far as these need. */
async function* firstOf(slices: AsyncIterable<Slice>, { most, begin, onCut }: Taking): AsyncGenerator<Slice> {
  let count = 0
  for await (const slice of slices) {
    begin(slice)
    yield slice
    if (++count === most) return onCut()
  }
}

export type CollectedSlice = {
  readonly slice: Slice
  readonly pages: CollectedPage[]
  readonly jobs: Exchange[]
  /** The state after this slice; null when it did not change. */
  state: { readonly state: StreamState; readonly records: number } | null
}

export type CollectedPage = {
  /** Null where requests led to no page. */
  readonly page: Page | null
  /** Its requests and responses, in order; empty where the response was cached. */
  readonly exchanges: readonly Exchange[]
  readonly records: Page['records']
}

export type Collected = {
  readonly slices: readonly CollectedSlice[]
  readonly auxiliary: readonly Exchange[]
}

export function collectRead() {
  const slices: CollectedSlice[] = []
  const auxiliary: Exchange[] = []
  let pending: Exchange[] = []
  let hasSent = false
  /** Records since the last state. */
  let sinceState = 0

  /** Requests since the last page that led to no page: they show why the slice failed. */
  const settle = () => {
    if (pending.length > 0) slices.at(-1)?.pages.push({ page: null, exchanges: pending, records: [] })
    pending = []
  }
  return {
    begin(slice: Slice) {
      settle()
      slices.push({ slice, pages: [], jobs: [], state: null })
    },
    exchange(exchange: Exchange) {
      const { purpose } = exchange
      hasSent = true
      if (purpose === undefined) pending.push(exchange)
      else if (purpose.kind === 'job') slices.at(-1)?.jobs.push(exchange)
      else auxiliary.push(exchange)
    },
    page(page: Page) {
      const pages = slices.at(-1)?.pages
      sinceState += page.records.length
      // Another part of the same page.
      if (page.part > 0) pages?.at(-1)?.records.push(...page.records)
      else pages?.push({ page, exchanges: pending, records: [...page.records] })
      pending = []
    },
    state(state: StreamState) {
      const last = slices.at(-1)
      if (last !== undefined) last.state = { state, records: (last.state?.records ?? 0) + sinceState }
      sinceState = 0
    },
    end(): Collected {
      settle()
      // Airbyte: a slice without requests is left out.
      return { slices: slices.filter(({ pages, jobs }) => pages.length > 0 || jobs.length > 0), auxiliary }
    },
    /** No request was sent yet. */
    isUntouched: () => !hasSent,
  }
}

/** A test read → its events, its captured pages, and how it ended. */
import type { Manifest } from '../../engine/manifest/manifest.ts'
import type { Page } from '../../engine/pages/page.ts'
import type { OpenStream } from '../../engine/pages/stream.ts'
import type { HttpRequest } from '../../engine/request/http-request.ts'
import type { Slice } from '../../engine/slices/slice.ts'
import type { ApiProblem } from '../wire/problem.ts'
import type { ReadEnd, TestReadEvent } from '../wire/test-read.ts'
import type { AuxiliaryRequests } from './auxiliary-requests.ts'
import type { CapturedRead, Captures } from './captures.ts'
import { jsonLength, showTestPage } from './show-page.ts'
import { explainStop } from './explain-stop.ts'
import { type OpenTestReceipt, openTestReceipt } from './test-receipt.ts'
import { gatherParts } from './whole-pages.ts'
import { type Inferring, inferSchema } from '../../engine/records/infer-schema.ts'
import type { JsonRecord } from '../../engine/plan/plan.ts'
import type { StreamPlan } from '../../engine/plan/stream.ts'
import type { SliceChoice } from '../../engine/pages/read-stream.ts'
import { canContinue, countedAfter, type EarlierSlice, earlierSlices, sameSlice } from './earlier-pages.ts'

export type ReadReport = {
  readonly open: (stream: OpenStream, manifest: Manifest, auxiliary: AuxiliaryRequests) => void
  readonly wantsSlice: (begun: number) => boolean
  /** Returns the slice to read. */
  readonly onSlice: (slice: Slice) => Slice
  /** Whether it is read, skipped or resumed; pages of an earlier read are counted again, and `onEarlier` is given each. */
  readonly choose: (slice: Slice, onEarlier: (part: Page) => void) => SliceChoice
  readonly onAsked: (request: HttpRequest) => void
  /** Numbers a page with those of an earlier read. */
  readonly numbered: (part: Page) => Page
  /** A page, or a part of one. Returns whether to continue. */
  readonly page: (slice: Slice, part: Page) => boolean
  /** A limit left something unread. */
  readonly isLimited: () => boolean
  readonly end: (ending: ReadEnd['ending'], problem?: ApiProblem) => ReadEnd
}

type ReadLimits = { readonly maxPages: number; readonly maxSlices: number; readonly maxRecords: number }

export type ReportTools = {
  readonly read: CapturedRead
  readonly queue: { readonly send: (event: TestReadEvent) => void }
  /** When the read started, ms since 1970. */
  readonly began: number
  /** What was read before, where the read continues another one; empty otherwise. */
  readonly earlier: ReadonlyMap<number, EarlierSlice>
}

type Opened = {
  readonly stream: OpenStream
  readonly auxiliary: AuxiliaryRequests
  readonly receipt: OpenTestReceipt
  readonly sample: ReturnType<typeof sampleSchema>
}

export function openReport(
  limits: ReadLimits,
  captures: Captures,
  { read, queue, began, earlier }: ReportTools,
): ReadReport {
  const { mostSlices, mostRecords } = limitsAfter(limits, earlier)
  const totals = { pages: 0, received: 0, emitted: 0 }
  const at = () => Date.now() - began
  let open: Opened | null = null
  let position = { slice: -1, page: 0 }
  let gather = gatherParts()
  let parts: Page[] = []
  let isLimited = false

  const opened = () => {
    if (open === null) throw new Error('The stream is not open.')
    return open
  }
  const hasEnough = () => totals.emitted >= mostRecords
  const limitsHere = () => {
    const before = earlier.get(position.slice)?.pages ?? 0
    return { ...limits, maxPages: before + limits.maxPages, maxRecords: mostRecords }
  }
  const tally = (slice: Slice, part: Page) => {
    const { receipt, sample } = opened()
    receipt.observe(position.slice, slice, part)
    totals.received += part.receivedCount
    totals.emitted += part.records.length
    for (const record of part.records) sample.add(record)
  }

  const isContinued = () => {
    try {
      return open !== null && canContinue(open.stream, earlierSlices(captures, read.id))
    } catch {
      // Pages are no longer kept.
      return false
    }
  }

  return {
    open(stream, manifest, auxiliary) {
      open = { stream, auxiliary, receipt: openTestReceipt(stream), sample: sampleSchema(stream.plan) }
      const { plan, config, redactor } = stream
      read.stream = { plan, config, redactor, manifest }
    },
    wantsSlice(begun) {
      const isWanted = begun < mostSlices && (earlier.has(begun) || !hasEnough())
      isLimited ||= !isWanted
      return isWanted
    },
    onSlice(generated) {
      const { plan, redactor } = opened().stream
      position = { slice: position.slice + 1, page: 0 }
      gather = gatherParts()
      const known = earlier.get(position.slice)
      const slice = sameSlice(generated, known)
      if (known !== undefined) return slice
      const { partition, window } = slice
      const isCut = plan.slicing.routers.length > 0 || plan.slicing.cursor !== null
      const descriptor = isCut ? (redactor.value({ ...partition, ...window }) as Record<string, unknown>) : null
      queue.send({ kind: 'slice', slice: position.slice, descriptor })
      return slice
    },
    choose(slice, onEarlier) {
      const known = earlier.get(position.slice)
      if (known === undefined) return 'read'
      for (const part of known.parts) {
        tally(slice, part)
        onEarlier(part)
      }
      totals.pages += known.pages
      position = { ...position, page: known.pages }
      if (known.from === null) return 'skip'
      isLimited ||= hasEnough()
      return hasEnough() ? 'skip' : { from: known.from }
    },
    numbered: (part) => countedAfter(part, earlier.get(position.slice)),
    onAsked(request) {
      const { method, url, headers, body } = opened().stream.redactor.request(request)
      queue.send({ kind: 'asked', ...position, at: at(), request: { method, url, headers, body } })
    },
    page(slice, part) {
      const { stream, auxiliary } = opened()
      tally(slice, part)
      parts.push(part)
      const whole = gather(part, hasEnough())
      if (whole === null) return true
      const endsHere = whole.isCutShort || (part.stop === null && hasEnough())
      const stop = endsHere ? 'limit' : part.stop
      isLimited ||= stop === 'limit'
      const reason = !endsHere ? part.stop : hasEnough() ? 'record-limit' : 'size-limit'
      const words = reason === null ? null : explainStop(reason, whole, stream.plan.pagination, limitsHere())
      const frame = { ...position, began, stop, stopWords: words, asSent: auxiliary.takePageRequest(), parts }
      parts = []
      const { event, captured } = showTestPage(whole, stream, slice, frame)
      captures.add(read, position, captured)
      queue.send(event)
      totals.pages++
      position = { ...position, page: position.page + 1 }
      return !endsHere
    },
    isLimited: () => isLimited,
    end(ending, problem) {
      const receipt = open?.receipt.end(ending, problem) ?? null
      return {
        kind: 'end',
        at: at(),
        ending,
        ...totals,
        schema: open?.sample.schema() ?? null,
        state: open?.stream.cursor.state() ?? null,
        verdict: receipt?.verdict ?? null,
        verdictWords: receipt?.reason ?? null,
        receipt,
        problem: problem ?? null,
        canContinue: ending === 'limit' && isContinued(),
      }
    },
  }
}

/** A read that continues reads as much again: first what is left of the slices it began, then further slices. */
function limitsAfter(limits: ReadLimits, earlier: ReadonlyMap<number, EarlierSlice>) {
  const slices = [...earlier.values()]
  const begun = Math.max(-1, ...earlier.keys()) + 1
  const isOneCut = slices.some(({ from }) => from !== null)
  const emitted = slices.flatMap(({ parts }) => parts).reduce((sum, { records }) => sum + records.length, 0)
  return {
    mostSlices: isOneCut ? begun : begun + limits.maxSlices,
    mostRecords: emitted + limits.maxRecords,
  }
}

/** The schema is inferred from the first records: all of fifty megabytes would block other requests. */
const most = { records: 1_000, characters: 8_000_000, ofOne: 1_000_000 }

function sampleSchema({ primaryKey, slicing: { cursor } }: StreamPlan): Pick<Inferring, 'add' | 'schema'> {
  const inferring = inferSchema({ required: [...primaryKey, ...(cursor === null ? [] : [[cursor.cursorField]])] })
  const left = { records: most.records, characters: most.characters }
  return {
    add(record: JsonRecord) {
      if (left.records === 0 || left.characters <= 0) return
      const length = jsonLength(record, most.ofOne)
      if (length > most.ofOne) return
      left.records--
      left.characters -= length
      inferring.add(record)
    },
    schema: () => inferring.schema(),
  }
}

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
import { gatherParts, mostGathered, type WholePage } from './whole-pages.ts'
import { type Inferring, inferSchema } from '../../engine/records/infer-schema.ts'
import type { JsonRecord } from '../../engine/plan/plan.ts'
import type { StreamPlan } from '../../engine/plan/stream.ts'
import { openReceipts } from '../../proof/receipts/open-receipts.ts'
import { judgeFailure } from '../../proof/verdict/judge-slice.ts'
import type { TestReceipt, WireSliceReceipt, WireStreamProof } from '../wire/receipt.ts'
import type { StopReason } from '../../engine/pagination/next-page.ts'
import type { PaginationPlan } from '../../engine/plan/pagination.ts'
import { count, number } from '../../std/text/format-count.ts'
import { sayStop } from '../../protocol/say.ts'
import { cursorPath } from '../cursor-path.ts'
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

type OpenTestReceipt = {
  /** A page, or a part of one; slices are numbered as they start. */
  readonly observe: (index: number, slice: Slice, part: Page) => void
  readonly end: (ending: ReadEnd['ending'], problem?: ApiProblem) => TestReceipt
}

/** More than anyone reads on a screen. */
const mostSlices = 1000

function openTestReceipt(stream: OpenStream): OpenTestReceipt {
  const receipts = openReceipts(stream)
  const ofSlices: WireSliceReceipt[] = []
  return {
    observe(index, slice, part) {
      const receipt = receipts.observe(slice, part)
      if (receipt === null || ofSlices.length >= mostSlices) return
      const { stream: _soFar, ...ofSlice } = receipt
      // The compiler names a field that the schema of the API lacks.
      const described: Pick<WireSliceReceipt, keyof typeof ofSlice> = ofSlice
      ofSlices.push({ slice: index, ...described })
    },
    end(ending, problem) {
      const counted = receipts.stream()
      const proof: Pick<WireStreamProof, keyof typeof counted> = counted
      if (ending === 'complete') return { ...proof, ofSlices }
      const judged = ending === 'failed' ? judgeFailure(problem?.code) : receipts.unfinished()
      const { at: _ofThoseThatEnded, ...others } = proof
      return { ...others, ...(judged ?? { verdict: null, reason: null }), ofSlices }
    },
  }
}

export type ReadLimits = { readonly maxPages: number; readonly maxSlices: number; readonly maxRecords: number }

/** Why a page is the last of its slice: the words of every stop reason, then the details. */
function explainStop(
  stop: StopReason | 'record-limit' | 'size-limit',
  { receivedCount, page }: WholePage,
  plan: PaginationPlan,
  limits: ReadLimits,
): string {
  if (stop === 'record-limit') return `record limit: ${count(limits.maxRecords, 'record')}`
  if (stop === 'size-limit') return `size limit: ${number(mostGathered / 1024 / 1024)} MB per page`
  const reason = sayStop(stop)
  switch (stop) {
    case 'short-page':
      return `${reason}: ${number(receivedCount)} of ${sizeOf(plan)} requested`
    case 'empty-page':
      return `${reason}: no records`
    case 'no-cursor':
      return `${reason}${cursorDetail(plan)}`
    case 'stop-condition':
      return `${reason} is true`
    case 'strategy':
      return plan.kind === 'custom' ? `${reason}: ${plan.className} returned no token` : 'the next page would be page 0'
    case 'limit':
      return `${reason}: ${count(limits.maxPages, 'page')} per slice`
    case 'not-paginated':
      return `${reason}: one request`
    case 'ignored':
      return `${reason}: an error rule treats status ${page.response.status} as the end`
    case 'nothing-to-download':
      return `${reason}: the job has no download`
    case 'read-before':
      return `${reason}: an earlier read has them`
    case 'error':
      return `${reason}: the next page could not be determined`
  }
}

function sizeOf(plan: PaginationPlan): string {
  const size = plan.kind === 'offset' || plan.kind === 'page' ? plan.pageSize : null
  return typeof size === 'number' ? number(size) : 'those'
}

function cursorDetail(plan: PaginationPlan): string {
  const path = cursorPath(plan)
  return path === null ? ': the cursor value is empty' : ` at ${path}`
}

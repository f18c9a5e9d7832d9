/** A test read as it goes on → its events, its pages kept for later, and how it ended. */
import type { Manifest } from '../../engine/manifest/manifest.ts'
import type { Page } from '../../engine/pages/page.ts'
import type { OpenStream } from '../../engine/pages/stream.ts'
import type { HttpRequest } from '../../engine/request/http-request.ts'
import type { Slice } from '../../engine/slices/slice.ts'
import type { ApiProblem } from '../wire/problem.ts'
import type { ReadEnd, TestReadEvent } from '../wire/test-read.ts'
import type { Besides } from './auxiliary-requests.ts'
import type { CapturedRead, Captures } from './captures.ts'
import { openTestReceipt, type OpenTestReceipt } from './test-receipt.ts'
import { sampleSchema } from './sample-schema.ts'
import { showPage } from './show-page.ts'
import { type ReadLimits, sayStop } from './stop-words.ts'
import { gatherParts } from './whole-pages.ts'

export type ReadReport = {
  readonly open: (stream: OpenStream, manifest: Manifest, besides: Besides) => void
  readonly wantsSlice: (begun: number) => boolean
  readonly onSlice: (slice: Slice) => void
  readonly onAsked: (request: HttpRequest) => void
  /** A page, or a part of one. Whether more of them are wanted. */
  readonly page: (slice: Slice, part: Page) => boolean
  /** A limit of the reader left something unread. */
  readonly isLimited: () => boolean
  readonly end: (ending: ReadEnd['ending'], problem?: ApiProblem) => ReadEnd
}

export type Told = {
  readonly read: CapturedRead
  readonly line: { readonly tell: (event: TestReadEvent) => void }
  /** When the read began, ms since 1970. */
  readonly began: number
}

type Opened = {
  readonly stream: OpenStream
  readonly besides: Besides
  readonly receipt: OpenTestReceipt
  readonly sample: ReturnType<typeof sampleSchema>
}

export function openReport(limits: ReadLimits, captures: Captures, { read, line, began }: Told): ReadReport {
  const totals = { pages: 0, received: 0, emitted: 0 }
  const at = () => Date.now() - began
  let open: Opened | null = null
  let place = { slice: -1, page: 0 }
  let gather = gatherParts()
  let isLimited = false

  const opened = () => {
    if (open === null) throw new Error('The stream is not open.')
    return open
  }
  const hasEnough = () => totals.emitted >= limits.maxRecords

  return {
    open(stream, manifest, besides) {
      open = { stream, besides, receipt: openTestReceipt(stream), sample: sampleSchema(stream.plan) }
      const { plan, config, redactor } = stream
      read.stream = { plan, config, redactor, manifest }
    },
    wantsSlice(begun) {
      const isWanted = begun < limits.maxSlices && !hasEnough()
      isLimited ||= !isWanted
      return isWanted
    },
    onSlice({ partition, window }) {
      const { plan, redactor } = opened().stream
      place = { slice: place.slice + 1, page: 0 }
      gather = gatherParts()
      const isCut = plan.slicing.routers.length > 0 || plan.slicing.cursor !== null
      const descriptor = isCut ? (redactor.value({ ...partition, ...window }) as Record<string, unknown>) : null
      line.tell({ kind: 'slice', slice: place.slice, descriptor })
    },
    onAsked(request) {
      const { method, url, headers, body } = opened().stream.redactor.request(request)
      line.tell({ kind: 'asked', ...place, at: at(), request: { method, url, headers, body } })
    },
    page(slice, part) {
      const { stream, besides, receipt, sample } = opened()
      receipt.observe(place.slice, slice, part)
      totals.received += part.receivedCount
      totals.emitted += part.records.length
      for (const record of part.records) sample.add(record)
      const whole = gather(part, hasEnough())
      if (whole === null) return true
      const endsHere = whole.isCutShort || (part.stop === null && hasEnough())
      const stop = endsHere ? 'limit' : part.stop
      isLimited ||= stop === 'limit'
      const reason = !endsHere ? part.stop : hasEnough() ? 'record-limit' : 'size-limit'
      const words = reason === null ? null : sayStop(reason, whole, stream.plan.pagination, limits)
      const frame = { ...place, began, stop, stopWords: words, asSent: besides.takeOwn() }
      const { event, captured } = showPage(whole, stream, slice, frame)
      captures.add(read, place, captured)
      line.tell(event)
      totals.pages++
      place = { ...place, page: place.page + 1 }
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
      }
    },
  }
}

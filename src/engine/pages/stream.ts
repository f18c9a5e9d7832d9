/** A stream ready to be read: its plan is made, its classes are loaded, its requester is open. */
import type { ParsedJson } from '../../std/json.ts'
import type { CustomPlan } from '../custom/component.ts'
import type { JobTools } from '../jobs/run-job.ts'
import type { PaginationStrategy } from '../pagination/strategy.ts'
import type { Config } from '../plan/plan.ts'
import type { RequesterPlan } from '../plan/requester.ts'
import type { StreamPlan } from '../plan/stream.ts'
import type { PropertiesPlan } from '../plan/query-properties.ts'
import type { RecordTools } from '../records/select.ts'
import type { HttpRequest } from '../request/http-request.ts'
import type { PageToken } from '../request/page-token.ts'
import type { RequestInput } from '../request/request.ts'
import type { BodyPart } from '../response/formats/parts.ts'
import type { HttpResponse, Send } from '../response/http-response.ts'
import type { Redactor } from '../secrets/redact.ts'
import type { Slice } from '../slices/slice.ts'
import type { JudgedParents } from './judged-parent.ts'
import type { Retriever } from './retriever.ts'
import type { StreamCursor } from '../slices/stream-cursor.ts'
import type { Tools } from '../run/run.ts'

/** How far ahead: `off` requests a page only when the reader wants it, `auto` and a number several at a time. */
export type Prefetch = 'auto' | 'off' | number

/** What the API claims about the end; null where it claims nothing. */
export type ClaimedEnd = { readonly records: number | null; readonly pages: number | null; readonly isOver: boolean }

export type ClaimingPage = {
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly receivedCount: number
}

/** Reads the claims of one page; `proof/` provides it. */
export type ReadClaimedEnd = (stream: Pick<OpenStream, 'plan' | 'config'>) => (page: ClaimingPage) => ClaimedEnd

/** What counts for the parents of a stream as well. */
export type ParentOptions = {
  /** How many pages are requested before the reader wants them; `auto` when absent. */
  readonly prefetch?: Prefetch | undefined
  readonly signal?: AbortSignal | undefined
}

export type OpenStream = Omit<OpenRequester, 'plan'> & {
  readonly plan: StreamPlan
  readonly config: Config
  readonly strategy: PaginationStrategy | null
  /** Jobs that prepare the records, where the API needs them. */
  readonly job: JobTools | null
  /** The custom class that reads the slices. */
  readonly retriever: OpenRetriever | null
  readonly decoder: OpenDecoder
  readonly redactor: Redactor
  readonly now: () => number
  readonly sleep: Tools['sleep']
  readonly warn: (text: string) => void
  /** How many slices are read side by side. */
  readonly width: number
  /** How many requests of the run are under way at a time. */
  readonly requestsAtOnce: number
  /** Which windows are left, and how far the stream was read. */
  readonly cursor: StreamCursor
  /** Whether no earlier read left a state: then nothing is left out on purpose. */
  readonly isFirstRead: boolean
  /** Finds out where the API says that its pages end: none is requested ahead past that. */
  readonly claimedEnd: ReadClaimedEnd | null
  readonly judgedParents: JudgedParents['judgedParents']
  /** Null where requests name no properties. */
  readonly properties: OpenProperties | null
  /** What its records pass through. Loads the schema, if values are cast to it. */
  recordTools(signal: AbortSignal): Promise<RecordTools>
  slices(options: ParentOptions): AsyncIterable<Slice>
  /** `size`: of the page, where it is smaller than the manifest says. */
  requestInput(
    slice: Slice,
    token: PageToken | null,
    properties?: readonly string[],
    size?: number | null,
  ): RequestInput
}

export type OpenRetriever = { readonly plan: CustomPlan; readonly reader: Retriever }

export type OpenRequester = {
  readonly plan: RequesterPlan
  /** The request of one page; a custom class may change it. */
  readonly build: (input: RequestInput) => Promise<HttpRequest>
  readonly send: Send
  /** The same link with the mark where it repeats the credential. */
  readonly unsigned: (token: PageToken) => PageToken
}

export type OpenDecoder = {
  /** Whether a request that is not one of many pages should say `streams: true`. */
  readonly streams: boolean
  /** The response part by part: at least one, `isLast` on the last. Formats of one value have exactly one part. */
  parts(response: HttpResponse, options?: { readonly atOnce: boolean }): BodyPart[] | AsyncIterable<BodyPart>
  /** The same as one value: of formats with items, the list of them. */
  whole(response: HttpResponse): Promise<ParsedJson>
}

export type OpenProperties = {
  readonly plan: PropertiesPlan
  /** The groups that are requested one by one. */
  readonly chunks: (signal: AbortSignal) => Promise<readonly (readonly string[])[]>
}

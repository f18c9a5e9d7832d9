/** One request, its response, its records: what a reader of pages receives. */
import { ConnectorError } from '../../std/errors.ts'
import type { NextPage, StopReason } from '../pagination/next-page.ts'
import type { JsonRecord } from '../plan/plan.ts'
import type { PageList, Selection } from '../records/select.ts'
import type { HttpRequest } from '../request/http-request.ts'
import type { PageToken } from '../request/page-token.ts'
import type { BodyPart } from '../response/formats/parts.ts'
import type { HttpResponse } from '../response/http-response.ts'
import type { Redactor } from '../secrets/redact.ts'
import type { Slice } from '../slices/slice.ts'
import type { OpenStream } from './stream.ts'

/** Secrets in request and response are hidden; records are as the API sent them. */
export type Page = {
  readonly stream: string
  readonly slice: Slice
  /** The download this page is part of, where a job prepared several. */
  readonly target?: unknown
  /** Position within the slice, from 0. */
  readonly index: number
  /** Position within the page, from 0: a body larger than memory comes in parts. Most pages have only one. */
  readonly part: number
  /** The token of this page; null when the first request carries none. */
  readonly token: PageToken | null
  /** What asks for the next page; null on the last, and where another part of this one follows. */
  readonly next: PageToken | null
  /** Why this is the last page; null when it is not, or when another part of it follows. */
  readonly stop: StopReason | null
  /** With an empty address, and a response of status 0, where a custom class returned records without a request. */
  readonly request: HttpRequest
  readonly response: PageResponse
  /** The other requests of a page that asks for its properties in several groups, in order. */
  readonly further?: readonly { readonly request: HttpRequest; readonly response: PageResponse }[]
  /** Filtered and transformed. */
  readonly records: JsonRecord[]
  /** What the API sent, before filters. */
  readonly receivedCount: number
  /** Whether the response has the list that the record path names: a page without it is not an empty page. */
  readonly list: PageList
  /** Of properties requested in several groups: how many records some group does not have; absent where each group has all. */
  readonly lacking?: number
  /** How many lists inside what the API sent lack items, as it says; absent where none does. */
  readonly truncated?: number
  /** Which section of a halved slice it is part of, and why that ends here; absent where the slice is whole. */
  readonly section?: { readonly number: number; readonly stop: StopReason | null }
  /** When the page was requested (ms since 1970) and how long the response took, retries included. */
  readonly timing: { readonly askedAt: number; readonly tookMs: number }
  /** On the last page of a slice. */
  readonly receipt?: SliceEnd
}

export type PageResponse = {
  readonly status: number
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The decoded body; of a page in parts, the items of this part. */
  readonly body: unknown
  readonly bytes: number
}

/** What a slice counted, and why it ended. `proof/` decides what that proves. */
export type SliceEnd = {
  readonly pages: number
  readonly received: number
  readonly emitted: number
  readonly stop: StopReason
  /** The code of the error that ended it. */
  readonly error?: string
  /** Requests for pages ahead that were not needed; absent where there was none. */
  readonly requestsInVain?: number
}

/** What was read so far, in a receipt that is not written yet. */
type Totals = Pick<SliceEnd, 'pages' | 'received' | 'emitted'>

/** One request and its response, before anything is made of it. */
export type PageExchange = {
  readonly token: PageToken | null
  readonly request: HttpRequest
  readonly response: HttpResponse
  readonly askedAt: number
  readonly tookMs: number
}

/** One response of a page, or a part of its body: decoded, and the records in it. */
export type SelectedResponse = {
  readonly exchange: PageExchange
  readonly decoded: BodyPart
  readonly selection: Selection
}

/** A page, or a part of one, before its secrets are hidden. */
type UnshownPage = {
  readonly slice: Slice
  readonly part: number
  /** The responses that make the page, in order. */
  readonly responses: readonly [SelectedResponse, ...SelectedResponse[]]
  readonly selection: Selection
  readonly next: (NextPage & { readonly failure?: unknown }) | { readonly token: null; readonly stop: null }
  readonly totals: Totals
  readonly isLimited: boolean
  /** On the last page: how many requests for others were made in vain. */
  readonly inVain?: number
}

/** How Node's consoles ask an object what to print; its own fields are private. */
const shownInConsoles = Symbol.for('nodejs.util.inspect.custom')

/**
 * Secrets are hidden only when a field is read: most reads never do. A class, since a getter written into each
 * object would give each a hidden class of its own, and those outlive the page: measured, four times the collecting.
 */
class ShownRequest implements HttpRequest {
  readonly #sent: HttpRequest
  readonly #redactor: Redactor
  #shown: HttpRequest | null = null

  constructor(sent: HttpRequest, redactor: Redactor) {
    this.#sent = sent
    this.#redactor = redactor
  }
  get method(): string {
    return this.#sent.method
  }
  get url(): string {
    return this.toJSON().url
  }
  get headers(): HttpRequest['headers'] {
    return this.toJSON().headers
  }
  get body(): string | null {
    return this.toJSON().body
  }
  toJSON(): HttpRequest {
    return (this.#shown ??= this.#redactor.request(this.#sent))
  }
  [shownInConsoles](): HttpRequest {
    return this.toJSON()
  }
}

/** The same for what came back. */
class ShownResponse implements PageResponse {
  readonly status: number
  readonly bytes: number
  readonly #url: string
  readonly #headers: HttpResponse['headers']
  readonly #body: unknown
  readonly #received: readonly JsonRecord[]
  readonly #redactor: Redactor

  /** Keeps only what is shown: the bytes have been decoded and can be freed. */
  constructor({ exchange, decoded, selection }: SelectedResponse, redactor: Redactor) {
    const { status, url, headers } = exchange.response
    const { value, bytes } = decoded
    this.status = status
    this.bytes = bytes
    this.#url = url
    this.#headers = headers
    this.#body = value
    this.#received = selection.received
    this.#redactor = redactor
  }
  get url(): string {
    return this.#redactor.url(this.#url)
  }
  get headers(): Readonly<Record<string, string>> {
    return this.#redactor.headers(this.#headers)
  }
  get body(): unknown {
    return this.#redactor.value(this.#body)
  }
  static unshown(response: PageResponse): UnshownResponse {
    if (!(#body in response)) return { ...response, received: [] }
    return { body: response.#body, headers: response.#headers, received: response.#received }
  }
  toJSON(): PageResponse {
    const { status, url, headers, body, bytes } = this
    return { status, url, headers, body, bytes }
  }
  [shownInConsoles](): PageResponse {
    return this.toJSON()
  }
}

export type UnshownResponse = Pick<PageResponse, 'body' | 'headers'> & {
  /** Everything received, kept or not, as cursors are read from it. */
  readonly received: readonly JsonRecord[]
}

/** The response with its secrets, for code that takes numbers and flags from it and shows nothing else. */
export function unshownResponse(response: PageResponse): UnshownResponse {
  return ShownResponse.unshown(response)
}

/** A first page that the parent's record held is shown as a page, not as part of its slice. */
function shownSlice({ partition, window, extra = {} }: Slice): Slice {
  return { partition, window, ...(Object.keys(extra).length > 0 && { extra }) }
}

function showExchange(one: SelectedResponse, redactor: Redactor): Pick<Page, 'request' | 'response'> {
  return { request: new ShownRequest(one.exchange.request, redactor), response: new ShownResponse(one, redactor) }
}

/** The time of all its responses, one after the other. */
function tookMs(responses: readonly SelectedResponse[]): number {
  return responses.reduce((sum, { exchange }) => sum + exchange.tookMs, 0)
}

export function showPage({ plan, redactor }: OpenStream, unshown: UnshownPage): Page {
  const { slice, part, selection, next, responses, totals, isLimited, inVain = 0 } = unshown
  const [first, ...others] = responses
  const stop = isLimited ? 'limit' : next.stop
  return {
    stream: plan.name,
    slice: redactor.value(shownSlice(slice)) as Slice,
    index: totals.pages - 1,
    part,
    token: redactor.value(first.exchange.token) as PageToken | null,
    next: redactor.value(next.token) as PageToken | null,
    stop,
    ...showExchange(first, redactor),
    ...(others.length > 0 && { further: others.map((other) => showExchange(other, redactor)) }),
    records: selection.records,
    receivedCount: selection.receivedCount,
    list: selection.list,
    ...(selection.lacking !== undefined && { lacking: selection.lacking }),
    ...(selection.truncated !== undefined && { truncated: selection.truncated }),
    timing: { askedAt: first.exchange.askedAt, tookMs: tookMs(responses) },
    ...(stop !== null && { receipt: { ...totals, stop, ...failedWith(next), ...wasted(inVain) } }),
  }
}

function failedWith(next: UnshownPage['next']): Pick<SliceEnd, 'error'> {
  const failure = 'failure' in next ? next.failure : undefined
  return failure instanceof ConnectorError ? { error: failure.code } : {}
}

function wasted(inVain: number): Pick<SliceEnd, 'requestsInVain'> {
  return inVain > 0 ? { requestsInVain: inVain } : {}
}

/** A page of one download, or of one start, as a page of its slice: numbered and counted over all of them. */
export function renumberPage(page: Page, totals: Totals, stop: Page['stop']): Page {
  const { receipt, ...rest } = page
  return { ...rest, index: totals.pages - 1, stop, ...(stop !== null && { receipt: { ...receipt, ...totals, stop } }) }
}

/** The end of a download, or of a half, is not the end of its slice, unless the reader or an error ends it there. */
export function stopBetween(stop: Page['stop'], isLimited: boolean): Page['stop'] {
  if (stop === null || stop === 'error') return stop
  return isLimited ? 'limit' : null
}

/** The base class of custom retrievers. */
import { CustomComponent } from '../custom/component.ts'
import type { JsonRecord } from '../plan/plan.ts'
import type { Slice } from '../slices/slice.ts'

/** What differs from the request of the manifest's `requester` for the slice; without a requester, `url` is required. */
export type FetchRequest = {
  /** Absolute, or relative to the requester's address. Credentials are sent to their own origin only. */
  readonly url?: string
  readonly method?: string
  /** Added to the address. */
  readonly query?: Readonly<Record<string, string | number | bigint | boolean>>
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as the body, as JSON. */
  readonly json?: unknown
}

export type FetchedJson = {
  readonly status: number
  /** The address of the response, after redirects. */
  readonly url: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** The decoded body; an empty object when there is none. Integers too long for a number are bigints. */
  readonly body: unknown
}

/** Signed, limited and retried like every request of the run. */
export type FetchJson = (request?: FetchRequest) => Promise<FetchedJson>

export type RetrieverContext = {
  readonly slice: Slice
  readonly fetchJson: FetchJson
  /** Aborted when the rest is not wanted. */
  readonly signal: AbortSignal
}

/** The records of one page, as the API sent them. */
export type Retrieved = readonly JsonRecord[] | { readonly records: readonly JsonRecord[] }

type Several<T> = Iterable<T> | AsyncIterable<T>

/**
 * Extend this in `source_<name>/<package>.ts` next to the manifest. What it returns is filtered and transformed as the
 * manifest says, and shown page by page with the last request made for each.
 *
 * ```ts
 * export class ReportRetriever extends Retriever {
 *   async *readSlice({ slice, fetchJson }: RetrieverContext) {
 *     for (let page = 1; ; page++) {
 *       const { body } = await fetchJson({ query: { page, region: String(slice.partition.region) } })
 *       const { rows } = body as { rows: JsonRecord[] }
 *       if (rows.length === 0) return
 *       yield rows
 *     }
 *   }
 * }
 * ```
 */
export abstract class Retriever extends CustomComponent {
  abstract readSlice(context: RetrieverContext): Several<Retrieved>

  /** The slices of the stream; null leaves them to the manifest. */
  slices(_context: Omit<RetrieverContext, 'slice'>): Several<Partial<Slice>> | null {
    return null
  }
}

/** The base class of custom pagination. */
import { CustomComponent } from '../custom/component.ts'
import type { Config, JsonRecord } from '../plan/plan.ts'

/** What a strategy receives about the page just read. */
export type PageContext = {
  /** The decoded body, whole. */
  readonly response: unknown
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly config: Config
  /** The token of this page; null on the first. */
  readonly token: unknown
  /** Records received, before filters. */
  readonly lastPageSize: number
  /** The size that the page was requested with, where `page_size_reduction` made it smaller than `pageSize`; null otherwise. */
  readonly reducedPageSize: number | null
  readonly lastRecord: JsonRecord | null
  readonly lastRecords: readonly JsonRecord[]
}

/** What can be sent as a token, or taken apart by the templates of a request. */
export type TokenValue =
  | string
  | number
  | bigint
  | readonly TokenValue[]
  | { readonly [name: string]: TokenValue | boolean | null }

/**
 * Extend this in `source_<name>/<package>.ts` next to the manifest. A strategy keeps nothing between pages:
 * what it needs to remember belongs into the token.
 *
 * ```ts
 * export class MonthByMonth extends PaginationStrategy {
 *   nextPageToken({ response }: PageContext) {
 *     return (response as { next_month?: string }).next_month
 *   }
 * }
 * ```
 */
export abstract class PaginationStrategy extends CustomComponent {
  /** The token of the next page; null or undefined stops. */
  abstract nextPageToken(context: PageContext): TokenValue | null | undefined | void

  /** What `page_size_option` injects; null injects nothing. */
  get pageSize(): number | null {
    const { page_size: size } = this.parameters
    return typeof size === 'number' ? size : null
  }

  /** The token of the first request; null sends none. */
  initialToken(): TokenValue | null {
    return null
  }
}

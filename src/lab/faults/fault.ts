/** What a fault is: hooks at the request, at the list of records and at the response. No hook knows a dialect. */

/** Some consecutive rows; `from` is null where positions hold no row. */
export type Segment = { readonly from: number | null; readonly count: number }

export type LabResponse = {
  status: number
  /** Names in the case they are sent in. */
  headers: Record<string, string>
  body: string
  /** How long the server waits before it sends this. */
  delayMs: number
  /** How long it waits between the pieces of the body; without it, the body is sent at once. */
  paceMs?: number
}

/** What one request asks for, in terms that every pagination method has. */
export type PageRequest = {
  /** Where the page begins, counted from 0. */
  readonly start: number
  /** Records per page. */
  readonly limit: number
  /** Whether the request says where to begin, or leaves it out as first requests may. */
  readonly isPlaced: boolean
  /** How it says so: by the number of records or pages to skip, or by a record to continue from, which rows that move do not affect. */
  readonly by: 'records' | 'pages' | 'record'
}

/** What the server remembers about earlier requests. */
export type RequestMemory = {
  /** Whether this is the first time, or the first since it was last answered. */
  readonly isFirstTime: () => boolean
}

export type Hooks = {
  /** At the request: throws a `Refusal`. */
  readonly refuse?: (wanted: PageRequest, asked: RequestMemory) => void
  /** At the request: the page size that is used, whatever was requested. */
  readonly limit?: (limit: number) => number
  /** At the list: where the page really begins. */
  readonly place?: (wanted: PageRequest) => number
  /** At the list: which rows are at which positions. */
  readonly layout?: (wanted: PageRequest, size: number) => readonly Segment[]
  /** At the list: where the next page begins according to the response; null at the end. */
  readonly next?: (next: number | null, wanted: PageRequest) => number | null
  /** At the list: the reported total. */
  readonly total?: (size: number, wanted: PageRequest) => number
  /** At the response: where absolute links lead. */
  readonly origin?: (origin: string) => string
  /** At the response: what is sent instead. `page` counts from 0. */
  readonly respond?: (response: LabResponse, page: number) => LabResponse
}

/**
 * What a pagination method has, as far as faults care. `sized`: takes a page size. `counted`: the client sends how far it has
 * come. `keyed`: continues after a record that the client names. `next`: the API names the next page. `cursor`: it does so by
 * an opaque cursor. `link`: by an absolute link. `total`: it reports how many records or pages there are. `pages`: it has pages.
 */
export type Trait = 'pages' | 'sized' | 'counted' | 'keyed' | 'next' | 'cursor' | 'link' | 'total'

export type Fault = {
  readonly name: string
  /** What the API does. */
  readonly says: string
  /** What a client must do so that no record is lost or duplicated, or at least this is noticed. */
  readonly survive: string
  /** Query parameters of the fault, with their defaults. */
  readonly parameters?: Readonly<Record<string, number>>
  /** Whether it makes sense for a pagination method. */
  readonly suits: (traits: readonly Trait[]) => boolean
  readonly hooks: (parameters: Readonly<Record<string, number>>) => Hooks
}

/** The page where faults of a single page show: the third, counted from 0. */
export const faultyPage = 2

export function pageOf({ start, limit }: PageRequest): number {
  return Math.floor(start / limit)
}

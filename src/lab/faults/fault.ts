/** What a fault is: hooks at the request, at the list of records and at the response. No hook knows a dialect. */
import type { LabResponse } from '../exchange.ts'
import type { Segment } from './layout.ts'

/** What one request asks for, in terms that every way of paging has. */
export type Wanted = {
  /** Where the page begins, counted from 0. */
  readonly start: number
  /** Records per page. */
  readonly limit: number
  /** Whether the request says where to begin, or leaves it out as first requests may. */
  readonly isPlaced: boolean
  /** How it says so: by the number of records or pages to skip, or by a record to go on from, which rows that move do not touch. */
  readonly by: 'records' | 'pages' | 'record'
}

/** What a fault may want to know besides; handed in, because only a server remembers. */
export type Asked = {
  /** Whether this is the first time, or the first since it was last answered. */
  readonly isFirstTime: () => boolean
}

export type Hooks = {
  /** At the request: throws a `Refusal`. */
  readonly refuse?: (wanted: Wanted, asked: Asked) => void
  /** At the request: the page size that counts, whatever was asked for. */
  readonly limit?: (limit: number) => number
  /** At the list: where the page really begins. */
  readonly place?: (wanted: Wanted) => number
  /** At the list: which rows stand where. */
  readonly layout?: (wanted: Wanted, size: number) => readonly Segment[]
  /** At the list: where the next page is said to begin; null at the end. */
  readonly next?: (next: number | null, wanted: Wanted) => number | null
  /** At the list: how many records there are said to be. */
  readonly total?: (size: number, wanted: Wanted) => number
  /** At the response: where absolute links lead. */
  readonly origin?: (origin: string) => string
  /** At the response: what is sent instead. `page` counts from 0. */
  readonly respond?: (response: LabResponse, page: number) => LabResponse
}

/**
 * What a way of paging has, as far as faults care. `sized`: takes a page size. `counted`: the client says how far it has
 * come. `keyed`: goes on after a record that the client names. `next`: the API names the next page. `cursor`: it does so by
 * an opaque cursor. `link`: by an absolute link. `total`: it says how many records or pages there are. `pages`: it has some.
 */
export type Trait = 'pages' | 'sized' | 'counted' | 'keyed' | 'next' | 'cursor' | 'link' | 'total'

export type Fault = {
  readonly name: string
  /** What the API does. */
  readonly says: string
  /** What a reader must do, so that no record is lost or doubled, or at least nobody believes the contrary. */
  readonly survive: string
  /** Numbers that it takes in the query, with what they are when nobody says. */
  readonly parameters?: Readonly<Record<string, number>>
  /** Whether it makes sense for a way of paging. */
  readonly suits: (traits: readonly Trait[]) => boolean
  readonly hooks: (parameters: Readonly<Record<string, number>>) => Hooks
}

/** The page where faults of a single page show: the third, counted from 0. */
export const faultyPage = 2

export function pageOf({ start, limit }: Wanted): number {
  return Math.floor(start / limit)
}

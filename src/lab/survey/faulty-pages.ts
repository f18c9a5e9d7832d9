/** A list and a fault → its pages, as an API with that fault sends them. */
import { type Fault, type Hooks, pageOf, type Wanted } from '../faults/fault.ts'
import { type TurnedPage, turnPage } from '../faults/turn-page.ts'
import type { Answer, Asked } from '../mirror/asked.ts'
import { encoded } from '../mirror/encode.ts'
import type { OpenList } from '../mirror/open-list.ts'
import { pageShape } from '../mirror/page-shape.ts'
import { isKeyed } from '../mirror/paging.ts'
import type { Turn } from '../mirror/walks.ts'
import type { PageSizes } from './page-sizes.ts'
import { createPlaces } from './places.ts'
import { respondedWith } from './respond.ts'

/** Where a request leads. */
export type Place = { readonly turn: Turn; readonly wanted: Wanted }

export type FaultyPages = {
  readonly hooks: Hooks
  readonly placeOf: (asked: Asked) => Place
  /** Null where the API has no words for it that the manifest understands. `linkTo` gives the address of another page. */
  readonly answer: (asked: Asked, place: Place, linkTo: (page: number) => string) => Answer | null
}

/** Half a page, as other faults have it. */
export function hooksWith(fault: Fault | null, limit: number): Hooks {
  return fault?.hooks({ ...fault.parameters, cap: Math.ceil(limit / 2) }) ?? {}
}

export function openFaultyPages(
  list: OpenList,
  sizes: PageSizes,
  { fault, isCounting }: { readonly fault: Fault | null; readonly isCounting: boolean },
): FaultyPages {
  const { paging, decoder } = list
  const hooks = hooksWith(fault, sizes.limit)
  const limit = hooks.limit?.(sizes.limit) ?? sizes.limit
  const places = createPlaces(paging, sizes.size, limit, hooks)
  /** Of each walk, page → what asks for it. An API that leads back to a page gives out its token again. */
  const walks = new Map<number, Map<number, string>>()

  /** The same row is the same record, whoever asks for it and on whichever page it comes. */
  const recordOf = (asked: Asked, row: number) =>
    list.record(asked, row + 1, Math.min(1, row / sizes.size), row % sizes.limit < 3)
  const recordsIn = (asked: Asked, rows: TurnedPage['rows']) =>
    rows.flatMap(([from, to]) => Array.from({ length: to - from }, (_, index) => recordOf(asked, from + index)))

  return {
    hooks,
    placeOf(asked) {
      const turn = list.turnOf(asked)
      return { turn, wanted: places.of(turn) }
    },
    answer(asked, { turn, wanted }, linkTo) {
      const { start, rows, next, total, pages } = turnPage(wanted, sizes.size, hooks)
      places.sent(turn, rows)
      const sends = recordsIn(asked, rows)
      // Where only an empty page ends the walk, the API does not know beforehand that it comes.
      const goesOn = next !== null || (sizes.tail === 0 && sends.length > 0)
      const usual = goesOn ? sizes.limit : sizes.tail
      const tokens = walks.get(turn.walk) ?? new Map<number, string>()
      walks.set(turn.walk, tokens)
      const nextPage = Math.floor((next ?? start + limit) / limit) + 1
      const shape = pageShape(paging, {
        goesOn,
        page: pageOf({ ...wanted, start }) + 1,
        next: nextPage,
        link: linkTo(nextPage),
        records: sends.length === usual ? sends : recordsIn(asked, [[start, start + usual]]),
        sends,
        taken: new Set([...tokens].flatMap(([page, token]) => (page === nextPage ? [] : [token]))),
        token: isKeyed(paging) ? undefined : tokens.get(nextPage),
        counts: { total, pages },
      })
      if (shape === null) return null
      if (goesOn) tokens.set(nextPage, shape.token)
      const headers = { ...shape.headers, ...(isCounting && { 'x-total-count': String(total) }) }
      return respondedWith(hooks, encoded(decoder, shape.body, headers), pageOf(wanted))
    },
  }
}

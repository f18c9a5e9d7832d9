/** What a request asks for, the size of the dataset and a fault → the rows of the page, and what is said about the others. */
import type { Hooks, Wanted } from './fault.ts'
import { lengthOf, positionOf, type RowRange, rowsAt, type Segment, wholeList } from './layout.ts'

export type TurnedPage = {
  readonly rows: readonly RowRange[]
  /** Where it begins: what was asked for, unless the fault makes light of that. */
  readonly start: number
  /** Where the next page begins; null at the end. */
  readonly next: number | null
  /** The records there are, as the API says. */
  readonly total: number
  /** The pages there are, as the API says. */
  readonly pages: number
}

/** Without hooks: the page as it should be. */
export function turnPage(wanted: Wanted, size: number, hooks: Hooks = {}): TurnedPage {
  const { limit } = wanted
  const layout = layoutFor(wanted, size, hooks)
  const start = hooks.place?.(wanted) ?? wanted.start
  const length = lengthOf(layout)
  const end = start + limit
  const next = end < length ? end : null
  const total = hooks.total?.(size, wanted) ?? size
  return {
    rows: rowsAt(layout, start, limit),
    start,
    next: hooks.next === undefined ? next : hooks.next(next, wanted),
    total,
    pages: Math.ceil(Math.max(length, total) / limit),
  }
}

/** Where whoever names a row begins: `row` is the first that they do not have. */
export function placeOfRow(row: number, limit: number, size: number, hooks: Hooks = {}): Wanted {
  const wanted = { start: row, limit, isPlaced: row > 0, by: 'record' } as const
  return { ...wanted, start: positionOf(layoutFor(wanted, size, hooks), row) }
}

function layoutFor(wanted: Wanted, size: number, hooks: Hooks): readonly Segment[] {
  return hooks.layout?.(wanted, size) ?? wholeList(size)
}

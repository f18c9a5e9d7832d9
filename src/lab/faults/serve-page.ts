/** What a request asks for, the size of the dataset and a fault → the rows of the page, and what is said about the others. */
import type { Hooks, PageRequest, Segment } from './fault.ts'

export type ServedPage = {
  readonly rows: readonly RowRange[]
  /** Where it begins: as requested, unless the fault changes it. */
  readonly start: number
  /** Where the next page begins; null at the end. */
  readonly next: number | null
  /** The records there are, as the API says. */
  readonly total: number
  /** The pages there are, as the API says. */
  readonly pages: number
}

/** Without hooks: the page as it should be. */
export function servePage(wanted: PageRequest, size: number, hooks: Hooks = {}): ServedPage {
  const { limit } = wanted
  const layout = layoutFor(wanted, size, hooks)
  const start = hooks.place?.(wanted) ?? wanted.start
  const length = layoutLength(layout)
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

/** The page that begins at a row: the first one that the client does not have. */
export function placeOfRow(row: number, limit: number, size: number, hooks: Hooks = {}): PageRequest {
  const wanted = { start: row, limit, isPlaced: row > 0, by: 'record' } as const
  return { ...wanted, start: rowPosition(layoutFor(wanted, size, hooks), row) }
}

function layoutFor(wanted: PageRequest, size: number, hooks: Hooks): readonly Segment[] {
  return hooks.layout?.(wanted, size) ?? wholeList(size)
}

/** Rows `from` to `to`, the latter not included. */
export type RowRange = readonly [from: number, to: number]

/** Every row once, in order. */
export function wholeList(size: number): readonly Segment[] {
  return [{ from: 0, count: size }]
}

/** Positions without rows before row `at`; no row is lost, those after it come later. */
export function withGap(size: number, at: number, count: number): readonly Segment[] {
  if (at >= size) return wholeList(size)
  return [
    { from: 0, count: at },
    { from: null, count },
    { from: at, count: size - at },
  ]
}

/** Some rows are hidden; those after them keep their positions. */
export function withHidden(size: number, at: number, count: number): readonly Segment[] {
  if (at + count >= size) return wholeList(size)
  return [
    { from: 0, count: at },
    { from: null, count },
    { from: at + count, count: size - at - count },
  ]
}

/** The rows before row `at` a second time. */
export function withRepeat(size: number, at: number, count: number): readonly Segment[] {
  if (at > size) return wholeList(size)
  return [
    { from: 0, count: at },
    { from: at - count, count },
    { from: at, count: size - at },
  ]
}

/** New rows in front of all others; their numbers follow those that were there. */
export function withNewRows(size: number, count: number): readonly Segment[] {
  return [
    { from: size, count },
    { from: 0, count: size },
  ]
}

/** The first rows are deleted. */
export function withoutRows(size: number, count: number): readonly Segment[] {
  const gone = Math.min(count, size)
  return [{ from: gone, count: size - gone }]
}

function layoutLength(layout: readonly Segment[]): number {
  return layout.reduce((sum, { count }) => sum + count, 0)
}

/** The rows at the positions from `start` on. */
function rowsAt(layout: readonly Segment[], start: number, limit: number): RowRange[] {
  const rows: RowRange[] = []
  let position = 0
  for (const { from, count } of layout) {
    const first = Math.max(start, position)
    const end = Math.min(start + limit, position + count)
    if (from !== null && first < end) rows.push([from + first - position, from + end - position])
    position += count
  }
  return rows
}

/** The position of a row; after a gap rather than before it, for clients that continue from the row before. */
function rowPosition(layout: readonly Segment[], row: number): number {
  let position = 0
  for (const { from, count } of layout) {
    if (from !== null && row >= from && row < from + count) return position + row - from
    position += count
  }
  return position
}

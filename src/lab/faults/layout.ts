/** Which rows of a dataset stand at which positions of the list that an API serves. */

/** Some neighbouring rows; `from` is null where positions hold no row at all. */
export type Segment = { readonly from: number | null; readonly count: number }

/** Rows `from` to `to`, the latter not included. */
export type RowRange = readonly [from: number, to: number]

/** Every row once, in order. */
export function wholeList(size: number): readonly Segment[] {
  return [{ from: 0, count: size }]
}

/** Positions without rows before row `at`; no row is lost, those behind come later. */
export function withGap(size: number, at: number, count: number): readonly Segment[] {
  if (at >= size) return wholeList(size)
  return [
    { from: 0, count: at },
    { from: null, count },
    { from: at, count: size - at },
  ]
}

/** Some rows are not shown, those behind them stay where they are. */
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

/** The first rows are no more. */
export function withoutRows(size: number, count: number): readonly Segment[] {
  const gone = Math.min(count, size)
  return [{ from: gone, count: size - gone }]
}

export function lengthOf(layout: readonly Segment[]): number {
  return layout.reduce((sum, { count }) => sum + count, 0)
}

/** The rows at the positions from `start` on. */
export function rowsAt(layout: readonly Segment[], start: number, limit: number): RowRange[] {
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

/** Where a row stands; behind a gap rather than before it, for whoever goes on from the row before. */
export function positionOf(layout: readonly Segment[], row: number): number {
  let position = 0
  for (const { from, count } of layout) {
    if (from !== null && row >= from && row < from + count) return position + row - from
    position += count
  }
  return position
}

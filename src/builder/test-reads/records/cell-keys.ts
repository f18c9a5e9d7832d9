/** A key pressed in a table → the cell it leads to. */

export type Cell = { readonly row: number; readonly column: number }

export type TableSize = {
  readonly rows: number
  readonly columns: number
  readonly onScreen: number
  /** With Ctrl: all the way. */
  readonly isFar: boolean
}

/** Null where the key means nothing here. */
export function cellAfter(
  { row, column }: Cell,
  key: string,
  { rows, columns, onScreen, isFar }: TableSize,
): Cell | null {
  const at = (toRow: number, toColumn: number): Cell => ({
    row: Math.max(0, Math.min(rows - 1, toRow)),
    column: Math.max(0, Math.min(columns - 1, toColumn)),
  })
  switch (key) {
    case 'ArrowDown':
      return at(isFar ? rows : row + 1, column)
    case 'ArrowUp':
      return at(isFar ? 0 : row - 1, column)
    case 'ArrowRight':
      return at(row, isFar ? columns : column + 1)
    case 'ArrowLeft':
      return at(row, isFar ? 0 : column - 1)
    case 'PageDown':
      return at(row + onScreen, column)
    case 'PageUp':
      return at(row - onScreen, column)
    case 'Home':
      return at(isFar ? 0 : row, 0)
    case 'End':
      return at(isFar ? rows : row, columns)
    default:
      return null
  }
}

/** The widths of columns: as their values need, until someone changes them. */
import { useCallback, useState } from 'react'
import { cellPadding, characterWidth, type RecordColumn } from './record-columns.ts'

/** How far one key press moves an edge. */
export const stepPx = 16
const narrowest = 48
const widest = 4000

export function useColumnWidths(columns: readonly RecordColumn[]) {
  const [changed, setChanged] = useState<ReadonlyMap<string, number>>(new Map())
  const widthOf = useCallback(
    (index: number) => {
      const column = columns[index]
      return column === undefined ? 0 : (changed.get(column.name) ?? column.width)
    },
    [columns, changed],
  )
  const resize = (index: number, width: number) => {
    const column = columns[index]
    if (column === undefined) return
    setChanged(new Map(changed).set(column.name, Math.round(Math.min(widest, Math.max(narrowest, width)))))
  }
  return { widthOf, resize }
}

/** So that the longest of the texts is not cut. */
export function widthFor(texts: readonly string[]): number {
  return Math.max(...texts.map(({ length }) => length)) * characterWidth + cellPadding
}

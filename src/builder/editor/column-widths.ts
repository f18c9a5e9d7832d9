/** The widths of the outer columns, in pixels; remembered by this browser. */
import { useState } from 'react'
import { recall, remember } from '../local-storage.ts'

export type EditorColumn = 'outline' | 'test'

export const limits: Readonly<Record<EditorColumn, { least: number; most: number; usual: number }>> = {
  outline: { least: 160, most: 400, usual: 224 },
  test: { least: 320, most: 1100, usual: 560 },
}

/** What the middle keeps, however wide the others were made on a larger screen. */
const leastMiddle = 360

export function useColumn(column: EditorColumn): readonly [width: number, setWidth: (width: number | null) => void] {
  const key = `width-${column}`
  const [chosen, setChosen] = useState(() => Number(recall(key)) || null)
  const setWidth = (width: number | null) => {
    const fitting = width === null ? null : withinLimits(column, width)
    setChosen(fitting)
    remember(key, fitting === null ? null : String(fitting))
  }
  return [withinLimits(column, chosen ?? usualWidth(column)), setWidth]
}

/** The test panel takes a share of a wide screen: at 1440 px, all its tabs fit into one row. */
function usualWidth(column: EditorColumn): number {
  return column === 'test' ? Math.max(limits.test.usual, window.innerWidth * 0.44) : limits.outline.usual
}

function withinLimits(column: EditorColumn, width: number): number {
  const { least, most } = limits[column]
  const room = window.innerWidth - leastMiddle - (column === 'test' ? limits.outline.usual : limits.test.least)
  return Math.round(Math.max(least, Math.min(most, room, width)))
}

/** A key pressed in a tree → where it leads, the way trees work everywhere. */

export type TreeRow = {
  readonly id: string
  /** 1 at the top. */
  readonly level: number
  /** Null for what has nothing in it. */
  readonly isOpen: boolean | null
}

export type TreeStep = { readonly kind: 'go' | 'turn'; readonly index: number }

/** Null where the key means nothing here, so that outer listeners get it. */
export function treeStep(rows: readonly TreeRow[], index: number, key: string, rowsOnScreen: number): TreeStep | null {
  const row = rows[index]
  if (row === undefined) return null
  const go = (to: number): TreeStep => ({ kind: 'go', index: Math.max(0, Math.min(rows.length - 1, to)) })
  switch (key) {
    case 'ArrowDown':
      return go(index + 1)
    case 'ArrowUp':
      return go(index - 1)
    case 'PageDown':
      return go(index + rowsOnScreen)
    case 'PageUp':
      return go(index - rowsOnScreen)
    case 'Home':
      return go(0)
    case 'End':
      return go(rows.length - 1)
    case 'ArrowRight':
      if (row.isOpen === null) return null
      return row.isOpen ? go(index + 1) : { kind: 'turn', index }
    case 'ArrowLeft':
      return row.isOpen === true ? { kind: 'turn', index } : go(parentOf(rows, index))
    case 'Enter':
    case ' ':
      return row.isOpen === null ? null : { kind: 'turn', index }
    default:
      return null
  }
}

function parentOf(rows: readonly TreeRow[], index: number): number {
  const level = rows[index]?.level ?? 1
  const parent = rows.slice(0, index).findLastIndex((row) => row.level < level)
  return parent === -1 ? index : parent
}

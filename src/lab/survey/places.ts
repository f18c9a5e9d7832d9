/** Requests of a walk → the place of the list where each page begins. */
import type { Hooks, Wanted } from '../faults/fault.ts'
import { placeOfRow, type TurnedPage } from '../faults/turn-page.ts'
import { isCounted, lastRecordReads, type Paging } from '../mirror/paging.ts'
import type { Turn } from '../mirror/walks.ts'

export type Places = {
  readonly of: (turn: Turn) => Wanted
  /** Tells what was sent: who counts records, or names the last one, goes on from there. */
  readonly sent: (turn: Turn, rows: TurnedPage['rows']) => void
}

type Sent = { readonly count: number; readonly nextRow: number }

export function createPlaces(paging: Paging, size: number, limit: number, hooks: Hooks): Places {
  const isKeyed = lastRecordReads(paging).length > 0
  const isOffset = paging.strategy?.type === 'OffsetIncrement'
  // A cursor stands for a record, whatever it looks like.
  const by = isOffset ? 'records' : isCounted(paging) ? 'pages' : 'record'
  const walks = new Map<number, { starts: Map<number, number>; sent: Map<number, Sent> }>()
  const walkOf = ({ walk }: Turn) => {
    const known = walks.get(walk) ?? { starts: new Map<number, number>(), sent: new Map<number, Sent>() }
    walks.set(walk, known)
    return known
  }
  const startOf = (turn: Turn): number => {
    const { sent } = walkOf(turn)
    if (turn.page === 1) return 0
    if (turn.isMarked) return (turn.page - 1) * limit
    if (isOffset) return [...sent.values()].reduce((sum, { count }) => sum + count, 0)
    if (isKeyed) return placeOfRow([...sent.values()].at(-1)?.nextRow ?? 0, limit, size, hooks).start
    return (turn.page - 1) * limit
  }
  return {
    of(turn) {
      const { starts } = walkOf(turn)
      const start = starts.get(turn.page) ?? startOf(turn)
      starts.set(turn.page, start)
      return { start, limit, isPlaced: turn.hasToken, by }
    },
    sent(turn, rows) {
      const count = rows.reduce((sum, [from, to]) => sum + to - from, 0)
      walkOf(turn).sent.set(turn.page, { count, nextRow: rows.at(-1)?.[1] ?? 0 })
    },
  }
}

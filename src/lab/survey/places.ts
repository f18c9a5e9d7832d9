/** Requests of a walk → the place of the list where each page begins. */
import type { Hooks, Wanted } from '../faults/fault.ts'
import { placeOfRow, type TurnedPage } from '../faults/turn-page.ts'
import { isKeyed, type Paging } from '../mirror/paging.ts'
import type { Turn } from '../mirror/walks.ts'

export type Places = {
  readonly of: (turn: Turn) => Wanted
  /** Tells what was sent: who counts records, or names the last one, goes on from there. */
  readonly sent: (turn: Turn, rows: TurnedPage['rows']) => void
}

/** A cursor stands for a record, whatever it looks like. */
const waysToSay: Readonly<Record<string, Wanted['by']>> = { OffsetIncrement: 'records', PageIncrement: 'pages' }

type Sent = { readonly count: number; readonly nextRow: number }

export function createPlaces(paging: Paging, size: number, limit: number, hooks: Hooks): Places {
  const goesByRecord = isKeyed(paging)
  const by = waysToSay[paging.strategy?.type ?? ''] ?? 'record'
  const first = Number(paging.strategy?.start_from_page ?? 0)
  const walks = new Map<number, { starts: Map<number, number>; sent: Map<number, Sent> }>()
  const walkOf = ({ walk }: Turn) => {
    const known = walks.get(walk) ?? { starts: new Map<number, number>(), sent: new Map<number, Sent>() }
    walks.set(walk, known)
    return known
  }
  const startOf = (turn: Turn): number => {
    if (by === 'records' && turn.number !== null) return turn.number
    if (by === 'pages' && turn.number !== null) return Math.max(0, turn.number - first) * limit
    if (turn.page === 1 || !turn.hasToken) return 0
    const sent = [...walkOf(turn).sent.values()]
    if (by === 'records') return sent.reduce((sum, { count }) => sum + count, 0)
    if (goesByRecord && !turn.isMarked) return placeOfRow(sent.at(-1)?.nextRow ?? 0, limit, size, hooks).start
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

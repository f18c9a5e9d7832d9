/** How far the parents of a stream got, kept inside the state of the child: only as far as the child has followed. */
import { stringifyJson } from '../../json.ts'
import type { StreamState } from './state.ts'

export type ParentProgress = {
  /** A partition was generated: the parents' state of this moment belongs to it. */
  opened(sequence: number): void
  /** All slices of the partition were read. */
  closed(sequence: number): void
  /** All partitions were generated and read. */
  finished(): void
  hasNews(): boolean
  take(): StreamState | null
}

export function parentProgress(saved: StreamState | null, current: (() => StreamState) | undefined): ParentProgress {
  let safe = saved
  let hasNews = false
  let last: { readonly state: StreamState; readonly text: string } | null = null
  /** States that wait for the partitions generated up to them. */
  const waiting: { readonly sequence: number; readonly state: StreamState }[] = []
  /** In the order of their sequence. */
  const open = new Set<number>()

  const settle = (state: StreamState) => {
    safe = state
    hasNews = true
  }
  return {
    opened(sequence) {
      open.add(sequence)
      const state = current?.()
      if (state === undefined || state === last?.state) return
      const text = stringifyJson(state)
      if (text !== last?.text) waiting.push({ sequence, state })
      last = { state, text }
    },
    closed(sequence) {
      open.delete(sequence)
      const { value: earliest = Number.POSITIVE_INFINITY } = open.values().next()
      while (waiting[0] !== undefined && waiting[0].sequence < earliest) {
        settle(waiting[0].state)
        waiting.shift()
      }
    },
    finished() {
      const state = current?.()
      if (state !== undefined) settle(state)
    },
    hasNews: () => hasNews,
    take() {
      hasNews = false
      return safe
    },
  }
}

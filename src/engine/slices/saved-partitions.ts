/** A state with a cursor per partition, as Turnleaf or Airbyte wrote it → its parts. */
import { ConnectorError } from '../../std/errors.ts'
import { isObject } from '../../std/values/objects.ts'
import type { Axis } from './axis.ts'
import { oneCursor } from './one-cursor.ts'
import { partitionKey } from './partition-key.ts'
import { reachIn, required } from './reach.ts'
import type { Partition } from './slice.ts'
import type { StreamState } from './state.ts'
import type { Tell } from './tell.ts'

export type SavedPartition = { readonly partition: Partition; readonly saved: StreamState }

export type SavedPartitions<V> = {
  /** By key, in the order of the state. */
  readonly partitions: ReadonlyMap<string, SavedPartition>
  /** Whether all partitions share one cursor; null when the state does not say. */
  readonly isShared: boolean | null
  /** Where partitions without a cursor of their own begin. */
  readonly shared: V | null
  readonly lookbackSeconds: number
  readonly parentState: StreamState | null
}

export function savedPartitions<V>(axis: Axis<V>, state: StreamState | undefined, tell: Tell): SavedPartitions<V> {
  const partitions = new Map<string, SavedPartition>()
  const nothing = { partitions, isShared: null, shared: null, lookbackSeconds: 0 }
  if (state === undefined || Object.keys(state).length === 0) return { ...nothing, parentState: null }
  const parentState = isObject(state.parent_state) ? state.parent_state : null
  if (!('states' in state) && !('state' in state)) {
    // Airbyte: the state of a stream that had no partitions counts for all of them.
    const { from, isResumed } = reachIn(axis, state, tell)
    const shared = axis.ofState(state[axis.cursorField]) ?? from
    return { ...nothing, shared: isResumed ? shared : null, parentState }
  }
  for (const [index, entry] of listIn(state.states).entries()) {
    const { partition, cursor } = isObject(entry) ? entry : {}
    if (!isObject(partition) || !isObject(cursor))
      throw invalid(`entry ${index} of \`states\` has no partition or no cursor`)
    // Airbyte: no partition is behind the start, whether it is read again or not.
    const saved = oneCursor(axis, reachIn(axis, cursor, tell), tell).state()
    partitions.set(partitionKey(partition), { partition, saved })
  }
  const shared = isObject(state.state) ? state.state[axis.cursorField] : undefined
  return {
    partitions,
    isShared: state.use_global_cursor === true,
    shared: shared === undefined || shared === null ? null : required(axis, shared),
    lookbackSeconds: secondsIn(state.lookback_window),
    parentState,
  }
}

function listIn(states: unknown): readonly unknown[] {
  if (states === undefined || states === null) return []
  if (Array.isArray(states)) return states
  throw invalid('`states` is not a list')
}

function secondsIn(value: unknown): number {
  const seconds = Math.trunc(Number(value ?? 0))
  if (Number.isFinite(seconds) && seconds >= 0) return seconds
  throw invalid('`lookback_window` is not a number of seconds')
}

function invalid(reason: string): ConnectorError {
  return new ConnectorError('slices/invalid-state', `The state per partition cannot be read: ${reason}.`)
}

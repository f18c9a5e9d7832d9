/** The cursors of a stream's partitions: read from the state, or made as partitions come; bounded in number. */
import type { Axis } from './axis.ts'
import { type OneCursor, oneCursor } from './one-cursor.ts'
import { progressIn, required } from './saved-progress.ts'
import type { Partition } from './slice.ts'
import type { WarnOnce } from './warn-once.ts'
import { ConnectorError } from '../../std/errors.ts'
import { isObject } from '../../std/values/objects.ts'
import { sortedMembers } from '../../std/values/sorted-members.ts'
import { stringifyJson } from '../../std/json.ts'
import { pythonText } from '../template/text.ts'
import type { StreamState } from './stream-cursor.ts'

/** Airbyte: beyond this many, all partitions share one cursor, and states stay small. */
const sharedBeyond = 10_000
/** Airbyte: the most cursors held at a time. */
const maxHeld = 25_000

type PartitionCursors<V> = {
  /** The cursor of a partition that is about to be read. `isBusy`: partitions that must be kept for now. */
  open(key: string, partition: Partition, isBusy: (key: string) => boolean): OneCursor<V>
  /** Where partitions without a state begin: where all others were, less the time the last read took. */
  openShared(): OneCursor<V>
  /** Whether all partitions share one cursor, from the start or by now. */
  isShared(): boolean
  isRead(key: string): boolean
  markRead(key: string): void
  /** Warns of partitions that the state did not list, and that began where the others were. */
  warnOfNew(): void
  /** All partitions were read up to here, and that took so long. */
  advance(shared: V | null, seconds: number): void
  state(): StreamState
}

/** What the state brought is opened when its partition comes. */
type Held<V> = {
  readonly partition: Partition
  readonly saved: StreamState
  cursor: OneCursor<V> | null
}

export function partitionCursors<V>(
  axis: Axis<V>,
  { partitions, ...saved }: SavedPartitions<V>,
  isSharedFromStart: boolean,
  warn: WarnOnce,
): PartitionCursors<V> {
  const held = new Map<string, Held<V>>()
  for (const [key, own] of partitions) held.set(key, { ...own, cursor: null })
  /** Also of those that are not held: all that share a cursor. */
  const read = new Set<string>()
  let isShared = saved.isShared ?? isSharedFromStart
  let { shared, lookbackSeconds } = saved
  let known = held.size
  /** Partitions that began at the shared cursor although the state lists partitions. */
  const added = { count: 0, first: '' }

  const openAt = (state: StreamState | undefined) => oneCursor(axis, progressIn(axis, state, warn), warn)
  const sharedStart = () => {
    if (shared === null) return null
    return axis.write(lookbackSeconds > 0 ? axis.earlier(shared, lookbackSeconds) : shared)
  }
  const openShared = () => {
    const start = sharedStart()
    return openAt(start === null ? undefined : { [axis.cursorField]: start })
  }
  /** What a legacy state knew of the partition, under its older name, moves to the new one. */
  const openLegacy = (partition: Partition): OneCursor<V> | null => {
    const key = legacyKey(partition)
    const legacy = key === null ? undefined : held.get(key)
    if (key === null || legacy === undefined || legacy.cursor !== null) return null
    held.delete(key)
    known--
    return openAt(legacy.saved)
  }

  return {
    open(key, partition, isBusy) {
      if (known > sharedBeyond) isShared = true
      const own = held.get(key)
      const most = own === undefined ? maxHeld - 1 : maxHeld
      while (held.size > most) held.delete(oldest(held, (other) => other === key || isBusy(other)))
      if (own !== undefined) return (own.cursor ??= openAt(own.saved))
      const legacy = openLegacy(partition)
      const cursor = legacy ?? openShared()
      if (legacy === null && shared !== null && !isShared && partitions.size > 0 && added.count++ === 0)
        added.first = key
      known++
      if (!isShared) held.set(key, { partition, saved: {}, cursor })
      return cursor
    },
    openShared,
    isShared: () => isShared,
    isRead: (key) => read.has(key),
    markRead: (key) => void read.add(key),
    warnOfNew() {
      const { count, first } = added
      if (count === 0) return
      const from = stringifyJson(sharedStart())
      const which = count === 1 ? `The partition ${first.slice(0, 80)} is` : `${count} partitions are`
      const such = count === 1 ? '' : `, such as ${first.slice(0, 80)}`
      warn(
        'new',
        `${which} not in the state${such}: read from ${from} on, where the others were. \`--fresh\` reads older records, too.`,
      )
    },
    advance(reached, seconds) {
      shared = reached
      lookbackSeconds = seconds
    },
    state: () => ({
      use_global_cursor: isShared,
      ...(!isShared && { states: [...held.values()].map(stateOf) }),
      ...(shared !== null && { state: { [axis.cursorField]: axis.write(shared) } }),
      lookback_window: lookbackSeconds,
    }),
  }
}

function stateOf<V>({ partition, saved, cursor }: Held<V>) {
  return { partition, cursor: cursor?.state() ?? saved }
}

/** The one that came first, of those that are not being read if there are any. */
function oldest<V>(held: ReadonlyMap<string, Held<V>>, isBusy: (key: string) => boolean): string {
  let first = ''
  for (const key of held.keys()) {
    if (!isBusy(key)) return key
    first ||= key
  }
  return first
}

type SavedPartition = { readonly partition: Partition; readonly saved: StreamState }

type SavedPartitions<V> = {
  /** By key, in the order of the state. */
  readonly partitions: ReadonlyMap<string, SavedPartition>
  /** Whether all partitions share one cursor; null when the state does not say. */
  readonly isShared: boolean | null
  /** Where partitions without a cursor of their own begin. */
  readonly shared: V | null
  readonly lookbackSeconds: number
  readonly parentState: StreamState | null
}

export function savedPartitions<V>(axis: Axis<V>, state: StreamState | undefined, warn: WarnOnce): SavedPartitions<V> {
  const partitions = new Map<string, SavedPartition>()
  const nothing = { partitions, isShared: null, shared: null, lookbackSeconds: 0 }
  if (state === undefined || Object.keys(state).length === 0) return { ...nothing, parentState: null }
  const parentState = isObject(state.parent_state) ? state.parent_state : null
  if (!('states' in state) && !('state' in state)) {
    // Airbyte: the state of a stream that had no partitions counts for all of them.
    const { from, isResumed } = progressIn(axis, state, warn)
    const shared = axis.ofState(state[axis.cursorField]) ?? from
    return { ...nothing, shared: isResumed ? shared : null, parentState }
  }
  for (const [index, entry] of listIn(state.states).entries()) {
    const { partition, cursor } = isObject(entry) ? entry : {}
    if (!isObject(partition) || !isObject(cursor))
      throw invalid(`entry ${index} of \`states\` has no partition or no cursor`)
    // Airbyte: no partition is before the start, whether it is read again or not.
    const saved = oneCursor(axis, progressIn(axis, cursor, warn), warn).state()
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

/** Two partitions are one when their values are equal, in any order. */
function partitionKey(partition: Partition): string {
  return stringifyJson(sortedMembers(partition))
}

/**
 * The key under which a state that was migrated from a legacy one holds this partition: values as strings, without the
 * parent's own partition. Null where the legacy shape had no such partitions.
 */
function legacyKey({ parent_slice: parent, ...values }: Partition): string | null {
  // A union leaves the parents' own partitions out.
  if (parent !== undefined && (!isObject(parent) || Object.keys(parent).length > 0)) return null
  return partitionKey(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, pythonText(value)])))
}

/** Each record of a slice asks for the key of its partition. */
export function rememberedKeys(): (partition: Partition) => string {
  const keys = new WeakMap<Partition, string>()
  return (partition) => {
    const known = keys.get(partition)
    if (known !== undefined) return known
    const key = partitionKey(partition)
    keys.set(partition, key)
    return key
  }
}

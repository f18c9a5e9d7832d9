/** How far the parents of a stream were read, kept inside the child's state: only as far as the child was read, too. */
import { stringifyJson } from '../../std/json.ts'
import type { ParentPlan, RouterPlan, SlicingPlan } from '../plan/slicing.ts'
import { isObject } from '../../std/values/objects.ts'
import type { StreamState } from './stream-cursor.ts'

type ParentProgress = {
  /** A partition was generated: the parents' state of this moment belongs to it. */
  opened(sequence: number): void
  /** All slices of the partition were read. */
  closed(sequence: number): void
  /** All partitions were generated and read; those that were not closed are of an earlier read, at least in part. */
  finished(): void
  hasNews(): boolean
  take(): StreamState | null
}

/** The states of the parents at this moment, by stream name. `isWhole`: the read is over. */
export type ParentStates = (isWhole: boolean) => StreamState

export function parentProgress(saved: StreamState | null, current: ParentStates | undefined): ParentProgress {
  let safe = saved
  let hasNews = false
  let last: { readonly state: StreamState; readonly text: string } | null = null
  /** States that wait for the partitions generated up to them. */
  const waiting: { readonly sequence: number; readonly state: StreamState }[] = []
  /** In the order of their sequence. */
  const open = new Set<number>()

  const settle = (state: StreamState | null) => {
    safe = state
    hasNews = true
  }
  return {
    opened(sequence) {
      open.add(sequence)
      const state = current?.(false)
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
      const states = current?.(true) ?? null
      // Parents may have changed since the earlier read: the next one asks for their changes again.
      settle(open.size === 0 || states === null ? states : { ...fromTheStart(states), ...safe })
    },
    hasNews: () => hasNews,
    take() {
      hasNews = false
      return safe
    },
  }
}

/** Without a state of its own a parent would resume from the cursor that the child's partitions share. */
function fromTheStart(states: StreamState): StreamState {
  return Object.fromEntries(Object.keys(states).map((name) => [name, {}]))
}

/**
 * Where a parent resumes from: its own part of the child's state, or, in states from before parents had one, the cursor
 * that the child's partitions share. Undefined: from its start.
 */
export function parentStateIn(
  child: StreamState | undefined,
  parent: { readonly name: string; readonly cursorField: string | null },
): StreamState | undefined {
  if (child === undefined) return undefined
  const own = isObject(child.parent_state) ? child.parent_state[parent.name] : undefined
  if (isObject(own)) return own
  const { __ab_no_cursor_state_message: _, ...rest } = child
  const values = Object.values(isObject(child.state) ? child.state : rest)
  // Airbyte: a single value is a cursor, whatever the child calls it.
  const [value] = values
  const isCursor = values.length === 1 && (typeof value === 'string' || typeof value === 'number')
  return isCursor && parent.cursorField !== null ? { [parent.cursorField]: value } : undefined
}

/**
 * The names of the parents that are read once, each record making its partitions before the next is taken. Only of
 * these a child may keep how far they got before it was read whole: the others come again, for the partitions of
 * another router or of another parent's entry, or are read ahead by a custom class.
 */
export function followedInStep([first, ...others]: readonly RouterPlan[]): ReadonlySet<string> {
  if (first === undefined) return new Set()
  const inStep = parentsIn(first, false).map(nameOf)
  const all = [first, ...others].flatMap((router) => parentsIn(router, true)).map(nameOf)
  return new Set(inStep.filter((name) => all.indexOf(name) === all.lastIndexOf(name)))
}

/** Airbyte: the state of a stream that is cut by parents has a part for them, even while none is followed; but not with a list of routers. */
export function keepsParents({ routers, isListOfRouters }: SlicingPlan): boolean {
  const parents = routers.flatMap((router) => parentsIn(router, true))
  return isListOfRouters ? parents.some(({ isIncremental }) => isIncremental) : parents.length > 0
}

/** Whether records of other streams make partitions. */
export function hasParents(routers: readonly RouterPlan[]): boolean {
  return routers.some((router) => parentsIn(router, true).length > 0)
}

/** Whether only those records of a parent make partitions that changed since the last read. */
export function followsChanges(routers: readonly RouterPlan[]): boolean {
  return routers.flatMap((router) => parentsIn(router, true)).some(({ isIncremental }) => isIncremental)
}

function parentsIn(router: RouterPlan, ofClasses: boolean): readonly ParentPlan[] {
  switch (router.kind) {
    case 'list':
      return []
    case 'parents':
      return router.parents
    case 'custom':
      return ofClasses ? router.parents : []
    case 'group':
      return parentsIn(router.router, ofClasses)
    case 'union':
      return router.routers.flatMap((member) => parentsIn(member, ofClasses))
  }
}

function nameOf({ stream }: ParentPlan): string {
  return stream.name
}

/** The records of parent streams, page by page, from which the slices of a stream are made. */
import type { StreamPlan } from '../plan/stream.ts'
import type { ParentPlan, RouterPlan } from '../plan/slicing.ts'
import { followedInStep, parentStateIn } from '../slices/parent-state.ts'
import type { ParentRecord } from '../slices/partitions.ts'
import type { Slice } from '../slices/slice.ts'
import { type JudgedParent, type JudgedParents, lacksSlices, collectJudgedParents } from './judged-parent.ts'
import type { Page } from './page.ts'
import { openCursorAdvance, type Passing, type CursorAdvance } from './advance-cursor.ts'
import { readStream } from './read-stream.ts'
import type { OpenStream, ParentOptions } from './stream.ts'
import type { StreamState } from '../slices/stream-cursor.ts'

type Parents = JudgedParents & {
  read(parent: ParentPlan, options: ParentOptions): AsyncGenerator<ParentRecord>
  /** How far the parents got whose changes alone are followed; part of the child's state. `isWhole`: at the end. */
  states(isWhole: boolean): Record<string, StreamState>
}

/** Opens a parent, and its parents in turn; passed in, since opening builds on this file. */
type OpenParent = (plan: StreamPlan, options: { readonly state: StreamState | undefined }) => Promise<OpenStream>

/** Sees every page of a stream; `proof/` provides it. */
export type JudgeSlices = (stream: OpenStream) => {
  /** Whether a state may move past the slice that the page ends. */
  readonly passing: (slice: Slice, page: Page) => Passing
  /** Of a read that is over: whether the slices that wait for what the others show lack records. */
  readonly lacksWaiting: () => boolean
  /** Of the slices that ended; null where there was none. */
  readonly judged: () => Omit<JudgedParent, 'stream'> | null
}

const unjudged: JudgeSlices = () => ({ passing: () => 'pass', lacksWaiting: () => false, judged: () => null })

export function openParents(
  open: OpenParent,
  childState: StreamState | undefined,
  routers: readonly RouterPlan[],
  judge: JudgeSlices = unjudged,
): Parents {
  // Of a parent that is read several times the first read counts: later ones may have seen newer records.
  const followed = new Map<string, OpenStream>()
  const inStep = followedInStep(routers)
  const { note, judgedParents } = collectJudgedParents()
  // The same object as long as no parent got further: children compare it for every partition.
  let reached = (childState?.parent_state ?? {}) as Record<string, StreamState>
  return {
    judgedParents,
    async *read(plan, options) {
      const { name } = plan.stream
      const { cursor } = plan.stream.slicing
      const place = { name, cursorField: cursor?.cursorField ?? null }
      const state = plan.isIncremental ? parentStateIn(childState, place) : undefined
      const parent = await open(plan.stream, { state })
      if (plan.isIncremental && !followed.has(name)) followed.set(name, parent)
      const { passing, lacksWaiting, judged } = judge(parent)
      const book = openCursorAdvance(parent.cursor)
      for await (const { slice, page } of readStream(parent, options)) {
        yield* handOut(book, slice, page, passing(slice, page))
      }
      // Only here: a read that was left early shows nothing about the rest.
      const judgement = judged()
      book.settle(lacksWaiting())
      parent.cursor.finish(!lacksSlices(parent))
      if (judgement !== null) note({ stream: name, verdict: judgement.verdict, reason: judgement.reason })
    },
    states(isWhole) {
      const moved = [...followed].filter(([name, { cursor }]) => (isWhole || inStep.has(name)) && cursor.hasNews())
      const states = moved.map(([name, { cursor }]) => [name, cursor.state() ?? reached[name] ?? {}] as const)
      if (states.length > 0) reached = { ...reached, ...Object.fromEntries(states) }
      return reached
    },
  }
}

/**
 * A parent's slice counts as read only once its last record is handed out: a state written before would let a later
 * read skip children that had not been requested.
 */
function* handOut(book: CursorAdvance, slice: Slice, page: Page, passing: Passing): Generator<ParentRecord> {
  const { partition } = slice
  for (const record of page.records.slice(0, -1)) yield { record, partition }
  book.advance(slice, page, passing)
  for (const record of page.records.slice(-1)) yield { record, partition }
}

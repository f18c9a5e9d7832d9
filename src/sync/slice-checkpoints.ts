/** Knows how far every slice of a read has come, and where each goes on. */
import type { Page } from '../engine/pages/page.ts'
import { openCursorAdvance, type CursorAdvance } from '../engine/pages/advance-cursor.ts'
import type { SliceChoice } from '../engine/pages/read-stream.ts'
import { mayResume } from '../engine/pages/read-slice.ts'
import type { OpenStream } from '../engine/pages/stream.ts'
import { holdsHidden } from '../engine/auth/sign-request.ts'
import type { PageToken } from '../engine/request/page-token.ts'
import type { Slice } from '../engine/slices/slice.ts'
import { stringifyJson } from '../std/json.ts'
import type { SliceNote } from './checkpoints.ts'
import { openSlice, passing, type SliceProgress } from './slice-progress.ts'

export type SliceBook = {
  /** To be asked for each slice as it is generated. `onDirty`: rows behind the place to go on from must go. */
  choose(slice: Slice): SliceChoice
  of(slice: Slice): SliceProgress
  /** A page that was counted. */
  advance(slice: Slice, page: Page): void
  readonly settle: CursorAdvance['settle']
  mayGoOnFrom(token: PageToken): boolean
  /** Those of earlier runs included. */
  all(): readonly SliceProgress[]
  /** Those that the next read would not find in the cursor's state. */
  uncovered(): readonly SliceProgress[]
}

export function openSliceBook(
  open: OpenStream,
  known: readonly SliceNote[],
  onDirty: (progress: SliceProgress) => void,
): SliceBook {
  const { plan, cursor, redactor } = open
  const bySlice = new WeakMap<Slice, SliceProgress>()
  const named = new Map<string, Slice>()
  const byText = new Map(known.map((note) => [note.slice, openSlice(plan.name, note.slice, note)]))
  const timesSeen = new Map<string, number>()
  const canGoOn = mayResume(open)

  /** Parents may lead to the same slice twice: each time is a slice of its own. */
  const textOf = ({ partition, window }: Slice): string => {
    const text = stringifyJson(redactor.value({ ...partition, ...window }))
    const times = (timesSeen.get(text) ?? 0) + 1
    timesSeen.set(text, times)
    return times === 1 ? text : `${text} #${times}`
  }
  const isCovered = (text: string) => {
    const slice = named.get(text)
    return slice !== undefined && cursor.covers(slice)
  }
  const passings = openCursorAdvance(cursor)
  return {
    advance: (slice, page) => passings.advance(slice, page, passing(bySlice.get(slice) as SliceProgress)),
    settle: passings.settle,
    choose(slice) {
      const text = textOf(slice)
      const progress = byText.get(text) ?? openSlice(plan.name, text)
      byText.set(text, progress)
      bySlice.set(slice, progress)
      named.set(text, slice)
      const { isDone, newest, token, hasMore } = progress.note
      if (newest !== null) cursor.observe(slice, [newest])
      if (isDone) {
        passings.end(slice, passing(progress))
        return 'skip'
      }
      if (hasMore) onDirty(progress)
      return token === null ? 'read' : { from: token, mayStartOver: true }
    },
    of: (slice) => bySlice.get(slice) as SliceProgress,
    mayGoOnFrom: (token) => canGoOn && !holdsHidden(plan.requester.auth, token),
    all: () => [...byText.values()],
    uncovered: () => [...byText.values()].filter(({ note }) => !isCovered(note.slice)),
  }
}

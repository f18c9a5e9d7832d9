/** Every page of one slice, started again where the manifest or a response asks for it. */
import { ConnectorError } from '../../std/errors.ts'
import type { Slice } from '../slices/slice.ts'
import { type Page, renumberPage } from './page.ts'
import { type PageOptions, readPages } from './read-pages.ts'
import type { OpenStream } from './stream.ts'
import type { WindowPlan } from '../plan/cursor.ts'
import type { ErrorRules, PageAction } from '../plan/error-handler.ts'
import type { JsonRecord } from '../plan/plan.ts'
import type { StreamPlan } from '../plan/stream.ts'
import { dateIn, writeDate } from '../slices/time-axis.ts'
import { isBefore } from '../slices/windows.ts'
import type { DateTime } from '../template/dates/date-time.ts'
import { parseDate } from '../template/dates/airbyte-format.ts'
import { pythonText } from '../template/text.ts'

type StartOptions = Omit<PageOptions, 'onReset'>

export function readWithResets(stream: OpenStream, slice: Slice, options: StartOptions = {}): AsyncGenerator<Page> {
  return mayReset(stream.plan) ? readAllStarts(stream, slice, options) : readPages(stream, slice, options)
}

/**
 * The pages of all starts as one read: numbered through, counted together, with one receipt at the end. Each start has
 * a loop guard of its own, since it may well bring again what the one before brought.
 */
async function* readAllStarts(stream: OpenStream, slice: Slice, options: StartOptions): AsyncGenerator<Page> {
  const { maxPages = Number.POSITIVE_INFINITY } = options
  const tracker = trackReset(stream.plan, slice)
  // The slice as the reader knows it: what it shrank to is seen in the requests.
  const { firstPage: _, ...named } = slice
  const shown = stream.redactor.value(named) as Slice
  // A page beyond a limit is not requested.
  const ahead = stream.plan.reset.maxRecords === null ? options : { ...options, prefetch: 'off' as const }
  const totals = { pages: 0, received: 0, emitted: 0 }

  let { from } = options
  let remaining = slice
  for (let isOver = false; !isOver; ) {
    let startsAgain = false
    const onReset = () => {
      startsAgain = true
    }
    const start = { ...ahead, from, maxPages: maxPages - totals.pages, onReset }
    for await (const page of readPages(stream, remaining, start)) {
      if (page.part === 0) totals.pages++
      totals.received += page.receivedCount
      totals.emitted += page.records.length
      tracker.observe(page.records)
      const isFull = tracker.isFull() && page.stop !== 'error' && page.stop !== 'ignored'
      startsAgain = isFull && totals.pages < maxPages
      const stop = startsAgain ? null : isFull ? 'limit' : page.stop
      yield { ...renumberPage(page, totals, stop), slice: shown }
      if (startsAgain) break
    }
    isOver = !startsAgain
    if (startsAgain) remaining = tracker.restart()
    from = undefined
  }
}

type ResetTracker = {
  observe(records: readonly JsonRecord[]): void
  /** Whether the slice has brought as many records as it may between two starts. */
  isFull(): boolean
  /** The slice to continue with; throws when that would make no progress. */
  restart(): Slice
}

/** Airbyte: a slice that cannot shrink is started a second time, in the hope of a better answer, and no third time. */
const mostStartsOver = 1

function trackReset({ name, reset, slicing }: StreamPlan, slice: Slice): ResetTracker {
  const window = reset.splits && slicing.cursor?.kind === 'time' ? slicing.cursor : null
  const seen = newestIn(slice, window)
  let current = slice
  let count = 0
  let startsOver = 0

  const refuse = (code: 'pagination/reset-loop' | 'pagination/reset-unordered', why: string) =>
    new ConnectorError(code, `Stream "${name}" cannot start its pages again: ${why}.`, { at: reset.at })

  return {
    observe(records) {
      count += records.length
      seen.observe(records)
    },
    isFull: () => reset.maxRecords !== null && count >= reset.maxRecords,
    restart() {
      if (!seen.isAscending()) {
        throw refuse('pagination/reset-unordered', 'its records are not sorted by the cursor, some would be lost')
      }
      const newest = seen.newest()
      const reduced = window === null || newest === null ? current : reduceWindow(window, slice, newest)
      const isSame = window === null || reduced.window[window.startField] === current.window[window.startField]
      if (isSame && (window !== null || startsOver >= mostStartsOver)) {
        throw refuse(
          'pagination/reset-loop',
          `${count} records after the last start there is no later point to resume from`,
        )
      }
      if (isSame) startsOver++
      current = reduced
      count = 0
      seen.startAgain()
      return current
    },
  }
}

/** The newest moment that lies within the slice, and whether the records came in its order. */
function newestIn(slice: Slice, window: WindowPlan | null) {
  const formats = window === null ? [] : [...window.cursorFormats, window.format]
  let newest: DateTime | null = null
  let last: DateTime | null = null
  let isAscending = true
  return {
    observe(records: readonly JsonRecord[]) {
      if (window === null) return
      for (const record of records) {
        const moment = dateIn(record[window.cursorField], formats)
        if (moment === null) continue
        if (last !== null && isBefore(moment, last)) isAscending = false
        last = moment
        // A record dated after the end would move the start past everything that is still to come.
        if (!isBehind(window, slice, moment) && (newest === null || isBefore(newest, moment))) newest = moment
      }
    },
    newest: () => newest,
    isAscending: () => isAscending,
    startAgain() {
      last = null
    },
  }
}

/** Most streams never start again, and their pages pass untouched. */
export function mayReset({ reset, requester }: StreamPlan): boolean {
  return reset.maxRecords !== null || rulesMayAsk('reset', requester.errors.rules)
}

export function rulesMayAsk(asked: PageAction, rules: ErrorRules): boolean {
  switch (rules.kind) {
    case 'filters':
      return rules.filters.some(({ action }) => action === asked)
    case 'in-turn':
      return rules.members.some((member) => rulesMayAsk(asked, member))
    case 'custom':
      return true
  }
}

/** From the newest record on, itself included: others may share its time, so the records of that moment come again. */
function reduceWindow(plan: WindowPlan, slice: Slice, newest: DateTime): Slice {
  return { ...slice, window: { ...slice.window, [plan.startField]: writeDate(newest, plan.format) } }
}

/** Whether this moment is after the slice's end; nothing is left to read from there, though something may be before. */
function isBehind(plan: WindowPlan, slice: Slice, moment: DateTime): boolean {
  const end = slice.window[plan.endField]
  return end !== undefined && end !== null && parseDate(pythonText(end), plan.format).since(moment).days < 0
}

/** Every page of one slice, whose window is halved where it is too large for the API. */
import { ConnectorError } from '../../std/errors.ts'
import type { WindowPlan } from '../plan/cursor.ts'
import { durationOf } from '../plan/read-fields.ts'
import type { SplittingPlan } from '../plan/smaller-requests.ts'
import type { StreamPlan } from '../plan/stream.ts'
import type { Slice } from '../slices/slice.ts'
import { dateIn, writeDate } from '../slices/time-axis.ts'
import { fromMicros, microsOf, TimeDelta } from '../template/dates/time-delta.ts'
import { type Page, renumberPage, stopBetween } from './page.ts'
import type { ReadOptions } from './read-pages.ts'
import { mayReset, readWithResets, rulesMayAsk } from './read-with-resets.ts'
import type { OpenStream } from './stream.ts'

/** What is left of a slice, and how often it was halved. */
type Section = { readonly slice: Slice; readonly depth: number }

/** Airbyte: a window is halved ten times and no more. */
const mostDepth = 10

export function readInHalves(stream: OpenStream, slice: Slice, options: ReadOptions = {}): AsyncGenerator<Page> {
  const { splitting } = stream.plan
  if (splitting === null || !mayHalve(stream.plan)) return readWithResets(stream, slice, options)
  return readSections(stream, slice, splitting, options)
}

/** Airbyte: the pages that came before the API refused one come again with the halves. */
async function* readSections(
  stream: OpenStream,
  slice: Slice,
  splitting: SplittingPlan,
  options: ReadOptions,
): AsyncGenerator<Page> {
  const { maxPages = Number.POSITIVE_INFINITY } = options
  const { firstPage: _, ...named } = slice
  const shown = stream.redactor.value(named) as Slice
  const totals = { pages: 0, received: 0, emitted: 0 }
  let waiting: readonly Section[] = [{ slice, depth: 0 }]
  for (let number = 0; ; number++) {
    const [section, ...others] = waiting
    if (section === undefined) return
    let refusal: string | null = null
    const onHalve = (reason: string) => {
      refusal = reason
    }
    const reading = { ...options, maxPages: maxPages - totals.pages, onHalve }
    for await (const page of readWithResets(stream, section.slice, reading)) {
      if (page.part === 0) totals.pages++
      totals.received += page.receivedCount
      totals.emitted += page.records.length
      const stop = others.length === 0 ? page.stop : stopBetween(page.stop, totals.pages >= maxPages)
      const ofSection = number === 0 ? {} : { section: { number, stop: page.stop } }
      yield { ...renumberPage(page, totals, stop), slice: shown, ...ofSection }
      if (stop === 'limit') return
    }
    waiting = refusal === null ? others : [...halve(stream.plan, section, splitting, refusal), ...others]
  }
}

function halve({ name, slicing }: StreamPlan, section: Section, splitting: SplittingPlan, reason: string): Section[] {
  const { slice, depth } = section
  const halves =
    slicing.cursor?.kind === 'time' && depth < mostDepth ? halvesOf(slice, slicing.cursor, splitting) : null
  if (halves !== null) return halves.map((half) => ({ slice: half, depth: depth + 1 }))
  const message = `The API refuses a window of stream "${name}" that cannot be made smaller. ${reason}`
  throw new ConnectorError('response/gave-up', message, { at: splitting.at, hint: splitting.advice ?? undefined })
}

/** In order, without a gap: the second begins one granularity after the first ends. Null where the slice is as small as it may be. */
function halvesOf(slice: Slice, cursor: WindowPlan, { least, at }: SplittingPlan): readonly [Slice, Slice] | null {
  const { startField, endField, format } = cursor
  const [start, end] = [startField, endField].map((field) => dateIn(slice.window[field], [format]))
  const granularity = cursor.granularity === null ? null : durationOf(cursor.granularity, cursor.at)
  // Months have no fixed length: Airbyte cannot count them either.
  if (!start || !end || !(granularity instanceof TimeDelta)) return null
  const span = end.since(start)
  const smallest = least === null ? null : durationOf(least, at)
  if (smallest instanceof TimeDelta && span.compare(smallest) <= 0) return null

  const unit = microsOf(granularity)
  const units = unit > 0n ? microsOf(span) / unit + 1n : 0n
  if (units <= 1n) return null
  const first = start.plus(fromMicros((units / 2n - 1n) * unit))
  const window = (from: typeof start, to: typeof start) => ({
    ...slice,
    window: { ...slice.window, [startField]: writeDate(from, format), [endField]: writeDate(to, format) },
  })
  return [window(start, first), window(first.plus(granularity), end)]
}

/** Whether the pages of a slice may come more than once. */
export function mayStartAgain(plan: StreamPlan): boolean {
  return mayReset(plan) || mayHalve(plan)
}

function mayHalve({ splitting, requester }: StreamPlan): boolean {
  return splitting !== null && rulesMayAsk('smaller-window', requester.errors.rules)
}

/** Every page of one slice, started again where the manifest or an answer asks for it. */
import { ConnectorError } from '../../std/errors.ts'
import type { Slice } from '../slices/slice.ts'
import { type Page, renumberPage } from './page.ts'
import type { ReadOptions } from './read-options.ts'
import { readPages } from './read-pages.ts'
import type { OpenStream } from './stream.ts'
import { mayReset, trackReset } from './track-reset.ts'

export function readWithResets(stream: OpenStream, slice: Slice, options: ReadOptions = {}): AsyncGenerator<Page> {
  return mayReset(stream.plan) ? readAllStarts(stream, slice, options) : readPages(stream, slice, options)
}

/**
 * The pages of all starts as one walk: numbered through, counted together, with one receipt at the end. Each start has
 * a loop guard of its own, since it may well bring again what the one before brought.
 */
async function* readAllStarts(stream: OpenStream, slice: Slice, options: ReadOptions): AsyncGenerator<Page> {
  const { maxPages = Number.POSITIVE_INFINITY } = options
  const tracker = trackReset(stream.plan, slice)
  // The slice as the reader knows it: what it shrank to is seen in the requests.
  const { firstPage: _, ...named } = slice
  const shown = stream.redactor.value(named) as Slice
  // A page that a limit leaves unwanted is not asked for.
  const ahead = stream.plan.reset.maxRecords === null ? options : { ...options, prefetch: 'off' as const }
  const totals = { pages: 0, received: 0, emitted: 0 }

  let { from } = options
  let remaining = slice
  for (let isOver = false; !isOver; ) {
    let startsAgain = false
    try {
      for await (const page of readPages(stream, remaining, { ...ahead, from, maxPages: maxPages - totals.pages })) {
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
    } catch (error) {
      if (!isResetAsked(error)) throw error
      startsAgain = true
    }
    isOver = !startsAgain
    if (startsAgain) remaining = tracker.restart()
    from = undefined
  }
}

function isResetAsked(error: unknown): boolean {
  return error instanceof ConnectorError && error.code === 'pagination/reset-asked'
}

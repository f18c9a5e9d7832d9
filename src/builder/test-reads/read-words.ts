/** A read in words: what is waited for, how it ended. */
import { count } from '../../std/text/format-count.ts'
import { formWords } from '../yaml/place-words.ts'
import { duration, secondsLeft } from '../durations.ts'
import type { ReadState } from './read-state.ts'

/** What is being waited for, `elapsedMs` after the read began: `page 4, 1.2 s`, `rate limit, 12 s left`. */
export function waitingWords(read: ReadState, elapsedMs: number): string {
  const { asked, slices, id, at } = read
  const wait = waitAt(read, elapsedMs)
  if (wait !== null) return `${waitReason(wait.text)}, ${secondsLeft(wait.leftMs)} left`
  if (asked !== null) {
    const slice = slices.length > 1 ? `slice ${asked.slice + 1}, ` : ''
    return `${slice}page ${asked.page + 1}, ${duration(Math.max(0, elapsedMs - asked.at))}`
  }
  return id === null ? 'starting' : `working, ${duration(Math.max(0, elapsedMs - at))}`
}

/** The wait that lasts `elapsedMs` after the read began; null where none does: after it, the next try is under way. */
export function waitAt({ wait }: ReadState, elapsedMs: number): { text: string; leftMs: number } | null {
  const leftMs = wait?.waitMs === undefined ? 0 : wait.at + wait.waitMs - elapsedMs
  return wait === null || leftMs <= 0 ? null : { text: wait.text, leftMs }
}

/** How it ended, with the figures. */
export function endWords(read: ReadState): string {
  const pages = count(read.pages.length, 'page')
  const records = count(recordsIn(read), 'record')
  switch (read.ending) {
    case 'complete':
      if (read.pages.length === 0) return 'Nothing was requested: the stream has no slice. Check its partitioning.'
      if (read.isForPicking) return `The first page was read, to pick from: ${records}, ${duration(read.at)}`
      // The API says that there is more: the end was not reached.
      return `${read.end?.verdict === 'incomplete' ? 'Ended' : 'Read to the end'}: ${pages}, ${records}, ${duration(read.at)}`
    case 'limit':
      return `Stopped at the limit: ${pages}, ${records}, ${duration(read.at)}`
    case 'cancelled':
      return `Cancelled after ${pages}, ${records}`
    case 'failed':
      return read.pages.length === 0 ? 'Failed before the first page' : `Failed after ${pages}, ${records}`
    case null:
      return `${pages}, ${records}`
  }
}

/** For those who listen: the beginning, waits that the API asks for, and the end; not every page. */
export function announcement(read: ReadState | null): string {
  if (read === null) return ''
  if (read.status === 'ended')
    return read.problem === null ? endWords(read) : `${endWords(read)}. ${formWords(read.problem.detail)}`
  if (read.wait?.waitMs !== undefined) return `${waitReason(read.wait.text)}, ${secondsLeft(read.wait.waitMs)}`
  return `Reading ${read.stream}`
}

/** In two words; the whole sentence is next to it. */
function waitReason(text: string): string {
  return /rate limit|too many|\b429\b/i.test(text) ? 'rate limit' : 'next try'
}

export function recordsIn({ pages }: ReadState): number {
  return pages.reduce((sum, { emitted }) => sum + emitted, 0)
}

/** Pages that repeat earlier ones, in a row → what they show, in words. */
import { count, number } from '../../std/text/format-count.ts'

/** A page with the records of an earlier one. */
export type Repeat = {
  readonly page: number
  readonly earlier: number
  readonly isSameRequest: boolean
}

/** Repeats with nothing new between them. */
export type Run = {
  readonly pages: number
  readonly first: number
  readonly last: number
  /** How far back the pages were seen; null when it differs, so that they come in no order. */
  readonly distance: number | null
  /** The earlier page of the latest. */
  readonly earlier: number
  /** Whether each was asked for as before. */
  readonly isSameRequests: boolean
}

/** `run` is null before the first repeat. */
export function goOn(run: Run | null, { page, earlier, isSameRequest }: Repeat): Run {
  const distance = page - earlier
  if (run === null) return { pages: 1, first: page, last: page, distance, earlier, isSameRequests: isSameRequest }
  return {
    pages: run.pages + 1,
    first: run.first,
    last: page,
    distance: run.distance === distance ? distance : null,
    earlier,
    isSameRequests: run.isSameRequests && isSameRequest,
  }
}

/** `pages 3 to 7 repeat pages 1 to 5, requests too: a cycle of 5 pages` */
export function describeRun({ first, last, distance, earlier, isSameRequests }: Run): string {
  if (distance === null)
    return `${range(first, last)} bring only records of earlier pages, such as page ${number(earlier)}`
  const start = first - distance
  const repeated = range(start, Math.min(first - 1, last - distance))
  const requests = isSameRequests ? 'requests too' : 'though the requests differ'
  const cycle = distance === 1 ? '' : `: a cycle of ${count(distance, 'page')}`
  return `${range(first, last)} repeat ${repeated}, ${requests}${cycle}`
}

/** `page 3`, `pages 3 to 7` */
export function range(first: number, last: number): string {
  return first === last ? `page ${number(first)}` : `pages ${number(first)} to ${number(last)}`
}

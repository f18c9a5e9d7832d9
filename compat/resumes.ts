/** A stream read once → whether a second read, with the state of the first, asks only for what is new. */
import { type Cursor, windowIn } from '../src/lab/mirror/cursor.ts'
import { type Read, type Reading, readOnce } from './read-once.ts'

export type SecondRead = {
  /** Whether it requested only new records; null where its requests and records do not show it. */
  readonly isNewOnly: boolean | null
  /** What is wrong with it. */
  readonly reasons: readonly string[]
  readonly read?: Read
}

export async function resumes(reading: Reading, first: Read, cursor: Cursor): Promise<SecondRead> {
  if (first.states.size === 0) return { isNewOnly: false, reasons: ['left no state'] }
  const read = await readOnce({ ...reading, states: first.states })
  const isNewOnly =
    cursor.isClientSide || cursor.isFeed ? givesLess(first, read, cursor) : asksLater(first, read, cursor)
  return {
    isNewOnly,
    reasons: isNewOnly === false ? ['second read: received or requested what the first one had'] : [],
    read,
  }
}

/** Where the engine itself drops what is old. */
function givesLess(first: Read, second: Read, cursor: Cursor): boolean | null {
  return isConstant(first, cursor) ? null : second.records.length < first.records.length
}

function asksLater(first: Read, second: Read, cursor: Cursor): boolean | null {
  const before = earliestIn(first, cursor)
  const after = earliestIn(second, cursor)
  if (before === null || after === null) return null
  // A lookback may reach before the first start, and is cut off there.
  return after === before && cursor.hasLookback ? null : after > before
}

/** Some streams have a cursor that never moves, to be read whole each time. */
function isConstant({ records }: Read, { field }: Cursor): boolean {
  return new Set(records.map((record) => record[field])).size <= 1
}

function earliestIn({ asks }: Read, cursor: Cursor): number | null {
  const own = asks.filter(({ endpoint }) => endpoint.role === 'own')
  const dates = own.flatMap(({ asked }) => windowIn(asked, cursor)?.from ?? [])
  return dates.length === 0 ? null : Math.min(...dates)
}

/** A stream read once → whether a second read, with the state of the first, asks only for what is new. */
import type { Cursor } from './cursor.ts'
import { type Read, type Reading, readOnce } from './read-once.ts'
import { windowIn } from './window.ts'

export type SecondRead = {
  /** What is wrong with it; empty when nothing is. */
  readonly reasons: readonly string[]
  readonly read?: Read
}

export async function resumes(reading: Reading, first: Read, cursor: Cursor): Promise<SecondRead> {
  if (first.states.size === 0) return { reasons: ['left no state'] }
  const read = await readOnce({ ...reading, states: first.states })
  return { reasons: complaintsOf(first, read, cursor), read }
}

function complaintsOf(first: Read, second: Read, cursor: Cursor): string[] {
  if (cursor.isClientSide || cursor.isFeed) {
    const isNewOnly = second.records.length < first.records.length || isConstant(first, cursor)
    return isNewOnly ? [] : ['second read: gave everything again']
  }
  const before = earliestIn(first, cursor)
  const after = earliestIn(second, cursor)
  // Without a date in its requests, a stream can only ask for everything again.
  if (before === null || after === null || after > before) return []
  if (cursor.hasLookback && after === before) return []
  return [`second read: asked from ${new Date(after).toISOString()}, the first from ${new Date(before).toISOString()}`]
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

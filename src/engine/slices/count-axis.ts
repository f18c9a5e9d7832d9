/** A number that counts up from record to record: each read goes on behind the highest one seen. */
import { Float, integer } from '../../std/json.ts'
import type { CountPlan } from '../plan/cursor.ts'
import type { Axis } from './axis.ts'

export type Count = number | bigint

export function countAxis({ cursorField, start, startField }: CountPlan): Axis<Count> {
  return {
    cursorField,
    start,
    end: () => null,
    compare: (one, other) => (one < other ? -1 : one > other ? 1 : 0),
    after: (value) => (typeof value === 'bigint' ? value + 1n : value + 1),
    ofRecord: countIn,
    ofState: countIn,
    write: (value) => value,
    beforeLookback: (value) => value,
    earlier: (value) => value,
    // The API is told where to begin and nothing else: of several gaps the first one decides.
    windows: ([first]) => [{ [startField]: first === undefined || first.end < start ? start : first.end }],
    covered: (_, from, newest) => (newest === null ? null : { start: from, end: newest, newest }),
  }
}

/** APIs write long numbers as texts, too. */
function countIn(value: unknown): Count | null {
  if (typeof value === 'bigint') return value
  if (value instanceof Float) return value.value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'string' && /^[+-]?\d{1,400}$/.test(value) ? integer(BigInt(value)) : null
}

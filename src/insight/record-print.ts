/** A record → a hash that tells it from a later version of itself, for a fraction of what writing it as JSON would cost. */
import type { JsonRecord } from '../engine/plan/plan.ts'

/** Fields looked at, and letters of each: a record that was changed differs in one of them, nearly always. */
const fieldsSeen = 16
const lettersSeen = 24

export function printOf(record: JsonRecord, cursorField: string | undefined): number {
  let print = cursorField === undefined ? 0 : mixed(0, record[cursorField])
  let fields = 0
  for (const name in record) {
    if (++fields > fieldsSeen) break
    print = mixed(print, record[name])
  }
  return print ^ (print >>> 15)
}

function mixed(print: number, value: unknown): number {
  switch (typeof value) {
    case 'string': {
      let mix = Math.imul(print ^ value.length, 0x01000193)
      // What changes stands at the end more often than at the start: versions, times, numbers.
      for (let index = Math.max(0, value.length - lettersSeen); index < value.length; index++) {
        mix = Math.imul(mix ^ value.charCodeAt(index), 0x01000193)
      }
      return mix
    }
    case 'number':
      return Math.imul(Math.imul(print ^ value, 0x01000193) ^ (value * 1e6), 0x01000193)
    case 'bigint':
      return mixed(print, String(value))
    case 'boolean':
      return Math.imul(print ^ (value ? 1 : 2), 0x01000193)
    default:
      return Math.imul(print, 0x01000193)
  }
}

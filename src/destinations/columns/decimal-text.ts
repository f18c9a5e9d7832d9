/** A long decimal → its digits, as a column of numbers holds them. */
import type { LongDecimal } from '../../std/json.ts'

/** A whole one is that integer, whether the API wrote its `.0` or not. */
export function decimalText({ digits }: LongDecimal): string {
  return digits.endsWith('.0') ? digits.slice(0, -2) : digits
}

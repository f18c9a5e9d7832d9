/** Undefined values that are used rather than printed → the error that says what was missing. */
import { Trouble } from '../trouble.ts'
import { Undefined } from './containers.ts'
import { kindOf, type Value } from './value.ts'

/** Throws when the value is undefined. */
export function usedUndefined(value: Value): void {
  if (kindOf(value) !== 'undefined') return
  if (!(value instanceof Undefined)) throw new Trouble('undefined', 'the value is undefined', { isOfNothing: true })
  if (value.isForbidden) throw new Trouble('forbidden', value.message)
  throw new Trouble('undefined', value.message, { isOfNothing: true })
}

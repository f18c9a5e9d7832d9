/** Undefined values that are used rather than printed → the error that says what was missing. */
import { Trouble } from '../trouble.ts'
import { Undefined } from './containers.ts'
import { kindOf, type Value } from './value.ts'

/** Throws when the value is undefined. */
export function usedUndefined(value: Value): void {
  if (kindOf(value) !== 'undefined') return
  if (!(value instanceof Undefined)) throw new Trouble('undefined', 'the value is undefined')
  throw new Trouble(value.isForbidden ? 'forbidden' : 'undefined', value.message)
}

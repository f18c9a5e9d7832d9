/** Undefined values that are used rather than printed → the error that says what was missing. */
import { nearMiss } from '../../../std/text/near-miss.ts'
import { Trouble } from '../trouble.ts'
import { Undefined } from './containers.ts'
import { asDict, dictKeys } from './dict.ts'
import { kindOf } from './kind.ts'
import type { Value } from './value.ts'

/** A misspelt name is not to be guarded: the name that is there is what the author needs to know. */
function nearHint({ missed }: Undefined): string | undefined {
  const dict = missed === null ? null : asDict(missed.of)
  if (missed === null || dict === null) return undefined
  const names = dictKeys(dict).filter((key) => typeof key === 'string')
  const near = nearMiss(missed.name, names)
  return near === undefined ? undefined : `Did you mean \`${near}\`?`
}

/** Throws when the value is undefined. */
export function usedUndefined(value: Value): void {
  if (kindOf(value) !== 'undefined') return
  if (!(value instanceof Undefined)) throw new Trouble('undefined', 'the value is undefined', { isOfNothing: true })
  if (value.isForbidden) throw new Trouble('forbidden', value.message)
  throw new Trouble('undefined', value.message, { hint: nearHint(value), isOfNothing: true })
}

/** A template's value → plain JavaScript, for code outside of templates. */
import { Float, plainFloat } from '../../std/json.ts'
import { setMember } from '../../std/values/set-member.ts'
import { DictView, PySet, Tuple } from './values/containers.ts'
import { iterate } from './values/iterate.ts'
import { repr, str } from './values/python-text.ts'
import { kindOf } from './values/kind.ts'
import type { PlainDict, Value } from './values/value.ts'

/** Floats become numbers unless digits were lost, tuples and sets lists; what JavaScript has no word for becomes its Python text. */
export function plainValue(value: Value): unknown {
  if (value instanceof Float) return plainFloat(value)
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value) || value instanceof Tuple || value instanceof PySet || value instanceof DictView) {
    return [...iterate(value)].map(plainValue)
  }
  if (value instanceof Map) return plainObject([...value].map(([key, member]) => [str(key), member]))
  if (kindOf(value) === 'dict') return plainObject(Object.entries(value as PlainDict) as [string, Value][])
  return repr(value)
}

function plainObject(entries: readonly (readonly [string, Value])[]): Record<string, unknown> {
  const plain: Record<string, unknown> = {}
  for (const [key, member] of entries) {
    setMember(plain, key, plainValue(member))
  }
  return plain
}

/** `attribute='a.b.0'` of filters → a function that follows the path. */
import { getItem } from '../values/access.ts'
import { kindOf } from '../values/kind.ts'
import type { Value } from '../values/value.ts'

type Getter = (value: Value) => Value

/** Numbers in the path are positions. Undefined members give the default, when there is one. */
export function attributeGetter(attribute: Value | undefined, fallback?: Value): Getter {
  if (attribute === undefined || attribute === null) return (value) => value
  const path = typeof attribute === 'string' ? attribute.split('.').map(step) : [attribute]
  return (value) => {
    let found = value
    for (const key of path) {
      found = getItem(found, key)
      if (fallback !== undefined && fallback !== null && kindOf(found) === 'undefined') found = fallback
    }
    return found
  }
}

function step(part: string): Value {
  return /^\d+$/.test(part) ? Number(part) : part
}

/** Strings compare without regard to case unless requested otherwise. */
export function ignoringCase(getter: Getter, isCaseSensitive: boolean): Getter {
  if (isCaseSensitive) return getter
  return (value) => {
    const key = getter(value)
    return typeof key === 'string' ? key.toLowerCase() : key
  }
}

/** A JSON body without the member at a path. */
import { isObject } from '../std/values/objects.ts'

export function withoutPath(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined || !isObject(value) || !Object.hasOwn(value, name)) return value
  const { [name]: member, ...others } = value
  return rest.length === 0 ? others : { ...value, [name]: withoutPath(member, rest) }
}

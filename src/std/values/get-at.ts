/** A value and a path → the value at that path. */
import { isList, isObject } from './objects.ts'

/** The value at a path of names and list positions, negative ones from the end; undefined where there is none. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce(step, value)
}

/** The same, where `*` collects every match into a list. */
export function followPath(value: unknown, path: readonly string[]): unknown {
  const star = path.indexOf('*')
  if (star === -1) return valueAt(value, path)
  const outer = followPath(value, path.slice(0, star))
  const rest = path.slice(star + 1)
  const members = isList(outer) || isObject(outer) ? Object.values(outer) : []
  return members.flatMap((member) => {
    const found = followPath(member, rest)
    if (found === undefined) return []
    return rest.includes('*') ? found : [found]
  })
}

function step(value: unknown, name: string | number): unknown {
  if (isList(value)) return /^-?\d+$/.test(String(name)) ? value.at(Number(name)) : undefined
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

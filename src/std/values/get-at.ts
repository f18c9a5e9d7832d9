/** A value and a path → the value at that path. */
import { isList, isObject } from './objects.ts'

/** Follows names and list positions; `*` collects every match into a list. Nothing there gives undefined. */
export function followPath(value: unknown, path: readonly string[]): unknown {
  const star = path.indexOf('*')
  if (star === -1) return path.reduce(step, value)
  const outer = followPath(value, path.slice(0, star))
  const rest = path.slice(star + 1)
  const members = isList(outer) || isObject(outer) ? Object.values(outer) : []
  return members.flatMap((member) => {
    const found = followPath(member, rest)
    if (found === undefined) return []
    return rest.includes('*') ? found : [found]
  })
}

function step(value: unknown, name: string): unknown {
  if (isList(value)) return /^-?\d+$/.test(name) ? value.at(Number(name)) : undefined
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** Values at paths of the config: those that a token endpoint changed take the place of those handed in. */
import { isObject } from '../../std/values/objects.ts'
import type { Config } from '../plan/plan.ts'

export type ConfigChange = { readonly path: readonly string[]; readonly value: string }

/** A copy with every change made; objects on the way that are missing are added. */
export function changedConfig(config: Config, changes: readonly ConfigChange[]): Config {
  return changes.reduce<Config>((changed, { path, value }) => withValue(changed, path, value) as Config, config)
}

function withValue(holder: unknown, [name, ...rest]: readonly string[], value: string): unknown {
  if (name === undefined) return value
  if (Array.isArray(holder) && /^\d+$/.test(name))
    return holder.with(Number(name), withValue(holder[Number(name)], rest, value))
  const members = isObject(holder) ? Object.entries(holder) : []
  const changed = new Map<string, unknown>(members)
  return Object.fromEntries(changed.set(name, withValue(changed.get(name), rest, value)))
}

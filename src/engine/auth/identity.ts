/** Two authenticators that would ask for the same token share one. */
import { stringifyJson } from '../../std/json.ts'

/** Equal for plans that mean the same, wherever in the manifest they stand. */
export function authIdentity(plan: object): string {
  const text = stringifyJson(without(plan, ['at', 'parameters']))
  // Streams hand parameters down to authenticators that never look at them.
  return text.includes('parameters') ? stringifyJson(without(plan, ['at'])) : text
}

function without(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, names))
  if (typeof value !== 'object' || value === null) return value
  if ('toJSON' in value && typeof value.toJSON === 'function') return (value.toJSON as () => unknown)()
  const members = Object.entries(value).filter(([name]) => !names.includes(name))
  return Object.fromEntries(members.map(([name, member]) => [name, without(member, names)]))
}

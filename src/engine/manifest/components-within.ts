/** A part of a manifest → every component in it. */
import { isData } from './components.ts'

export type FoundComponent = { readonly type: string; readonly node: object }

/** Itself included, in the order of the tree, each once; what is data, such as a schema, holds none. */
export function* componentsWithin(node: unknown, seen = new Set<object>()): Generator<FoundComponent> {
  if (typeof node !== 'object' || node === null || seen.has(node)) return
  seen.add(node)
  const { type } = node as { type?: unknown }
  if (typeof type === 'string' && !Array.isArray(node)) yield { type, node }
  for (const [field, member] of Object.entries(node)) {
    if (Array.isArray(node) || !isData(type, field)) yield* componentsWithin(member, seen)
  }
}

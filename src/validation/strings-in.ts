/** A part of a manifest → every text in it that the engine reads, and the field of the component it belongs to. */
import { isData } from '../engine/manifest/components.ts'

export type FoundText = {
  readonly text: string
  /** Where it is written: an object or list, and the key or position in it. */
  readonly holder: object
  readonly key: string | number
  /** A name in an object rather than a value. */
  readonly isKey: boolean
  /** The nearest component around it, and the field of that component it is in. */
  readonly owner: { readonly type: string; readonly node: object; readonly field: string } | null
}

/** Each text once, however often a shared definition is used. */
export function textsIn(part: object): FoundText[] {
  const found: FoundText[] = []
  const seen = new Set<object>()
  const visit = (node: object, around: FoundText['owner']) => {
    if (seen.has(node)) return
    seen.add(node)
    const { type } = node as { type?: unknown }
    for (const [name, value] of Object.entries(node)) {
      if (isData(type, name)) continue
      const owner = typeof type === 'string' ? { type, node, field: name } : around
      const key = Array.isArray(node) ? Number(name) : name
      if (!Array.isArray(node)) found.push({ text: name, holder: node, key, isKey: true, owner })
      if (typeof value === 'string') found.push({ text: value, holder: node, key, isKey: false, owner })
      else if (typeof value === 'object' && value !== null) visit(value, owner)
    }
  }
  visit(part, null)
  return found
}

/** Whether the text has templates in it. */
export function hasTemplate(text: string): boolean {
  return /\{[{%#]/.test(text)
}

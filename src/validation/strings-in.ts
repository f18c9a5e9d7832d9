/** A part of a manifest → every string that the engine reads, with the component and field it belongs to. */
import { isData } from '../engine/manifest/components.ts'

export type FoundString = {
  readonly text: string
  /** The object or list that contains it, and the key or position in it. */
  readonly holder: object
  readonly key: string | number
  /** A name in an object rather than a value. */
  readonly isKey: boolean
  /** The nearest component around it, and the field of that component. */
  readonly owner: { readonly type: string; readonly node: object; readonly field: string } | null
}

/** Each string once, even in shared definitions. */
export function stringsIn(part: object): FoundString[] {
  const found: FoundString[] = []
  const seen = new Set<object>()
  const visit = (node: object, around: FoundString['owner']) => {
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

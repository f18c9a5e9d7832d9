/** Finds components and strings in a checked manifest. */
import { isData } from '../../engine/manifest/components.ts'
import type { Component } from '../../engine/manifest/manifest.ts'
import { isObject } from '../../std/values/objects.ts'

export function asComponent(value: unknown): Component | null {
  return isObject(value) && typeof value.type === 'string' ? (value as Component) : null
}

/** One component or a list of them. */
export function componentsAt(value: unknown): Component[] {
  const members: unknown[] = Array.isArray(value) ? value : [value]
  return members.flatMap((member) => asComponent(member) ?? [])
}

/** This component and all inside it, each once. */
export function componentsInside(node: unknown): Component[] {
  const found: Component[] = []
  const seen = new Set<object>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    if (Array.isArray(value)) return value.forEach(visit)
    const component = asComponent(value)
    if (component !== null) found.push(component)
    for (const [field, member] of Object.entries(value)) if (!isData(component?.type, field)) visit(member)
  }
  visit(node)
  return found
}

/** Every string inside, keys included. */
export function textsIn(node: unknown): string[] {
  if (typeof node === 'string') return [node]
  if (Array.isArray(node)) return node.flatMap(textsIn)
  return isObject(node) ? Object.entries(node).flatMap(([key, value]) => [key, ...textsIn(value)]) : []
}

/** A field that holds text; `usual` where it holds none. */
export function textField(component: Component | null | undefined, field: string, usual = ''): string {
  const value = component?.[field]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : usual
}

/** The keys of strings that match the pattern; items of a list have the key of the list. */
export function namesMentioning(pattern: RegExp, name: string, value: unknown): string[] {
  if (typeof value === 'string') return pattern.test(value) ? [name] : []
  if (Array.isArray(value)) return value.flatMap((item) => namesMentioning(pattern, name, item))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, member]) => namesMentioning(pattern, key, member))
}

/** Where the next cursor is, as a path of names ↔ the template that reads it there. */
import { pathReadBy, writePathTemplate } from '../../../engine/template/syntax/path.ts'

export type CursorProperty = { readonly from: 'response' | 'headers'; readonly names: readonly string[] }

/** `{{ response.get("next", {}) }}`, and further down `{{ (response.get("paging") or {}).get("next", {}) }}`. */
export function cursorTemplate({ from, names }: CursorProperty): string {
  return writePathTemplate([from, ...names])
}

/**
 * The path that a template reads, whichever of the usual spellings it has: `response.a.b`, `response['a']['b']`,
 * `response.get('a', {}).get('b')`, `(response.a or {}).b`. Null where it does more than that, or where a form could not
 * show the path.
 */
export function cursorProperty(template: unknown): CursorProperty | null {
  const [from, ...names] = typeof template === 'string' ? (pathReadBy(template, { isExact: true }) ?? []) : []
  if ((from !== 'response' && from !== 'headers') || names.length === 0) return null
  return names.every(isPlainName) ? { from, names } : null
}

/** Whether a stop condition only says what is true anyway: that pagination stops where there is no cursor. */
export function isNoCursor(condition: unknown, property: CursorProperty): boolean {
  const inside = typeof condition === 'string' ? /^\s*\{\{\s*not\b(.*)\}\}\s*$/su.exec(condition)?.[1] : undefined
  const denied = inside === undefined ? null : cursorProperty(`{{${inside}}}`)
  return (
    denied !== null &&
    denied.from === property.from &&
    denied.names.length === property.names.length &&
    denied.names.every((name, index) => name === property.names[index])
  )
}

function isPlainName(step: string | number): step is string {
  return typeof step === 'string' && !/\p{Cc}/u.test(step)
}

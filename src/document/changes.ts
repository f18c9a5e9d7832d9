/** Several changes of the resolved manifest as one edit of its text. */
import { isList, isObject } from '../std/values/objects.ts'
import { removeResolved, setResolved } from './edit-resolved.ts'
import type { Path } from './path.ts'

/** Undefined takes away what stands there. */
export type Change = { readonly at: Path; readonly value: unknown }

export function applyChanges(text: string, changes: readonly Change[]): string {
  return changes.reduce(
    (changed, { at, value }) => (value === undefined ? removeResolved(changed, at) : setResolved(changed, at, value)),
    text,
  )
}

/** What turns one value into another, key by key, so that all else in it stays as it is written. */
export function changesBetween(at: Path, before: unknown, after: unknown): Change[] {
  if (isSame(before, after)) return []
  if (!isObject(before) || !isObject(after)) return [{ at, value: after }]
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) => changesBetween([...at, key], before[key], after[key]))
}

function isSame(left: unknown, right: unknown): boolean {
  if (isList(left) && isList(right)) {
    return left.length === right.length && left.every((item, index) => isSame(item, right[index]))
  }
  return Object.is(left, right)
}

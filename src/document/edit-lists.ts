/** Items of a list in the resolved manifest, added, removed and put in order where the list is written. */
import { insertItem, moveItem, removeIn } from './edit.ts'
import { removeResolved, setResolved } from './edit-resolved.ts'
import { follow } from './follow.ts'
import { openDocument } from './open-document.ts'
import type { Path } from './path.ts'

/** At the end; makes the list if need be. */
export function appendResolved(text: string, at: Path, item: unknown): string {
  const { value, writtenAt } = follow(openDocument(text).value, at)
  return Array.isArray(value) ? insertItem(text, writtenAt, value.length, item) : setResolved(text, at, [item])
}

/** The list goes with its last item, unless its key must be there. */
export function removeItemResolved(text: string, at: Path, index: number, keepsEmpty = false): string {
  const { value, writtenAt } = follow(openDocument(text).value, at)
  if (!Array.isArray(value) || !(index in value)) return text
  return value.length === 1 && !keepsEmpty ? removeResolved(text, at) : removeIn(text, [...writtenAt, index])
}

export function moveItemResolved(text: string, at: Path, from: number, to: number): string {
  const { value, writtenAt } = follow(openDocument(text).value, at)
  if (!Array.isArray(value) || to < 0 || to >= value.length) return text
  return moveItem(text, writtenAt, from, to)
}

/** Rows of names and values → the map in the manifest, changed only where a row was. */
import type { Members } from '../../std/values/objects.ts'
import { removeResolved, setResolved } from '../../document/edit-resolved.ts'
import { renameKey } from '../../document/edit.ts'
import { follow } from '../../document/follow.ts'
import { openDocument } from '../../document/open-document.ts'
import type { Path } from '../../document/value-path.ts'

/** `was` is the name that the row has in the manifest now; null where it is new there. */
export type WishedPair = { readonly was: string | null; readonly key: string; readonly value: unknown }

export function writePairs(text: string, at: Path, before: Members, wished: readonly WishedPair[]): string {
  const kept = new Set(wished.map(({ was }) => was))
  let changed = text
  for (const key of Object.keys(before)) if (!kept.has(key)) changed = removeResolved(changed, [...at, key])
  for (const { was, key, value } of wished) {
    if (was === null) changed = setResolved(changed, [...at, key], value)
    else if (was !== key) changed = renameKey(changed, writtenAt(changed, [...at, was]), key)
  }
  return inOrder(changed, at, wished)
}

/** New names go to the end, so those that come too early are taken out and written there again, one after the other. */
function inOrder(text: string, at: Path, wished: readonly WishedPair[]): string {
  const places = new Map(keysAt(text, at).map((key, index) => [key, index]))
  const placeOf = ({ key }: WishedPair) => places.get(key) ?? -1
  const first = wished.findIndex((pair, index) => index > 0 && placeOf(pair) < placeOf(wished[index - 1] ?? pair))
  const late = first === -1 ? [] : wished.slice(first)
  return late.reduce(
    (changed, { key, value }) => setResolved(removeResolved(changed, [...at, key]), [...at, key], value),
    text,
  )
}

function writtenAt(text: string, path: Path): Path {
  return follow(openDocument(text).value, path).writtenAt
}

function keysAt(text: string, at: Path): string[] {
  return Object.keys(follow(openDocument(text).value, at).value ?? {})
}

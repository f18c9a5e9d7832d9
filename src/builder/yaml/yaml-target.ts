/** The place of the manifest being edited, so that it is kept when the view changes. */
import type { Path } from '../../document/value-path.ts'
import { openListeners } from '../listeners.ts'
import { goToEdit } from '../editor/edit-or-test.ts'

/** A place in the text, by line and column from 1, or by what is written there. */
export type YamlTarget = { readonly line: number; readonly column: number } | { readonly path: Path }

type Wish = { readonly view: 'form' | 'yaml'; readonly target: YamlTarget }

let last: { readonly path: Path; readonly address: string } | null = null
let watched: (() => Path) | null = null
let wish: Wish | null = null
const wishes = openListeners()

/** Remembers the current place without navigating. */
export function noteSpot(path: Path): void {
  last = { path, address: window.location.pathname }
}

/** Until the returned function is called, the place is where `find` says: a cursor moves too often to be noted. */
export function watchSpot(find: () => Path): () => void {
  watched = find
  return () => {
    noteSpot(find())
    watched = null
  }
}

/** Null where it was another connector. */
export function lastSpot(): Path | null {
  if (watched !== null) return watched()
  return last?.address === window.location.pathname ? last.path : null
}

export function showInYaml(target: YamlTarget): void {
  wish = { view: 'yaml', target }
  goToEdit({ view: 'yaml' })
  wishes.notify()
}

/** @param part the stream or the settings page that has the field, or the one nearest to the path. */
export function showInForm(path: Path, part: string | null): void {
  wish = { view: 'form', target: { path } }
  const before = window.location.href
  goToEdit({ view: 'form', ...(part !== null && { part }) })
  wishes.notify()
  const wished = wish
  if (wished === null) return
  const near = () => void (wish === wished && goNear(path, part))
  if (window.location.href === before) setTimeout(near, nearestAfterMs)
  else nearOnceOpened = near
}

/**
 * Not everything in a manifest has a field: the one that shares most of the path is shown instead. A settings page may
 * have what the path lacks at another place, which streams share: its first field then.
 */
function goNear(path: Path, part: string | null): void {
  let nearest: { readonly shared: number; readonly go: () => void } | null = null
  for (const { at, go } of fields) {
    const end = path.findIndex((key, index) => key !== at[index])
    const shared = end === -1 ? path.length : end
    if (shared > (nearest?.shared ?? leastShared)) nearest = { shared, go }
  }
  wish = null
  if (nearest === null && part?.startsWith('.') === true) [...fields][0]?.go()
  nearest?.go()
}

type FieldPlace = { readonly at: Path; readonly go: () => void }

const fields = new Set<FieldPlace>()
/** Time for the field itself to take the wish. */
const nearestAfterMs = 150
/** A page that had to be opened may be loaded first: this waits for its fields. */
let nearOnceOpened: (() => void) | null = null
/** `streams/0` alone says nothing about a field. */
const leastShared = 2

/** Lists a field that is shown, until the returned function is called. */
export function listField(field: FieldPlace): () => void {
  fields.add(field)
  if (nearOnceOpened !== null) setTimeout(nearOnceOpened, nearestAfterMs)
  nearOnceOpened = null
  return () => void fields.delete(field)
}

/** Where to go in this view; asked once, then forgotten. */
export function takeWish(
  view: 'form' | 'yaml',
  isOurs: (target: YamlTarget) => boolean = () => true,
): YamlTarget | null {
  if (wish === null || wish.view !== view || !isOurs(wish.target)) return null
  const { target } = wish
  wish = null
  return target
}

/** Called on each request to navigate. */
export const onWish = wishes.subscribe

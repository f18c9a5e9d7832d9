/** The place of the manifest being edited, so that it is kept when the view changes. */
import type { Path } from '../../document/value-path.ts'
import { openListeners } from '../listeners.ts'
import { goTo } from '../router.ts'

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
  goTo({ view: 'yaml' })
  wishes.notify()
}

/** @param part the stream or the settings page that has the field. */
export function showInForm(path: Path, part: string | null): void {
  wish = { view: 'form', target: { path } }
  goTo({ view: 'form', ...(part !== null && { part }) })
  wishes.notify()
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

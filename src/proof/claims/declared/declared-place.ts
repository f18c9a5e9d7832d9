/** A place of the answer that the manifest itself reads to find the next page, or the end. */
import type { Place } from '../response-place.ts'

export type OwnPlace = { readonly place: Place } & (
  | { readonly means: 'next' }
  /** Says so where this value stands there, and the contrary where another does. */
  | { readonly means: 'flag'; readonly value: boolean | string; readonly says: 'more' | 'end' }
  /** A number that the walk ends at. `position`: where the page says which it is, if the two are compared as they are. */
  | { readonly means: 'records' | 'pages' | 'count'; readonly position: Place | null }
)

/** The names that a template reads → a place of the answer; null where it reads something else, or all of it. */
export function answerPlace(read: readonly string[] | null): Place | null {
  const [root, first, ...others] = read ?? []
  if (first === undefined) return null
  if (root === 'response') return ['body', first, ...others]
  if (root !== 'headers') return null
  const header = first.toLowerCase()
  // Behind the name of a link, its address is all there is.
  return header === 'link' ? ['header', header, others[0] ?? 'next'] : ['header', header]
}

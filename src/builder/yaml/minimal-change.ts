/** Two strings → the smallest single replacement that turns one into the other, so that cursor and scroll position stay. */
import { differenceOf } from '../../document/difference.ts'

export type Replacement = { readonly from: number; readonly to: number; readonly insert: string }

export function minimalChange(before: string, after: string): Replacement | null {
  if (before === after) return null
  const { from, to, shift } = differenceOf(before, after)
  return { from, to, insert: after.slice(from, to + shift) }
}

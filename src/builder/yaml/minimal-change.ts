/** Two strings → the smallest single replacement that turns one into the other, so that cursor and scroll position stay. */
export type Replacement = { readonly from: number; readonly to: number; readonly insert: string }

export function minimalChange(before: string, after: string): Replacement | null {
  if (before === after) return null
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++
  let end = 0
  while (
    end < shorter - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  ) {
    end++
  }
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) }
}

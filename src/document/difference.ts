/** Two texts → where they differ: what is the same at both ends is not part of it. */

/** The text between `from` and `to` was replaced; everything after it moved by `shift`. */
export type TextChange = { readonly from: number; readonly to: number; readonly shift: number }

/** Texts of a megabyte differ in a letter, mostly: whole blocks are compared first, which is a hundred times as fast. */
const blocks = [65_536, 1024]

export function differenceOf(before: string, after: string): TextChange {
  const shorter = Math.min(before.length, after.length)
  const from = sameStart(before, after, shorter)
  const tail = sameEnd(before, after, shorter - from)
  return { from, to: before.length - tail, shift: after.length - before.length }
}

function sameStart(before: string, after: string, most: number): number {
  let at = 0
  for (const block of blocks) {
    while (at + block <= most && before.slice(at, at + block) === after.slice(at, at + block)) at += block
  }
  while (at < most && before.charCodeAt(at) === after.charCodeAt(at)) at++
  return at
}

function sameEnd(before: string, after: string, most: number): number {
  const [old, now] = [before.length, after.length]
  let length = 0
  for (const block of blocks) {
    const isSame = () =>
      before.slice(old - length - block, old - length) === after.slice(now - length - block, now - length)
    while (length + block <= most && isSame()) length += block
  }
  while (length < most && before.charCodeAt(old - 1 - length) === after.charCodeAt(now - 1 - length)) length++
  return length
}

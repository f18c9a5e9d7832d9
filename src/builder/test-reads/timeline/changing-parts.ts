/** Two page tokens that are addresses → what differs between them: their beginnings are the same on every page. */

/** Ends of what can be left out: whole parts of a path or a query. */
const borders = /[/?&]/

export function changingParts(one: string, other: string): readonly [string, string] {
  if (!isAddress(one) && !isAddress(other)) return [one, other]
  if (!isAddress(one)) return [one, afterPath(other)]
  if (!isAddress(other)) return [afterPath(one), other]
  let shared = 0
  for (let at = 0; at < Math.min(one.length, other.length) && one[at] === other[at]; at++) {
    if (borders.test(one[at] ?? '')) shared = at + 1
  }
  return [shortened(one, shared), shortened(other, shared)]
}

function isAddress(token: string): boolean {
  return /^https?:\/\//i.test(token)
}

/** Without another address to compare with: the query, or the last part of the path. */
function afterPath(address: string): string {
  const query = address.indexOf('?')
  return shortened(address, query === -1 ? address.lastIndexOf('/') + 1 : query + 1)
}

function shortened(address: string, from: number): string {
  return from <= 0 || from >= address.length ? address : `…${address.slice(from)}`
}

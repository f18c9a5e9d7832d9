/** A word that is not known → the known word its author probably meant. */

/** The nearest of the words within `limit` edits (a swap of neighbours is one), ignoring case; undefined when none is. */
export function nearMiss(word: string, words: Iterable<string>, limit = 2): string | undefined {
  // A short word is near to everything: allow one edit per three letters.
  let least = Math.min(limit, Math.max(1, Math.floor(word.length / 3))) + 1
  let nearest: string | undefined
  for (const candidate of words) {
    if (Math.abs(candidate.length - word.length) >= least) continue
    const distance = edits(word.toLowerCase(), candidate.toLowerCase())
    if (distance < least && candidate !== word) {
      least = distance
      nearest = candidate
    }
  }
  return nearest
}

function edits(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      )
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1)
      }
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return last[to.length] ?? 0
}

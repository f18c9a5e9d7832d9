/** The longest list of lines that two short lists share, as pairs of positions. */

/** Past this many comparisons the answer is "none": nobody reads such a difference line by line. */
const mostCells = 1_000_000

export function longestCommon(
  one: readonly string[],
  other: readonly string[],
): readonly (readonly [number, number])[] {
  const width = other.length + 1
  if (one.length * other.length > mostCells) return []
  // lengths[i * width + j]: of what the lists share from i and j on.
  const lengths = new Uint32Array((one.length + 1) * width)
  const lengthAt = (i: number, j: number) => lengths[i * width + j] as number
  for (let i = one.length - 1; i >= 0; i -= 1) {
    for (let j = other.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        one[i] === other[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1))
    }
  }
  const pairs: [number, number][] = []
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    if (one[i] === other[j]) pairs.push([i++, j++])
    else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i += 1
    else j += 1
  }
  return pairs
}

/** Rows on screen → the parts of a long list that have them, each requested once. */

/** Records of a part. */
export const partCount = 200

export function partsBetween(first: number, last: number): number[] {
  const from = Math.floor(first / partCount)
  return last < first ? [] : Array.from({ length: Math.floor(last / partCount) - from + 1 }, (_, index) => from + index)
}

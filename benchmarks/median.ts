/** The value in the middle: one slow round does not move it. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] as number
}

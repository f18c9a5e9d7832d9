/** A set of line numbers, one bit each: a hundred million lines are 12 MB. */
export type LineSet = { readonly size: number; add(line: number): void; has(line: number): boolean }

export function lineSet(): LineSet {
  let bits = new Uint8Array(1024)
  let size = 0
  const has = (line: number) => ((bits[line >>> 3] ?? 0) & (1 << (line & 7))) !== 0
  return {
    get size() {
      return size
    },
    has,
    add(line) {
      if (has(line)) return
      const index = line >>> 3
      if (index >= bits.length) {
        const grown = new Uint8Array(Math.max(bits.length * 2, index + 1))
        grown.set(bits)
        bits = grown
      }
      bits[index] = (bits[index] ?? 0) | (1 << (line & 7))
      size++
    },
  }
}

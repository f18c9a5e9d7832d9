/** Texts → whether, where and with what print they were seen before, as hashes in one flat array. */

export type KeyTable = {
  /** Where the key was seen before; null when it is new, or not remembered. */
  add(key: string, print: number, page: number): { readonly page: number; readonly isChanged: boolean } | null
  size(): number
  /** Whether keys came that were not remembered. */
  isFull(): boolean
}

/** Two hashes of the key, one of its record, its page: 16 bytes a slot, half of the slots free. */
const words = 4

/** Two keys are taken for one in a billion walks of 200,000 keys once: 64 bits. */
export function openKeyTable(limit: number): KeyTable {
  let slots = 1024
  let table = new Uint32Array(slots * words)
  let size = 0
  let isFull = false

  let low = 0
  let high = 0

  /** Two hashes of different kinds: texts that share one must not share the other for the same reason. */
  const hash = (key: string) => {
    let one = 0x811c9dc5
    let other = key.length
    for (let index = 0; index < key.length; index++) {
      const unit = key.charCodeAt(index)
      one = Math.imul(one ^ unit, 0x01000193)
      other = Math.imul(other ^ unit, 0x5bd1e995)
      other ^= other >>> 15
    }
    low = stir(one)
    high = stir(other)
  }

  /** The slot of the key, or the free one where it belongs. A free slot has no page. */
  const find = (first: number, second: number): number => {
    let slot = first & (slots - 1)
    for (;;) {
      const start = slot * words
      if (table[start + 3] === 0 || (table[start] === first && table[start + 1] === second)) return start
      slot = (slot + 1) & (slots - 1)
    }
  }
  const grow = () => {
    const old = table
    slots *= 2
    table = new Uint32Array(slots * words)
    for (let start = 0; start < old.length; start += words) {
      if (old[start + 3] === 0) continue
      table.set(old.subarray(start, start + words), find(old[start] as number, old[start + 1] as number))
    }
  }
  return {
    add(key, print, page) {
      hash(key)
      const start = find(low, high)
      const seenOn = table[start + 3] as number
      if (seenOn !== 0) {
        const isChanged = table[start + 2] !== print
        table[start + 2] = print
        return { page: seenOn, isChanged }
      }
      if (size >= limit) {
        isFull = true
        return null
      }
      table[start] = low
      table[start + 1] = high
      table[start + 2] = print
      table[start + 3] = page
      if (++size * 2 > slots) grow()
      return null
    },
    size: () => size,
    isFull: () => isFull,
  }
}

/** Neighbouring numbers land far apart. */
function stir(value: number): number {
  let stirred = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  stirred = Math.imul(stirred ^ (stirred >>> 13), 0xc2b2ae35)
  return (stirred ^ (stirred >>> 16)) >>> 0
}

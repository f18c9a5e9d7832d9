/** Hashes and their marks, side by side: what looks them up does so in one go, and makes no object of any. */
import type { Hash } from './hash.ts'

export class Batch {
  static readonly capacity = 128
  /** How many there are. */
  length = 0
  readonly lows = new Int32Array(Batch.capacity)
  readonly highs = new Int32Array(Batch.capacity)
  readonly marks = new Int32Array(Batch.capacity)
  /** What each is the hash of, as whoever adds it counts. */
  readonly rows = new Int32Array(Batch.capacity)

  add({ low, high }: Pick<Hash, 'low' | 'high'>, mark: number, row: number): void {
    const { length } = this
    this.lows[length] = low
    this.highs[length] = high
    this.marks[length] = mark
    this.rows[length] = row
    this.length = length + 1
  }
}

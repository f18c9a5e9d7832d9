/** Records → the hashes of their keys, each marked with the print of its record, a batch at a time. */
import { hashKey, type KeyPaths } from '../../engine/pagination/record-key.ts'
import type { JsonRecord } from '../../engine/plan/plan.ts'
import { Batch } from '../../std/hashing/table.ts'
import { printOf } from './record-print.ts'

export type KeyRules = { readonly paths: KeyPaths; readonly seed: number; readonly cursorField: string | undefined }

/** The same for every page of every stream: nothing waits between filling it and looking its hashes up. */
const batch = new Batch()

/** Visits the records that have a key. A row is the index of a record. */
export function forEachBatch(
  records: readonly JsonRecord[],
  { paths, seed, cursorField }: KeyRules,
  visit: (batch: Batch) => void,
): void {
  for (let first = 0; first < records.length; first += Batch.capacity) {
    const end = Math.min(first + Batch.capacity, records.length)
    batch.length = 0
    for (let row = first; row < end; row++) {
      const record = records[row] as JsonRecord
      const key = hashKey(record, paths, seed)
      if (key !== null) batch.add(key, printOf(record, cursorField), row)
    }
    visit(batch)
  }
}

/** A response and the path its records were read at → where they are instead. */
import { listsInEnvelope, objectListsIn } from '../../../proof/diagnosis/object-lists.ts'
import { followPath } from '../../../std/values/get-at.ts'

export type FoundPath = {
  readonly path: readonly string[]
  readonly length: number
  /** Whether one record was read: the object around the list. */
  readonly isEnvelope: boolean
}

/** Null where the path is right, or nothing better is known. `received` has the number of records of each page. */
export function recordPathIn(body: unknown, path: readonly string[], received: readonly number[]): FoundPath | null {
  const [first] = received
  if (first === undefined || path.includes('*') || received.some((count) => count > 1)) return null
  const at = followPath(body, path)
  if (first === 1) {
    const [list] = listsInEnvelope(at)
    return list === undefined ? null : { ...list, path: [...path, ...list.path], isEnvelope: true }
  }
  // What is there and empty means no records.
  if (at !== undefined || received.some((count) => count > 0)) return null
  const [list] = objectListsIn(body)
  return list === undefined ? null : { ...list, isEnvelope: false }
}

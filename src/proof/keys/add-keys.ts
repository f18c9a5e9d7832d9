/** The keys of two slices → those of both. A key that both have is two keys: slices may well share records. */
import type { KeyCounts } from './track-keys.ts'
import { mostRepeatedKeys } from './repeated-keys.ts'

export function addKeys(one: KeyCounts, other: KeyCounts): KeyCounts {
  return {
    unique: one.unique + other.unique,
    repeated: one.repeated + other.repeated,
    changed: one.changed + other.changed,
    alike: one.alike + other.alike,
    clashing: one.clashing + other.clashing,
    probable: one.probable + other.probable,
    repeatedPage: one.repeatedPage ?? other.repeatedPage,
    examples: [...one.examples, ...other.examples].slice(0, mostRepeatedKeys),
    isKey: one.isKey && other.isKey,
    isAssumed: one.isAssumed || other.isAssumed,
    isExact: one.isExact && other.isExact,
    errorRate: Math.max(one.errorRate, other.errorRate),
    uncounted: one.uncounted + other.uncounted,
  }
}

/** Records of one page, requested in several groups of properties → one record each, with the properties of all groups. */
import { stringifyJson } from '../../std/json.ts'
import type { JsonRecord } from '../plan/plan.ts'
import { isObject, type Members } from '../../std/values/objects.ts'
import { type Selection, toPlain } from './select.ts'

/** A record so far, whether it is kept, how many groups have it, and the last of them. */
type Entry = { record: JsonRecord; isKept: boolean; groups: number; chunk: number }

/**
 * A record that only some groups have, or that has no key, is not lost. One that the filter keeps in any group is kept
 * whole: the filter may ask for a property that the other groups do not have.
 */
export function mergeChunks(chunks: readonly Selection[], mergeBy: readonly string[]): Selection {
  const entries: Entry[] = []
  const byKey = new Map<string, Entry[]>()
  chunks.forEach(({ received, isKept }, chunk) => {
    received.forEach((record, index) => {
      const kept = isKept?.[index] ?? true
      const key = keyOf(record, mergeBy)
      const known = key === null ? [] : (byKey.get(key) ?? [])
      const entry = entryFor(known, record, chunk)
      if (entry === undefined) {
        const added = { record, isKept: kept, groups: 1, chunk }
        entries.push(added)
        if (key !== null) byKey.set(key, known)
        known.push(added)
        return
      }
      entry.record = mergeMembers(entry.record, record)
      entry.isKept ||= kept
      if (entry.chunk !== chunk) entry.groups++
      entry.chunk = chunk
    })
  })
  const lacking = entries.filter(({ isKept, groups }) => isKept && groups < chunks.length).length
  // Each group has the same lists.
  const truncated = Math.max(...chunks.map((chunk) => chunk.truncated ?? 0))
  return {
    records: entries.filter(({ isKept }) => isKept).map(({ record }) => toPlain(record)),
    // A record that one group lacks must not make a full page look short.
    receivedCount: Math.max(...chunks.map(({ receivedCount }) => receivedCount)),
    received: entries.map(({ record }) => record),
    isKept: entries.map(({ isKept }) => isKept),
    list:
      chunks.find(({ list }) => list === 'missing')?.list ??
      chunks.find(({ list }) => list === 'found')?.list ??
      'null',
    ...(lacking > 0 && { lacking }),
    ...(truncated > 0 && { truncated }),
  }
}

/** Two records of one group with the same key are one only if nothing is lost by it. */
function entryFor(known: readonly Entry[], record: JsonRecord, chunk: number): Entry | undefined {
  const ofOtherGroups = known.find((entry) => entry.chunk !== chunk)
  if (ofOtherGroups !== undefined) return ofOtherGroups
  // Only the latest: comparing each with each would take for ever on a page of thousands with one key.
  const latest = known.at(-1)
  return latest !== undefined && agree(latest.record, record) ? latest : undefined
}

/** Null when a part of the key is missing or empty. */
function keyOf(record: JsonRecord, mergeBy: readonly string[]): string | null {
  const parts = mergeBy.map((name) => (Object.hasOwn(record, name) ? record[name] : null))
  if (parts.some((part) => part === null || part === undefined || part === '')) return null
  return stringifyJson(parts)
}

/** Objects merge member by member; elsewhere the later value stays. */
function mergeMembers(one: Members, other: Members): JsonRecord {
  const merged = Object.entries(other).map(([name, value]) => {
    const held = Object.hasOwn(one, name) ? one[name] : undefined
    return [name, isObject(held) && isObject(value) ? mergeMembers(held, value) : value] as const
  })
  return { ...one, ...Object.fromEntries(merged) }
}

function agree(one: Members, other: Members): boolean {
  return Object.entries(other).every(([name, value]) => {
    if (!Object.hasOwn(one, name)) return true
    const held = one[name]
    return isObject(held) && isObject(value) ? agree(held, value) : stringifyJson(held) === stringifyJson(value)
  })
}

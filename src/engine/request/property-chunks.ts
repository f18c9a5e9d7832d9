/** Names of properties → the groups that are requested one after the other. */
import type { PropertiesPlan } from '../plan/query-properties.ts'
import type { Slice } from '../slices/slice.ts'
import type { PlacedValue } from './placement.ts'

/** `selected` are those the schema has; null asks for all. There is always a group, since there is always a request. */
export function propertyChunks(
  { always, chunking }: PropertiesPlan,
  names: readonly string[],
  selected: ReadonlySet<string> | null,
): string[][] {
  // Airbyte: groups without a limit are one group, which the schema does not narrow.
  if (chunking !== null && chunking.limit === null) return [[...names, ...always]]
  const wanted = selected === null ? names : names.filter((name) => selected.has(name))
  if (chunking === null || chunking.limit === null) return [[...always, ...wanted]]

  const { unit, limit } = chunking
  const chunks: string[][] = []
  let current: string[] = []
  let size = 0
  for (const name of wanted) {
    const added = unit === 'characters' ? Array.from(name).length + separatorLength : 1
    // A name that is too long by itself is requested alone.
    if (current.length > 0 && size + added > limit) {
      chunks.push(current)
      current = []
      size = 0
    }
    current.push(name)
    size += added
  }
  return [...chunks, current].map((chunk) => [...always, ...chunk])
}

/** Airbyte: an encoded comma. */
const separatorLength = '%2C'.length

/** The group in the query parameter that the author keeps for it. */
export function placedProperties(plan: PropertiesPlan | null, chunk: readonly string[] | undefined): PlacedValue[] {
  if (plan === null || plan.parameter === null || chunk === undefined) return []
  return [{ source: 'query_properties', placement: { into: 'query', name: plan.parameter }, value: chunk.join(',') }]
}

/** The slice as request templates see it: `stream_slice.extra_fields['query_properties']`. */
export function withProperties(slice: Slice, chunk: readonly string[]): Slice {
  return { ...slice, extra: { ...slice.extra, query_properties: chunk } }
}

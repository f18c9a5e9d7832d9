/** Versions by the words of their labels and the days they were saved on. */
import type { PastVersion } from '../../server/wire/connector.ts'
import { exactly } from '../relative-time.ts'

export function findVersions(versions: readonly PastVersion[], wanted: string): readonly PastVersion[] {
  const words = wanted
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return versions.filter(({ label, savedAt }) => {
    const text = `${label ?? ''} ${savedAt} ${exactly(savedAt)}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

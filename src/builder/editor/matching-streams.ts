/** Streams whose name has every word that is looked for. */
import type { StreamPlace } from '../../document/stream-paths.ts'

export function matchingStreams(streams: readonly StreamPlace[], wanted: string): readonly StreamPlace[] {
  const words = wanted
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return streams.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
}

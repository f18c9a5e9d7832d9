/** The streams of the current manifest, and where they are written. */
import { type StreamPlace, streamsIn } from '../../document/stream-paths.ts'
import { useOfManifest } from '../session/use-session.tsx'

export type { StreamPlace }

export function useStreams(): readonly StreamPlace[] {
  return useOfManifest(streamsIn)
}

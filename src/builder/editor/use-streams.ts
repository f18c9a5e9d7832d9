/** The streams of the current manifest, and where they are written. */
import { useMemo } from 'react'
import { type StreamPlace, streamsIn } from '../../document/stream-paths.ts'
import { useSession } from '../session/use-session.tsx'

export type { StreamPlace }

export function useStreams(): readonly StreamPlace[] {
  const root = useSession(({ document }) => document.value)
  return useMemo(() => streamsIn(root), [root])
}

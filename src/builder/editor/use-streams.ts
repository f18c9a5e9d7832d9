/** The streams of the manifest as it stands, and where they are written. */
import { useMemo } from 'react'
import { follow } from '../document/follow.ts'
import type { Path } from '../document/path.ts'
import { useSession } from '../session/use-session.tsx'

export type StreamPlace = { readonly name: string; readonly path: Path }

export function useStreams(): readonly StreamPlace[] {
  const root = useSession(({ document }) => document.value)
  return useMemo(() => streamsIn(root), [root])
}

function streamsIn(root: unknown): StreamPlace[] {
  const { value } = follow(root, ['streams'])
  if (!Array.isArray(value)) return []
  return value.map((_, index) => {
    const name = follow(root, ['streams', index, 'name']).value
    return { name: typeof name === 'string' ? name : `stream ${index + 1}`, path: ['streams', index] }
  })
}

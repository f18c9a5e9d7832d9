/** What is wrong with the current manifest: it cannot be read at all, or the server found problems. */
import { useMemo } from 'react'
import type { ManifestProblem } from '../../server/wire/problem.ts'
import { useInspection } from '../session/use-inspection.ts'
import { useSession } from '../session/use-session.tsx'

const none: readonly ManifestProblem[] = []

export function useManifestProblems(): readonly ManifestProblem[] {
  const trouble = useSession((session) => session.trouble)
  const found = useInspection()?.problems ?? none
  return useMemo(() => (trouble === null ? found : [unreadable(trouble)]), [trouble, found])
}

/** Reported at once: the server is asked only after typing stops. */
function unreadable({ message, line, column }: { message: string; line: number; column: number }): ManifestProblem {
  return {
    code: 'manifest/syntax',
    severity: 'error',
    message,
    at: { pointer: '', line, column },
    hint: 'The form shows the last text that could be read.',
  }
}

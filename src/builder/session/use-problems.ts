/** The problems of the manifest that belong to one place of it. */
import type { ManifestProblem } from '../../server/wire/problem.ts'
import { follow } from '../document/follow.ts'
import { type Path, pointerOf } from '../document/path.ts'
import { useInspection } from './use-inspection.ts'
import { useSession } from './use-session.tsx'

const none: readonly ManifestProblem[] = []

export function useProblemsAt(path: Path): readonly ManifestProblem[] {
  const root = useSession(({ document }) => document.value)
  const problems = useInspection()?.problems ?? none
  const pointer = pointerOf(follow(root, path).writtenAt)
  return problems.filter(({ at }) => at.pointer === pointer)
}

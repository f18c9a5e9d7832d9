/** The problems of the manifest that belong to one place of it. */
import type { ManifestProblem } from '../../server/wire/problem.ts'
import { follow } from '../../document/follow.ts'
import { type Path, pointerOf } from '../../document/value-path.ts'
import { useInspection } from './use-inspection.ts'
import { useSession } from './use-session.tsx'

const none: readonly ManifestProblem[] = []

/** Of a key that is missing, the problem stands at what lacks it; it is shown where the key would be typed. */
export function useProblemsAt(path: Path): readonly ManifestProblem[] {
  const root = useSession(({ document }) => document.value)
  const problems = useInspection()?.problems ?? none
  const { value, writtenAt } = follow(root, path)
  const pointer = pointerOf(writtenAt)
  const holder = pointerOf(follow(root, path.slice(0, -1)).writtenAt)
  const isMissing = ({ code, message, at }: ManifestProblem) =>
    code === 'manifest/missing-field' && at.pointer === holder && message.includes(`\`${path.at(-1)}\``)
  return problems.filter((problem) => problem.at.pointer === pointer || (value === undefined && isMissing(problem)))
}

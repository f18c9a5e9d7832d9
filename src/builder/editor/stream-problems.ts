/** The problems of one stream. */
import type { ManifestProblem } from '../../server/wire/problem.ts'
import { type Path, pointerOf } from '../../document/value-path.ts'

export type Problems = { readonly errors: number; readonly warnings: number }

export function problemsIn(problems: readonly ManifestProblem[] | undefined, path: Path): Problems {
  const pointer = `${pointerOf(path)}/`
  const own = (problems ?? []).filter(({ at }) => `${at.pointer}/`.startsWith(pointer))
  const count = (severity: ManifestProblem['severity']) => own.filter((one) => one.severity === severity).length
  return { errors: count('error'), warnings: count('warning') }
}

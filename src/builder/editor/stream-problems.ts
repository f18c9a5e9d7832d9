/** How many problems each part of the manifest has. */
import type { ManifestProblem } from '../../server/wire/problem.ts'

export type ProblemCount = { readonly errors: number; readonly warnings: number }

export const noProblems: ProblemCount = { errors: 0, warnings: 0 }

/** By the pointer of the part: a problem counts for everything that it is in. One pass, however many streams there are. */
export function problemsByPointer(problems: readonly ManifestProblem[] | undefined): ReadonlyMap<string, ProblemCount> {
  const counts = new Map<string, ProblemCount>()
  for (const { at, severity } of problems ?? []) {
    for (let end = 0; end !== -1; ) {
      const next = at.pointer.indexOf('/', end + 1)
      const pointer = next === -1 ? at.pointer : at.pointer.slice(0, next)
      const { errors, warnings } = counts.get(pointer) ?? noProblems
      counts.set(pointer, {
        errors: errors + (severity === 'error' ? 1 : 0),
        warnings: warnings + (severity === 'warning' ? 1 : 0),
      })
      end = next
    }
  }
  return counts
}

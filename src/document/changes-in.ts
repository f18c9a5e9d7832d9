/** The lines of two texts → the runs of them that differ, with those around them. */
import type { Line } from './line-difference.ts'

/** Runs that touch are one. Once more than `most` lines are shown, no further run is. */
export function changesIn(
  lines: readonly Line[],
  around: number,
  most = Number.POSITIVE_INFINITY,
): readonly (readonly Line[])[] {
  const runs: Line[][] = []
  let [last, shown] = [-1, 0]
  for (const [index, { kind }] of lines.entries()) {
    if (kind === 'same') continue
    const isNear = runs.length > 0 && index - around <= last + 1
    if (!isNear) runs.push([])
    const from = isNear ? last + 1 : Math.max(0, index - around)
    const to = Math.min(lines.length, index + around + 1)
    const added = lines.slice(from, to)
    runs.at(-1)?.push(...added)
    last = Math.max(last, to - 1)
    shown += added.length
    if (shown > most) break
  }
  return runs
}

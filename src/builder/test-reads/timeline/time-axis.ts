/** The duration of a read → the end of its time axis, and its labels. */

/** In steps, so that bars do not move all the time during a read. */
const steps = [1, 2, 4, 6, 8, 10]
const shortestMs = 20

export function axisEnd(ms: number): number {
  const wanted = Math.max(ms, shortestMs)
  const power = 10 ** Math.floor(Math.log10(wanted))
  return power * (steps.find((step) => step * power >= wanted) ?? 10)
}

/** A bar as parts of the axis: 0 is its beginning, 1 its end. A request too short to be seen is seen. */
export function barOn(end: number, at: number, tookMs: number): { readonly from: number; readonly width: number } {
  const width = Math.min(1, Math.max(tookMs / end, 0.006))
  return { from: Math.min(at / end, 1 - width), width }
}

/** Where the duration of a bar has room: next to it, or only on it. */
export function labelSide({ from, width }: ReturnType<typeof barOn>): 'after' | 'before' | 'on' {
  if (from + width < 0.7) return 'after'
  return from >= 0.3 ? 'before' : 'on'
}

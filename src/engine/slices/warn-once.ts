/** Warnings of a cursor: each kind once per stream. */

export type WarnOnce = (kind: string, warning: string) => void

export function warnOnce(report: (warning: string) => void): WarnOnce {
  const warned = new Set<string>()
  return (kind, warning) => {
    if (warned.has(kind)) return
    warned.add(kind)
    report(warning)
  }
}

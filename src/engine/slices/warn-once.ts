/** Warnings a cursor gives: each kind once per stream, however many records or partitions call for it. */

export type WarnOnce = (kind: string, warning: string) => void

export function warnOnce(report: (warning: string) => void): WarnOnce {
  const warned = new Set<string>()
  return (kind, warning) => {
    if (warned.has(kind)) return
    warned.add(kind)
    report(warning)
  }
}

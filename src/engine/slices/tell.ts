/** Warnings a cursor gives: each kind once per stream, however many records or partitions call for it. */

export type Tell = (kind: string, warning: string) => void

export function tellOnce(report: (warning: string) => void): Tell {
  const told = new Set<string>()
  return (kind, warning) => {
    if (told.has(kind)) return
    told.add(kind)
    report(warning)
  }
}

/** The first few keys that came again, with their pages: evidence that people can look up. */

export type RepeatedKey = {
  /** As people write it: `42`, or `eu, 42` for a key of two fields. Cut when it is long, and without secrets. */
  readonly key: string
  readonly page: number
  /** The page that had it before; the same number when two records of one page have it. */
  readonly earlier: number
  /** Whether the record was the same, too. */
  readonly isSame: boolean
}

/** Of each kind: on one page and equal, on one page and different, on two pages. */
const perKind = 3
export const mostRepeatedKeys = 3 * perKind
const longest = 80

/** `show` hides what is secret: a record may echo the credentials it was asked for with. */
export function keepRepeatedKeys(show: (text: string) => string) {
  const kept: RepeatedKey[] = []
  return {
    add(values: () => readonly string[], repeat: Omit<RepeatedKey, 'key'>): void {
      const alike = kept.filter((other) => kindOf(other) === kindOf(repeat))
      if (alike.length >= perKind) return
      const key = show(values().join(', '))
      if (alike.some((other) => other.key === key)) return
      kept.push({ key: key.length > longest ? `${key.slice(0, longest)}…` : key, ...repeat })
    },
    list: (): readonly RepeatedKey[] => [...kept],
  }
}

function kindOf({ page, earlier, isSame }: Omit<RepeatedKey, 'key'>): string {
  if (page !== earlier) return 'two pages'
  return isSame ? 'one page' : 'clash'
}

/** The verdicts on a stream's parents: where a parent lacks records, the slices they would make are missing too. */

export type JudgedParent = {
  readonly stream: string
  readonly verdict: 'complete' | 'unproven' | 'duplicated' | 'incomplete'
  readonly reason: string
}

export type JudgedParents = {
  /** Each parent's worst verdict, of its reads that ended and read something; the rest is not known. */
  readonly judgedParents: () => readonly JudgedParent[]
}

/** Whether slices are known to be missing: a state that speaks for the whole stream may not move then. */
export function lacksSlices({ judgedParents }: JudgedParents): boolean {
  return judgedParents().some(({ verdict }) => verdict === 'incomplete')
}

type JudgedParentList = JudgedParents & { readonly note: (parent: JudgedParent) => void }

/** A parent may be read many times, once for each partition of another router: the worst read counts. */
export function collectJudgedParents(): JudgedParentList {
  const worst = new Map<string, JudgedParent>()
  return {
    judgedParents: () => [...worst.values()],
    note(parent) {
      const known = worst.get(parent.stream)
      if (known === undefined || rank[parent.verdict] > rank[known.verdict]) worst.set(parent.stream, parent)
    },
  }
}

const rank: Readonly<Record<JudgedParent['verdict'], number>> = {
  complete: 0,
  unproven: 1,
  duplicated: 2,
  incomplete: 3,
}

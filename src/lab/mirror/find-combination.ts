/** Leaves with candidate values → the first combination that is accepted, fewest changes from the first candidates first. */

const maxTries = 6000

/** Null when none of the combinations tried is accepted. `accepts` may throw to refuse. */
export function findCombination<Value>(
  candidates: readonly (readonly Value[])[],
  accepts: (chosen: readonly Value[]) => boolean,
): readonly Value[] | null {
  let tries = 0
  for (let changes = 0; changes <= Math.min(3, candidates.length); changes++) {
    for (const chosen of combinations(candidates, changes)) {
      if (++tries > maxTries) return null
      if (accepted(chosen, accepts)) return chosen
    }
  }
  return null
}

function accepted<Value>(chosen: readonly Value[], accepts: (chosen: readonly Value[]) => boolean): boolean {
  try {
    return accepts(chosen)
  } catch {
    return false
  }
}

/** Every choice in which exactly so many leaves differ from their first candidate. */
function* combinations<Value>(candidates: readonly (readonly Value[])[], changes: number): Generator<Value[]> {
  const [own, ...rest] = candidates
  if (own === undefined) {
    if (changes === 0) yield []
    return
  }
  for (const others of combinations(rest, changes)) yield [own[0] as Value, ...others]
  if (changes === 0) return
  for (const others of combinations(rest, changes - 1)) {
    for (const value of own.slice(1)) yield [value, ...others]
  }
}

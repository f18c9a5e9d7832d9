/** Which questions were asked and not yet answered: the one thing that the lab remembers. */

/** Questions remembered; the oldest are forgotten, so that nobody can fill the memory. */
const remembered = 10_000

/** True the first time, false the second, and so on: whoever walks again meets the same. */
export function createFirstTimes(limit = remembered): (question: string) => boolean {
  const open = new Set<string>()
  return (question) => {
    if (open.delete(question)) return false
    open.add(question)
    if (open.size > limit) open.delete(open.values().next().value as string)
    return true
  }
}

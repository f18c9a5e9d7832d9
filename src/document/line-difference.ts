/** Two texts → their lines in one list: kept, added, removed. Aligned at lines that occur once in both. */

export type Line = {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
  /** From 1; in the text after, or, for a removed line, in the one before. */
  readonly number: number
}

type Range = { readonly from: number; readonly to: number }

export function lineDifference(before: string, after: string): readonly Line[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  const lines: Line[] = []
  let [oldAt, nowAt] = [0, 0]
  for (const [oldIndex, nowIndex] of [...pairsOf(old, now), [old.length, now.length] as const]) {
    for (; oldAt < oldIndex; oldAt += 1) lines.push({ kind: 'removed', text: old[oldAt] as string, number: oldAt + 1 })
    for (; nowAt < nowIndex; nowAt += 1) lines.push({ kind: 'added', text: now[nowAt] as string, number: nowAt + 1 })
    if (nowIndex < now.length) lines.push({ kind: 'same', text: now[nowIndex] as string, number: nowIndex + 1 })
    oldAt = oldIndex + 1
    nowAt = nowIndex + 1
  }
  return lines
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)
}

type Pair = readonly [old: number, now: number]

/** The lines that both have, in order, as positions. */
function pairsOf(old: readonly string[], now: readonly string[]): readonly Pair[] {
  const pairs: Pair[] = []
  // Ranges still to be compared, the next one last.
  const open: [Range, Range][] = [
    [
      { from: 0, to: old.length },
      { from: 0, to: now.length },
    ],
  ]
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    let [{ from: oldFrom, to: oldTo }, { from: nowFrom, to: nowTo }] = range
    while (oldFrom < oldTo && nowFrom < nowTo && old[oldFrom] === now[nowFrom]) pairs.push([oldFrom++, nowFrom++])
    while (oldFrom < oldTo && nowFrom < nowTo && old[oldTo - 1] === now[nowTo - 1]) pairs.push([--oldTo, --nowTo])
    if (oldFrom === oldTo || nowFrom === nowTo) continue
    const landmarks = landmarksOf(old, now, { from: oldFrom, to: oldTo }, { from: nowFrom, to: nowTo })
    if (landmarks.length === 0) {
      const found = longestCommon(old.slice(oldFrom, oldTo), now.slice(nowFrom, nowTo))
      pairs.push(...found.map(([one, other]) => [oldFrom + one, nowFrom + other] as const))
      continue
    }
    for (const [oldAt, nowAt] of [...landmarks, [oldTo, nowTo] as const]) {
      open.push([
        { from: oldFrom, to: oldAt },
        { from: nowFrom, to: nowAt },
      ])
      if (oldAt < oldTo) pairs.push([oldAt, nowAt])
      oldFrom = oldAt + 1
      nowFrom = nowAt + 1
    }
  }
  return pairs.toSorted(([one], [other]) => one - other)
}

/** Lines that occur exactly once in both ranges: the longest sequence in the same order. */
function landmarksOf(old: readonly string[], now: readonly string[], oldRange: Range, nowRange: Range): Pair[] {
  const oldAt = onceIn(old, oldRange)
  const candidates: Pair[] = []
  for (const [text, nowIndex] of onceIn(now, nowRange)) {
    const oldIndex = oldAt.get(text)
    if (oldIndex !== undefined) candidates.push([oldIndex, nowIndex])
  }
  return risingPairs(candidates.toSorted(([, one], [, other]) => one - other))
}

function onceIn(lines: readonly string[], { from, to }: Range): Map<string, number> {
  const at = new Map<string, number>()
  const again = new Set<string>()
  for (let index = from; index < to; index += 1) {
    const text = lines[index] as string
    if (at.has(text)) again.add(text)
    at.set(text, index)
  }
  for (const text of again) at.delete(text)
  return at
}

/** Of pairs that rise in `now`, the most that rise in `old` too: patience sorting. */
function risingPairs(pairs: readonly Pair[]): Pair[] {
  const tops: number[] = []
  const before: number[] = []
  for (const [index, [old]] of pairs.entries()) {
    let [low, high] = [0, tops.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pairs[tops[middle] as number] as Pair)[0] < old) low = middle + 1
      else high = middle
    }
    before[index] = low === 0 ? -1 : (tops[low - 1] as number)
    tops[low] = index
  }
  const rising: Pair[] = []
  for (let index = tops.at(-1) ?? -1; index >= 0; index = before[index] as number) rising.push(pairs[index] as Pair)
  return rising.toReversed()
}

/** The runs of lines that differ, with those around them. Adjacent runs are joined. Ends once more than `most` lines are shown. */
export function changedRuns(
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

/** Above this many comparisons the result is empty: such a difference is not read line by line. */
const mostCells = 1_000_000

function longestCommon(one: readonly string[], other: readonly string[]): readonly (readonly [number, number])[] {
  const width = other.length + 1
  if (one.length * other.length > mostCells) return []
  // lengths[i * width + j]: of what the lists share from i and j on.
  const lengths = new Uint32Array((one.length + 1) * width)
  const lengthAt = (i: number, j: number) => lengths[i * width + j] as number
  for (let i = one.length - 1; i >= 0; i -= 1) {
    for (let j = other.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        one[i] === other[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1))
    }
  }
  const pairs: [number, number][] = []
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    if (one[i] === other[j]) pairs.push([i++, j++])
    else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i += 1
    else j += 1
  }
  return pairs
}

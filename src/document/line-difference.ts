/** Two texts → their lines in one list: kept, added, removed. Lines that stand once in both are the landmarks. */
import { longestCommon } from './longest-common.ts'

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
  // Ranges still to be looked at, the next one last.
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

/** Lines that stand exactly once in both ranges: as many of them as have the same order. */
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

/** Two texts → the lines that differ, with the lines around them, as people read a change. */

export type DiffLine = {
  readonly kind: 'same' | 'removed' | 'added' | 'gap'
  /** In the new text; of a removed line, in the old one. From 1. */
  readonly number: number
  readonly text: string
}

const around = 2

/** More lines than this between the first and the last change are shown as taken out and put in. */
const mostCompared = 1_500

export function lineDiff(before: string, after: string): DiffLine[] {
  const old = linesOf(before)
  const now = linesOf(after)
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let end = 0
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++
  const changed = changesIn(old.slice(start, old.length - end), now.slice(start, now.length - end), start)
  const all: DiffLine[] = [
    ...now.slice(0, start).map((text, index) => ({ kind: 'same' as const, number: index + 1, text })),
    ...changed,
    ...now.slice(now.length - end).map((text, index) => ({
      kind: 'same' as const,
      number: now.length - end + index + 1,
      text,
    })),
  ]
  return nearChanges(all)
}

/** What stands behind the last line break is a line only if there is something. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** The longest common lines stay, the others go or come. */
function changesIn(old: readonly string[], now: readonly string[], start: number): DiffLine[] {
  const removed = (index: number): DiffLine => ({ kind: 'removed', number: start + index + 1, text: old[index] ?? '' })
  const added = (index: number): DiffLine => ({ kind: 'added', number: start + index + 1, text: now[index] ?? '' })
  if (old.length > mostCompared || now.length > mostCompared) {
    return [...old.map((_, index) => removed(index)), ...now.map((_, index) => added(index))]
  }
  const common = commonLengths(old, now)
  const lines: DiffLine[] = []
  let [left, right] = [0, 0]
  while (left < old.length || right < now.length) {
    if (left < old.length && right < now.length && old[left] === now[right]) {
      lines.push({ kind: 'same', number: start + right + 1, text: now[right] ?? '' })
      left++
      right++
    } else if (
      left < old.length &&
      (right >= now.length || at(common, left + 1, right) >= at(common, left, right + 1))
    ) {
      lines.push(removed(left++))
    } else {
      lines.push(added(right++))
    }
  }
  return lines
}

/** How many lines the rests from each pair of places have in common. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint16Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1))
  for (let left = old.length - 1; left >= 0; left--) {
    for (let right = now.length - 1; right >= 0; right--) {
      const isSame = old[left] === now[right]
      const longest = Math.max(at(rows, left + 1, right), at(rows, left, right + 1))
      ;(rows[left] as Uint16Array)[right] = isSame ? at(rows, left + 1, right + 1) + 1 : longest
    }
  }
  return rows
}

function at(rows: readonly Uint16Array[], left: number, right: number): number {
  return rows[left]?.[right] ?? 0
}

function nearChanges(lines: readonly DiffLine[]): DiffLine[] {
  const isNear = (index: number) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== 'same')
  const shown: DiffLine[] = []
  for (const [index, line] of lines.entries()) {
    if (isNear(index)) shown.push(line)
    else if (shown.length > 0 && shown.at(-1)?.kind !== 'gap')
      shown.push({ kind: 'gap', number: line.number, text: '' })
  }
  return shown.at(-1)?.kind === 'gap' ? shown.slice(0, -1) : shown
}

/** Names with wildcards, as shells write them: `*`, `?`, `[a-z]`, `[!a-z]`. */

/** Takes time in proportion to text × pattern at worst, whatever the pattern. */
export function matchesGlob(text: string, pattern: string): boolean {
  if (pattern === '*') return true
  if (!/[*?[]/.test(pattern)) return text === pattern

  const characters = Array.from(text)
  const parts = partsOf(pattern)
  let at = 0
  let part = 0
  // Where the last `*` stood, and how far the text was then: the place to try again from, one character later.
  let star = -1
  let starAt = 0
  while (at < characters.length) {
    const expected = parts[part]
    if (expected === 'any number') {
      star = part++
      starAt = at
    } else if (expected?.(characters[at] as string)) {
      at++
      part++
    } else if (star >= 0) {
      part = star + 1
      at = ++starAt
    } else {
      return false
    }
  }
  return parts.slice(part).every((left) => left === 'any number')
}

type Part = 'any number' | ((character: string) => boolean)

function partsOf(pattern: string): Part[] {
  const characters = Array.from(pattern)
  const parts: Part[] = []
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index] as string
    const end = character === '[' ? endOfSet(characters, index) : -1
    if (end >= 0) {
      parts.push(oneOf(characters.slice(index + 1, end)))
      index = end
    } else if (character === '*') parts.push('any number')
    else if (character === '?') parts.push(() => true)
    else parts.push((met) => met === character)
  }
  return parts
}

/** Where the set closes; a bracket directly after its opening belongs to it. -1: the opening is a character like any. */
function endOfSet(characters: readonly string[], start: number): number {
  const first = characters[start + 1] === '!' ? start + 2 : start + 1
  return characters.indexOf(']', characters[first] === ']' ? first + 1 : first)
}

function oneOf(set: readonly string[]): (character: string) => boolean {
  const isNegated = set[0] === '!'
  const members = isNegated ? set.slice(1) : set
  const ranges: [from: string, to: string][] = []
  for (let index = 0; index < members.length; index++) {
    const from = members[index] as string
    const to = members[index + 1] === '-' ? members[index + 2] : undefined
    ranges.push([from, to ?? from])
    if (to !== undefined) index += 2
  }
  return (character) => ranges.some(([from, to]) => from <= character && character <= to) !== isNegated
}

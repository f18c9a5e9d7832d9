/** A path whose names may be patterns → what it matches in a record, or the record with that changed or gone. */
import { wholeFromText } from '../template/values/number-text.ts'
import { changeItems } from '../../std/values/change-inside.ts'
import { type Members, isList, isObject } from '../../std/values/objects.ts'
import { RecordCopy } from './record-copy.ts'

/** One name of a path. `**` matches any number of names, including none. */
type Step = {
  readonly name: string | null
  readonly position: number | null
  /** The name has no signs of a pattern: at most one member of an object matches. */
  readonly isExact: boolean
  readonly matches: (key: string) => boolean
}

/** Airbyte: a template that gives a number means a position in a list, never a name. */
export function stepOf(evaluated: unknown): Step {
  if (typeof evaluated !== 'string') {
    const position = evaluated === null ? Number.NaN : Math.trunc(Number(evaluated))
    return { name: null, position: Number.isNaN(position) ? null : position, isExact: false, matches: () => false }
  }
  const position = wholeFromText(evaluated, 10)
  return {
    name: evaluated,
    position: position === null ? null : Number(position),
    isExact: !isPattern(evaluated),
    matches: globMatcher(evaluated),
  }
}

/** The first match: members of the record before members of those. Undefined when there is none. */
export function firstMatch(record: Members, path: readonly Step[]): unknown {
  if (path.length === 0) return record
  const exact = exactStep(path)
  if (exact === null) return firstBelow(record, [path])
  if (!Object.hasOwn(record, exact.name)) return undefined
  const member = record[exact.name]
  if (isComplete([exact.after])) return member
  return isObject(member) ? firstMatch(member, exact.after) : firstBelow(member, [exact.after])
}

function firstBelow(container: unknown, rests: readonly Rest[]): unknown {
  const below = membersOf(container).map(([key, member]) => ({ member, rests: advance(rests, key, container) }))
  const match = below.find((member) => isComplete(member.rests))
  if (match !== undefined) return match.member
  for (const { member, rests: left } of below) {
    const found = left.length === 0 ? undefined : firstBelow(member, left)
    if (found !== undefined) return found
  }
  return undefined
}

function membersOf(container: unknown): [key: string | number, member: unknown][] {
  if (isList(container)) return container.map((item, index) => [index, item])
  return isObject(container) ? Object.entries(container) : []
}

/** Every match, members before members of those; nothing for an empty path. */
export function allMatches(container: unknown, path: readonly Step[]): unknown[] {
  return path.length === 0 ? [] : matchesBelow(container, [path])
}

function matchesBelow(container: unknown, rests: readonly Rest[]): unknown[] {
  return membersOf(container).flatMap(([key, member]) => {
    const left = advance(rests, key, container)
    const below = left.length === 0 ? [] : matchesBelow(member, left)
    return isComplete(left) ? [member, ...below] : below
  })
}

/** A copy without every match, or without those of them that are unwanted. */
export function withoutMatches<Container>(
  container: Container,
  path: readonly Step[],
  isUnwanted?: (member: unknown) => boolean,
): Container {
  return replaceBelow(container, [path], removed, isUnwanted) as Container
}

/** Removes from the record what `withoutMatches` leaves out. */
export function removeMatches(
  copy: RecordCopy,
  path: Rest,
  isUnwanted: (member: unknown) => boolean = () => true,
): void {
  const exact = exactStep(path)
  if (exact === null) copy.replace(withoutMatches(copy.record, path, isUnwanted))
  else replaceExact(copy, exact, removed, isUnwanted)
}

/** A copy with this value in the place of every match. */
export function withMatches<Container>(container: Container, path: readonly Step[], value: unknown): Container {
  return replaceBelow(container, [path], value) as Container
}

function replaceBelow(
  container: unknown,
  rests: readonly Rest[],
  replacement: unknown,
  isMeant: (member: unknown) => boolean = () => true,
): unknown {
  const exact = rests.length === 1 ? exactStep(rests[0]) : null
  if (exact !== null && isObject(container)) {
    const copy = new RecordCopy(container)
    replaceExact(copy, exact, replacement, isMeant)
    return copy.record
  }
  return replaceMembers(container, (member, key) => {
    const left = advance(rests, key, container)
    if (isComplete(left) && isMeant(member)) return replacement
    return left.length === 0 ? member : replaceBelow(member, left, replacement, isMeant)
  })
}

function replaceExact(
  copy: RecordCopy,
  { name, after }: ExactStep,
  replacement: unknown,
  isMeant: (member: unknown) => boolean,
): void {
  if (!Object.hasOwn(copy.record, name)) return
  const member = copy.record[name]
  const isMatch = isComplete([after]) && isMeant(member)
  put(copy, name, isMatch ? replacement : replaceBelow(member, [after], replacement, isMeant))
}

function put(copy: RecordCopy, name: string, member: unknown): void {
  if (member === removed) copy.remove(name)
  else if (member !== copy.record[name]) copy.set(name, member)
}

type ExactStep = { readonly name: string; readonly after: Rest }

/** The first name of a path, where it can be looked up instead of compared with every member. */
function exactStep(rest: Rest = []): ExactStep | null {
  const [step, ...after] = rest
  return step?.isExact === true && step.name !== null ? { name: step.name, after } : null
}

const removed = Symbol('removed')

/**
 * A copy with every member changed or removed; the container itself when none is.
 * Airbyte: an item removed from a list becomes null, unless it was the last.
 */
function replaceMembers(container: unknown, change: (member: unknown, key: string | number) => unknown): unknown {
  if (isList(container)) {
    const items = changeItems(container, change)
    const kept = items.at(-1) === removed ? items.slice(0, -1) : items
    return changeItems(kept, (item) => (item === removed ? null : item))
  }
  if (!isObject(container)) return container
  const copy = new RecordCopy(container)
  for (const name of Object.keys(container)) put(copy, name, change(container[name], name))
  return copy.record
}

/** What of a path is still to be matched. */
type Rest = readonly Step[]

/** Several paths may be left below one member, since `**` can end there or continue. */
function advance(rests: readonly Rest[], key: string | number, container: unknown): readonly Rest[] {
  const [first] = rests
  // Nearly always: a record may have a hundred members.
  if (first !== undefined && rests.length === 1) return advanceOne(first, key, container)
  return rests.flatMap((rest) => advanceOne(rest, key, container))
}

function advanceOne(rest: Rest, key: string | number, container: unknown): readonly Rest[] {
  const step = rest[0]
  if (step === undefined) return none
  if (step.name === '**') return [rest, ...advanceOne(rest.slice(1), key, container)]
  return matches(step, key, container) ? [rest.slice(1)] : none
}

const none: readonly Rest[] = []

function isComplete(rests: readonly Rest[]): boolean {
  return rests.some((rest) => rest.every((step) => step.name === '**'))
}

function matches({ position, matches: matchesName }: Step, key: string | number, container: unknown): boolean {
  if (typeof key === 'string') return matchesName(key)
  if (position === null) return matchesName(String(key))
  return key === position || key === position + (container as readonly unknown[]).length
}

/** Whether a text matches the pattern, in time in proportion to text × pattern at worst, whatever the pattern. */
export function globMatcher(pattern: string): (text: string) => boolean {
  if (pattern === '*') return () => true
  if (!isPattern(pattern)) return (text) => text === pattern
  const parts = partsOf(pattern)
  const start = pattern.slice(0, pattern.search(signs))
  return (text) => text.startsWith(start) && matchesParts(Array.from(text), parts)
}

function matchesParts(characters: readonly string[], parts: readonly Part[]): boolean {
  let at = 0
  let part = 0
  // Where the last `*` was, and how far the text had been matched then: the position to try again from, one character later.
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

const signs = /[*?[]/

function isPattern(name: string): boolean {
  return signs.test(name)
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

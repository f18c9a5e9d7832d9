/**
 * A long YAML text → its tree, part by part: between two parts the caller may do something else. A part is a member of a block
 * collection with its own lines, which reads alone as it would in the whole. Null where that is not certain.
 */
import { refuseTooLarge } from '../engine/manifest/limits.ts'
import { lineEnd } from './characters.ts'
import { readTree } from './read-tree.ts'
import { type Collection, type Entry, entryEnd, mapValue, type SourceNode, type SourceTree } from './source-tree.ts'

/** Lines that mean something to the document as a whole. */
export const documentMarks = /^(?:---|\.\.\.|%|\uFEFF)/m

/** So much is read in a few milliseconds. */
const longestPart = 20_000

type Parts<Result> = Generator<undefined, Result>

/** Throws as `readTree` does, where a part cannot be read; the whole may then be readable all the same. */
export function* readTreeInParts(text: string, longest = longestPart): Parts<SourceTree | null> {
  refuseTooLarge(text)
  if (documentMarks.test(text) || /\t|\r(?!\n)/.test(text)) return null
  const root = yield* readBlock(text, 0, text.length, longest)
  return root && { text, root: root.node, start: root.start, isJson: false, isTangled: false }
}

type Block = { readonly node: Collection; readonly start: number }

/** The collection whose members are the lines between `from` and `to`. */
function* readBlock(text: string, from: number, to: number, longest: number): Parts<Block | null> {
  const first = firstLine(text, from, to)
  if (first === null) return null
  const { start, column } = first
  const kind = isDash(text, start) ? 'list' : 'map'
  const entries: Entry[] = []
  let begin = start - column
  while (begin < to) {
    const end = nextMember(text, lineAfter(text, begin, to), to, column, kind)
    if (end === null) return null
    // A key that is empty, marked or complex has a position of its own in the whole.
    if (/^[:?&*!{[]/.test(text.slice(begin + column, begin + column + 1))) return null
    const isLong = end - begin > longest && kind === 'map'
    const read: readonly Entry[] | null = isLong
      ? yield* readLongMember(text, begin, end, column, longest)
      : readMembers(text.slice(begin, end), column, kind)
    if (read === null) return null
    for (const entry of read) entries.push({ ...entry, at: begin + column + entry.at - start })
    begin = end
    yield undefined
  }
  const last = entries.at(-1)
  if (last === undefined) return null
  const value = kind === 'map' ? mapValue(entries) : entries.map(({ node }) => node.value)
  const node: Collection = {
    kind,
    isFlow: false,
    length: entryEnd(last),
    value,
    anchor: null,
    hasMarks: false,
    entries,
  }
  return { node, start }
}

/** Whole lines → the members in them, with positions from the first of them on. Null where they need what is around them. */
export function readMembers(lines: string, column: number, kind: 'map' | 'list'): readonly Entry[] | null {
  const { root, start, isTangled } = readTree(lines, false)
  if (isTangled || root === null || root.kind !== kind || root.isFlow || root.hasMarks || start !== column) return null
  return root.entries.every(({ markEnd, isMerge }) => markEnd !== null && !isMerge) ? root.entries : null
}

/** `key:` alone in its line, and below it the members of its value. */
function* readLongMember(
  text: string,
  begin: number,
  end: number,
  column: number,
  longest: number,
): Parts<readonly Entry[] | null> {
  const headEnd = lineEnd(text, begin)
  const head = text.slice(begin, headEnd)
  const whole = () => readMembers(text.slice(begin, end), column, 'map')
  if (!/:(?: *| +#.*)$/.test(head)) return whole()
  const [entry, ...others] = readMembers(head, column, 'map') ?? []
  if (entry === undefined || others.length > 0 || entry.node.kind !== 'scalar' || entry.node.value !== null)
    return whole()
  const block = yield* readBlock(text, headEnd, end, longest)
  if (block === null || block.start - lineStartOf(text, block.start) < column) return null
  return [{ ...entry, valueAt: block.start - begin - column, node: block.node satisfies SourceNode }]
}

/** The first line that is neither empty nor a comment: where it starts, behind how many spaces. */
function firstLine(text: string, from: number, to: number): { start: number; column: number } | null {
  for (let at = from; at < to; at = lineAfter(text, at, to)) {
    let start = at
    while (text[start] === ' ') start++
    const character = text[start]
    if (start >= to || character === undefined) return null
    if (character !== '#' && character !== '\n' && character !== '\r') return { start, column: start - at }
  }
  return null
}

/** Where the next member of the collection begins; null where a line is further left, and not a comment. */
function nextMember(text: string, from: number, to: number, column: number, kind: 'map' | 'list'): number | null {
  for (let at = from; at < to; at = lineAfter(text, at, to)) {
    let start = at
    while (start < at + column && text[start] === ' ') start++
    const character = text[start]
    if (character === undefined || character === '\n' || character === '\r' || character === '#') continue
    if (start < at + column) return null
    if (character === ' ') continue
    // `key:` may have its list at its own column.
    if (isDash(text, start) === (kind === 'list')) return at
    if (kind === 'list') return null
  }
  return to
}

function isDash(text: string, at: number): boolean {
  const next = text[at + 1]
  return text[at] === '-' && (next === ' ' || next === '\n' || next === '\r' || next === undefined)
}

function lineAfter(text: string, from: number, to: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? to : Math.min(end + 1, to)
}

function lineStartOf(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

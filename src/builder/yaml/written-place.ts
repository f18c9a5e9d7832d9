/**
 * A position in YAML text → the maps around it, by indentation alone: during typing, no parser could read
 * the text. Block style only; inside `{ … }` and `[ … ]` nothing is known.
 */

/** A map on the way from the top of the text to the position. */
export type Level = {
  /** How one gets there from the level above: by name, or null for an item of a list. The top has none either. */
  readonly steps: readonly (string | null)[]
  /** Its other keys → the text after the colon. */
  readonly members: ReadonlyMap<string, string>
}

export type WrittenPlace = {
  /** From the top to the map that the position is in. */
  readonly levels: readonly Level[]
  /** The key whose value is being written; null where a key is. */
  readonly key: string | null
  /** What is written already of the key or value, up to the position. */
  readonly begun: string
  /** The column of the keys of the map, from 0. */
  readonly column: number
}

export type Lines = { readonly count: number; readonly at: (line: number) => string }

/** @param line and @param column from 0. Null inside multi-line strings and comments. */
export function writtenPlace(lines: Lines, line: number, column: number): WrittenPlace | null {
  const before = lines.at(line).slice(0, column)
  if (/(^|\s)#/.test(before.replaceAll(/"[^"]*"|'[^']*'/g, ''))) return null
  const read = readLine(before)
  const levels = levelsAround(lines, line, read.column)
  if (levels === null) return null
  const begun = read.key === null ? before.slice(read.column) : read.value
  return { levels, key: read.key, begun, column: read.column }
}

type ReadLine = {
  readonly isBlank: boolean
  readonly dashes: readonly number[]
  /** Where the key is, or what is there instead. */
  readonly column: number
  readonly key: string | null
  readonly value: string
}

const keyPattern = /^(?:"([^"]*)"|'([^']*)'|([^\s#'"{}[\],&*!|>%@`-][^:#]*?|-[^\s:][^:#]*?))\s*:(?:\s+(.*)|$)/

function readLine(text: string): ReadLine {
  const lead = /^ *(?:-(?: +|$))*/.exec(text)?.[0] ?? ''
  const rest = text.slice(lead.length)
  const [, double, single, plain, value = ''] = keyPattern.exec(rest) ?? []
  return {
    isBlank: rest === '' ? !lead.includes('-') : rest.startsWith('#'),
    dashes: [...lead.matchAll(/-/g)].map(({ index }) => index),
    column: lead.length,
    key: double ?? single ?? plain ?? null,
    value,
  }
}

/** From the innermost map outwards; each begins with a dash or with a key further left. */
function levelsAround(lines: Lines, line: number, column: number): Level[] | null {
  const levels: Level[] = []
  let [at, want] = [line, column]
  for (;;) {
    const members = membersAround(lines, at, want)
    const start = startOf(lines, at, want)
    const steps: (string | null)[] = []
    let owner = start.owner
    if (start.dash !== null) {
      steps.unshift(null)
      owner = ownerOfList(lines, start.line, start.dash)
    }
    if (owner === null) return [{ steps, members }, ...levels]
    const { key, value, column: ownColumn } = readLine(lines.at(owner))
    // A multi-line string is not a map.
    if (key === null || /^[|>]/.test(value)) return null
    levels.unshift({ steps: [key, ...steps], members })
    ;[at, want] = [owner, ownColumn]
  }
}

/** Where the map with keys at this column begins: at a dash, or below its owner. */
function startOf(lines: Lines, from: number, column: number) {
  const deeper = ' '.repeat(column + 1)
  for (let line = from; line >= 0; line--) {
    const text = lines.at(line)
    if (line < from && text.startsWith(deeper)) continue
    const read = readLine(text)
    const dash = read.dashes.at(-1)
    if (dash !== undefined && read.column === column) return { line, dash, owner: null }
    if (line < from && !read.isBlank && leftOf(read) < column) return { line, dash: null, owner: line }
  }
  return { line: -1, dash: null, owner: null }
}

/** The key whose value is the list with dashes at this column; the key may be at that column itself. */
function ownerOfList(lines: Lines, from: number, dash: number): number | null {
  const deeper = ' '.repeat(dash + 1)
  for (let line = from - 1; line >= 0; line--) {
    const text = lines.at(line)
    if (text.startsWith(deeper)) continue
    const { isBlank, dashes, column, key } = readLine(text)
    if (!isBlank && key !== null && column <= dash && !dashes.includes(dash)) return line
  }
  return null
}

function membersAround(lines: Lines, from: number, column: number): Map<string, string> {
  const members = new Map<string, string>()
  const take = ({ column: own, key, value }: ReadLine) => {
    if (own === column && key !== null) members.set(key, value)
  }
  // Lines further in belong to members; in a large manifest nearly all are.
  const deeper = ' '.repeat(column + 1)
  for (let line = from; line >= 0; line--) {
    const text = lines.at(line)
    if (line < from && text.startsWith(deeper)) continue
    const read = readLine(text)
    if (line < from && !read.isBlank && leftOf(read) < column && read.column !== column) break
    take(read)
    if (read.dashes.length > 0 && read.column === column) break
  }
  for (let line = from + 1; line < lines.count; line++) {
    const text = lines.at(line)
    if (text.startsWith(deeper)) continue
    const read = readLine(text)
    if (!read.isBlank && leftOf(read) < column) break
    take(read)
  }
  return members
}

function leftOf({ column, dashes }: ReadLine): number {
  return dashes[0] ?? column
}

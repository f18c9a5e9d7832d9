/** The first records of a page → the columns of their table: names as they first appear, kinds, widths. */
import { type JsonKind, jsonKind, leafText, jsonMembers } from '../body/json-rows.ts'

export type RecordColumn = {
  readonly name: string
  /** In words: `integer`, `string or null`, `object`. */
  readonly kinds: string
  readonly isNumeric: boolean
  /** In pixels. */
  readonly width: number
}

export const characterWidth = 7.4
export const cellPadding = 24
const narrowest = 72
const widest = 280

type Seen = { kinds: Set<JsonKind>; longest: number }

/** @param names of columns that are there whatever the records have, in their order. */
export function columnsOf(
  records: readonly Readonly<Record<string, unknown>>[],
  names: readonly string[] = [],
): RecordColumn[] {
  const seen = new Map<string, Seen>(names.map((name) => [name, { kinds: new Set(), longest: 0 }]))
  for (const record of records) {
    for (const [name, value] of Object.entries(record)) {
      const column = seen.get(name) ?? { kinds: new Set(), longest: 0 }
      seen.set(name, column)
      column.kinds.add(jsonKind(value))
      column.longest = Math.max(column.longest, cellText(value).length)
    }
  }
  return [...seen].map(([name, { kinds, longest }]) => {
    const words = kindWords(kinds)
    const wanted = Math.max(longest, name.length, words.length) * characterWidth + cellPadding
    const isNumeric = [...kinds].every((kind) => kind === 'integer' || kind === 'number' || kind === 'null')
    // A number that is cut is another number: its column is as wide as it takes.
    const most = isNumeric ? Number.POSITIVE_INFINITY : widest
    return { name, kinds: words, isNumeric, width: Math.round(Math.min(most, Math.max(narrowest, wanted))) }
  })
}

/** What a cell has room for: nested values folded, strings without quotes, numbers with every digit. */
export function cellText(value: unknown): string {
  switch (jsonKind(value)) {
    case 'object':
      return `{ ${jsonMembers(value).length} }`
    case 'array':
      return `[ ${jsonMembers(value).length} ]`
    case 'string':
      return (value as string).slice(0, 200)
    default:
      return value === undefined ? '' : leafText(value)
  }
}

/** `null` says the least, so it comes last. */
function kindWords(kinds: ReadonlySet<JsonKind>): string {
  const named = [...kinds].filter((kind) => kind !== 'null' && !(kind === 'integer' && kinds.has('number')))
  return [...named, ...(kinds.has('null') ? ['null'] : [])].join(' or ')
}

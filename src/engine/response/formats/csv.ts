/** CSV text → one object a row, named by the first row: what Python's `csv.DictReader` makes of it. */
import { setMember } from '../../../std/values/set-member.ts'
import type { CsvPlan } from '../../plan/decoder.ts'
import { looksLikeHtml } from '../decode.ts'
import { FormatError, type ItemParser, longestItem, tooLong } from './item-parser.ts'
import { unifyLineEnds } from './lines.ts'

/** Spreadsheets end at 16,384 columns and databases earlier; what has more is not a table. */
const mostColumns = 50_000

/** Python: the name under which a row's values beyond the last column are written. */
const beyondLast = 'null'

/** Values stay strings. Short rows are filled with null; empty lines are no rows. */
export function parseCsv(
  { delimiter, nulls }: Omit<CsvPlan, 'kind' | 'encoding'>,
  warn: (text: string) => void = () => {},
): ItemParser {
  const unify = unifyLineEnds()
  const rows = readRows(delimiter)
  const isNull = nulls.length === 0 ? null : new Set(nulls)
  let names: readonly string[] | null = null

  const itemsOf = (found: readonly string[][]): unknown[] => {
    const items: unknown[] = []
    for (const row of found) {
      if (names === null) {
        names = columnNames(row)
        warnOfDelimiter(row, delimiter, warn)
      } else items.push(itemOf(names, row, isNull))
    }
    return items
  }
  return { read: (text) => itemsOf(rows.read(unify(text))), end: () => itemsOf(rows.end()), hasFloats: false }
}

/** Any text is CSV of some kind; a page for people in its place must not become records. */
function columnNames(row: readonly string[]): readonly string[] {
  if (looksLikeHtml(row[0] ?? '')) throw new FormatError('it looks like an HTML page')
  if (startsJson.test(row[0] ?? '')) throw new FormatError('it looks like JSON')
  return row
}

/** One column with the name of several: the values of every row would be in it, without an error. */
function warnOfDelimiter(names: readonly string[], delimiter: string, warn: (text: string) => void): void {
  const [name = ''] = names
  const other = names.length > 1 ? undefined : otherDelimiters.find((one) => one !== delimiter && name.includes(one))
  if (other === undefined) return
  const [found, used] = [other, delimiter].map((one) => JSON.stringify(one))
  warn(
    `The CSV has one column, whose name contains ${found}; the decoder separates at ${used}. If these are several columns, set \`delimiter\` to ${found}.`,
  )
}

const otherDelimiters = [';', '\t', '|', ',']

/** An object with a member, a list of objects, or the first line of either. */
const startsJson = /^\s*(\{\s*("|$)|\[\s*(\{|$))/

function itemOf(
  names: readonly string[],
  row: readonly string[],
  isNull: ReadonlySet<string> | null,
): Record<string, unknown> {
  const item: Record<string, unknown> = {}
  for (let index = 0; index < names.length; index++) {
    const value = row[index]
    setMember(item, names[index] as string, value === undefined || isNull?.has(value) ? null : value)
  }
  if (row.length > names.length) setMember(item, beyondLast, row.slice(names.length))
  return item
}

type RowReader = { read(text: string): string[][]; end(): string[][] }

/**
 * Where the reader is: before a field, in one without quotes, in one within quotes, or after a quote that may end
 * it. As in Python, a quote inside a field without quotes is a letter, and what follows a closing quote belongs to the field.
 */
type Place = 'start' | 'plain' | 'quoted' | 'after-quote'

function readRows(delimiter: string): RowReader {
  const endsPlain = new RegExp(`[${delimiter.replace(/[\\\]^-]/g, String.raw`\$&`)}\n]`, 'gu')
  let place: Place = 'start'
  let row: string[] = []
  let field = ''
  let rowLength = 0
  let line = 1
  let firstLine = 1

  const endField = () => {
    row.push(field)
    rowLength += field.length
    field = ''
    place = 'start'
    if (row.length > mostColumns) {
      throw new FormatError(`the row at line ${firstLine} has more than ${mostColumns} columns`, { isTooLarge: true })
    }
  }
  const endRow = (rows: string[][]) => {
    // A line without anything is no row; `""` is a row of one empty field.
    if (row.length > 0 || field !== '' || place !== 'start') {
      endField()
      rows.push(row)
    }
    row = []
    rowLength = 0
    firstLine = line
  }

  /** Up to the quote that ends the field, or may end it. Returns the index to continue from, as `passPlain` does. */
  const passQuoted = (text: string, index: number): number => {
    const end = closingQuote(text, index)
    const content = unescaped(text.slice(index, end === -1 ? undefined : end))
    field += content
    line += linesIn(content)
    if (end === -1) return text.length
    place = 'after-quote'
    return end + 1
  }
  /** Up to the next delimiter or line end, and past it. */
  const passPlain = (text: string, index: number, rows: string[][]): number => {
    endsPlain.lastIndex = index
    const end = endsPlain.exec(text)?.index ?? text.length
    if (end > index) place = 'plain'
    field += text.slice(index, end)
    if (end === text.length) return end
    if (text[end] !== '\n') {
      endField()
      return end + delimiter.length
    }
    line++
    endRow(rows)
    return end + 1
  }

  return {
    read(text) {
      const rows: string[][] = []
      let index = 0
      while (index < text.length) {
        if (place === 'quoted') index = passQuoted(text, index)
        else if (text[index] === '"' && place !== 'plain') {
          // A doubled quote is one quote, and the field continues.
          if (place === 'after-quote') field += '"'
          place = 'quoted'
          index++
        } else index = passPlain(text, index, rows)
        if (rowLength + field.length > longestItem) throw tooLong(`the row at line ${firstLine}`)
      }
      return rows
    },
    end() {
      if (place === 'quoted') {
        throw new FormatError(`the text ends within the quotes of the row at line ${firstLine}`)
      }
      const rows: string[][] = []
      endRow(rows)
      return rows
    },
  }
}

/** The next quote that is not doubled, or the last letter of the text; -1 when there is none. */
function closingQuote(text: string, from: number): number {
  let quote = text.indexOf('"', from)
  while (quote !== -1 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2)
  return quote
}

/** All doubled quotes at once: joined one by one, a field of nothing else would take a hundred times its size. */
function unescaped(content: string): string {
  return content.includes('"') ? content.replace(/""/g, '"') : content
}

function linesIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}

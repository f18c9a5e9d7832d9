/** Records → the lines of `COPY … FROM STDIN`, in its text format. */
import { Float, LongDecimal, stringifyJson } from '../../std/json.ts'
import type { Column } from '../columns/columns.ts'
import type { ColumnType } from '../columns/column-type.ts'
import { decimalText } from '../columns/decimal-text.ts'
import { jsonText, withoutEscapes } from '../columns/json-text.ts'
import type { TablePage } from '../destination.ts'

/** Large enough that a chunk costs little, small enough that memory does not notice. */
const chunkLength = 256 * 1024

/** The columns in their order, then the four that every table has. */
export function* copyChunks(columns: readonly Column[], pages: readonly TablePage[]): Generator<Buffer> {
  let lines = ''
  for (const page of pages) {
    const ending = `${ownFields(page)}\n`
    for (const record of page.records) {
      for (const { key, type } of columns) {
        // A field that the record does not have must not be found on the prototype of all objects.
        const value = Object.hasOwn(record, key) ? record[key] : null
        lines += value === null || value === undefined ? '\\N\t' : `${fieldText(type, value)}\t`
      }
      lines += ending
      if (lines.length < chunkLength) continue
      yield Buffer.from(lines)
      lines = ''
    }
  }
  if (lines !== '') yield Buffer.from(lines)
}

function ownFields({ extractedAt, run, slice, page }: TablePage): string {
  return [new Date(extractedAt).toISOString(), escaped(run), escaped(slice), page].join('\t')
}

function fieldText(type: ColumnType, value: unknown): string {
  switch (type) {
    case 'json':
      return escaped(jsonbText(value))
    case 'boolean':
    case 'int':
    case 'bigint':
      return String(value)
    case 'double':
    case 'decimal':
      return numberText(value)
    default:
      return escaped(plainText(value))
  }
}

/** A whole float is that number here, so that it reads the same whether its column was always text or became it. */
function plainText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && !(value instanceof Float) ? stringifyJson(value) : numberText(value)
}

function numberText(value: unknown): string {
  if (value instanceof LongDecimal) return decimalText(value)
  const plain = value instanceof Float ? value.value : value
  return Object.is(plain, -0) ? '-0' : String(plain)
}

/** `jsonb` does not take U+0000, escaped or not. */
function jsonbText(value: unknown): string {
  const text = jsonText(value)
  return text.includes('\\u0000') ? withoutEscapes(text, /u0000/) : text
}

const special = /[\\\t\n\r\u0000]/
const specials = /[\\\t\n\r\u0000]/g
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\u0000': '\ufffd',
}

function escaped(text: string): string {
  return special.test(text) ? text.replace(specials, (letter) => escapes[letter] ?? letter) : text
}

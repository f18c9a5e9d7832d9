/** A query result → CSV as in RFC 4180. Numbers keep every digit, nested values are JSON, null is nothing. */
import { stringifyJson } from '../../../std/json.ts'
import type { QueryAnswer } from '../../../server/wire/sync.ts'

export function csvOf({ columns, rows }: Pick<QueryAnswer, 'columns' | 'rows'>): string {
  return [columns, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : stringifyJson(value)
  // Quotes distinguish an empty string from null.
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** `turnleaf query` */
import type { QueryResult } from '../../destinations/destination.ts'
import { stringifyJson } from '../../std/json.ts'
import { withoutPasswords } from '../../destinations/without-passwords.ts'
import { destinationFrom } from '../destination-address.ts'
import { tablesOfConnection, type TablesChoice } from '../named-tables.ts'
import { fit, narrowed, oneLine, type PrintedColumn, row, say } from '../terminal/print.ts'
import { withFailureReport } from '../report-error.ts'
import { number } from '../../std/text/format-count.ts'

export type QueryCommandOptions = TablesChoice & {
  readonly limit?: number
  readonly json?: boolean
}

export function runQuery(sql: string, { limit = 100, json = false, ...given }: QueryCommandOptions): Promise<number> {
  return withFailureReport(async (learn) => {
    learn(withoutPasswords)
    const { connection } = given
    const { destination } =
      connection === undefined ? { destination: destinationFrom(given) } : await tablesOfConnection(connection, given)
    const answer = await destination.query?.(sql, limit)
    if (answer === undefined) {
      say(`${destination.address} does not support queries.`)
      return 1
    }
    process.stdout.write((json ? answerLines(answer) : resultTable(answer)).map((line) => `${line}\n`).join(''))
    if (answer.isCut) say(`Only the first ${number(limit)} rows are shown; --limit N shows more.`)
    return 0
  })
}

function answerLines({ columns, rows }: QueryResult): string[] {
  return rows.map((cells) => stringifyJson(Object.fromEntries(columns.map((name, index) => [name, cells[index]]))))
}

/** Longer cells would make the table unreadable. */
const widestCell = 60

function resultTable({ columns, rows }: QueryResult): string[] {
  const cells = rows.map((values) => values.map(cellText))
  const layout: PrintedColumn[] = columns.map((name, index) => ({
    width: Math.max(name.length, ...cells.map((texts) => texts[index]?.length ?? 0)),
    isNumber: rows.every((values) => ['number', 'bigint'].includes(typeof values[index]) || values[index] === null),
  }))
  // A pipe or a file has no width.
  const shown = narrowed(layout, process.stdout.columns ?? Infinity)
  return [columns.map(oneLine), ...cells].map((texts) =>
    row(
      shown,
      texts.map((text, index) => fit(text, shown[index]?.width ?? 0)),
    ),
  )
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  const plain = value instanceof Date ? value.toISOString() : value
  const text = oneLine(typeof plain === 'string' ? plain : stringifyJson(plain))
  return fit(text, widestCell)
}

/** Text for people, on standard error: colours, columns, indented JSON. */
import { isatty } from 'node:tty'
import picocolors from 'picocolors'
import type { Paint } from '../../engine/manifest/problem.ts'

/** Whether standard error is a terminal. */
export const isWatched = isatty(2)

/** https://no-color.org: any value but an empty one means no colours. */
export const colours = picocolors.createColors(isWatched && !process.env.NO_COLOR && process.env.TERM !== 'dumb')

/** The same functions without colours. */
export const noColours: typeof colours = picocolors.createColors(false)

const roles = {
  error: colours.red,
  warning: colours.yellow,
  note: colours.cyan,
  place: colours.dim,
  hint: colours.reset,
} as const

export const paintProblem: Paint = (text, role) => roles[role](text)

export function say(text = ''): void {
  process.stderr.write(`${text}\n`)
}

export type PrintedColumn = { readonly width: number; readonly isNumber?: boolean }

/** As wide as its widest cell. */
export function columnFor(texts: readonly string[], isNumber = false): PrintedColumn {
  return { width: Math.max(0, ...texts.map((text) => text.length)), isNumber }
}

/** A header and its rows. The last column may have any length, and colours. */
export function tableOf(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  { numbers = [], paint = colours }: { readonly numbers?: readonly number[]; readonly paint?: typeof colours } = {},
): string[] {
  const columns = titles.slice(0, -1).map((title, index) => {
    return columnFor([title, ...rows.map((texts) => texts[index] ?? '')], numbers.includes(index))
  })
  return [paint.dim(row(columns, titles)), ...rows.map((texts) => row(columns, texts))]
}

const gap = '   '
const leastTextWidth = 12

/** The same columns, those with the longest texts narrowed until a row fits. Numbers stay whole: a part of one is another number. */
export function narrowed(columns: readonly PrintedColumn[], rowWidth: number): PrintedColumn[] {
  const atMost = (most: number) =>
    columns.map((column) => (column.isNumber ? column : { ...column, width: Math.min(column.width, most) }))
  const widthOf = (some: readonly PrintedColumn[]) =>
    some.reduce((sum, { width }) => sum + width, gap.length * (some.length - 1))
  let most = Math.max(0, ...columns.map(({ width }) => width))
  while (most > leastTextWidth && widthOf(atMost(most)) > rowWidth) most--
  return atMost(most)
}

/** One row: numbers to the right, three spaces between; the last column may have any length. */
export function row(columns: readonly PrintedColumn[], cells: readonly string[]): string {
  const aligned = cells.map((cell, index) => {
    const { width, isNumber = false } = columns[index] ?? { width: 0 }
    return isNumber ? cell.padStart(width) : cell.padEnd(width)
  })
  return aligned.join(gap).trimEnd()
}

/** Cut to a width, so that a line does not wrap. */
export function fit(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`
}

/** Text of an API may contain terminal commands: they are replaced. */
export function harmless(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '\ufffd')
}

/** The same on one line. */
export function oneLine(text: string): string {
  return harmless(text.replace(/[\s\p{Zl}\p{Zp}]+/gu, ' '))
}

/** Compact JSON text → the same text, two spaces per level. Works on text so that long numbers keep their digits. */
export function indentJson(json: string): string {
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  return json.replace(/"(?:[^"\\]|\\.)*"|\[\]|\{\}|[[\]{},:]/g, (part) => {
    switch (part) {
      case '{':
      case '[':
        depth++
        return part + line()
      case '}':
      case ']':
        depth--
        return line() + part
      case ',':
        return part + line()
      case ':':
        return ': '
      default:
        return part
    }
  })
}

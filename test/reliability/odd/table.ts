/** What was read with odd responses and wrong conditions → the tables of docs/reliability-tests.md. */
import { total } from './methods.ts'
import type { WrongCondition } from './stop-conditions.ts'

export type Cell = {
  readonly method: string
  readonly answer: string
  readonly position: 'first' | 'middle' | 'last'
  readonly lost: number
  readonly verdict: string
  readonly reason: string
  readonly rows: number
  readonly ending: string
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`

/** One row a response and methods that fare alike with it. */
export function oddTable(cells: readonly Cell[]): string {
  const answers = [...new Set(cells.map(({ answer }) => answer))]
  const rows = answers.flatMap((answer) =>
    rowsOf(
      answer,
      cells.filter((cell) => cell.answer === answer),
    ),
  )
  const heads = ['response', 'methods', 'as the first page', 'in the middle', 'as the last page']
  return [heads, heads.map(() => '---'), ...rows].map(line).join('') + sums(cells)
}

function rowsOf(answer: string, cells: readonly Cell[]): string[][] {
  const alike = new Map<string, string[]>()
  for (const method of new Set(cells.map((cell) => cell.method))) {
    const said = (position: Cell['position']) => {
      const cell = cells.find((one) => one.method === method && one.position === position)
      return cell === undefined ? '–' : outcomeOf(cell)
    }
    const key = JSON.stringify([said('first'), said('middle'), said('last')])
    alike.set(key, [...(alike.get(key) ?? []), method])
  }
  const longestLast = [...alike].toSorted(([, one], [, other]) => one.length - other.length)
  return longestLast.map(([key, names], index) => {
    const isRest = index === longestLast.length - 1 && names.length > 3
    const methods = isRest ? (longestLast.length > 1 ? 'all others' : 'all') : names.join('; ')
    return [answer, methods, ...(JSON.parse(key) as string[])]
  })
}

function outcomeOf({ lost, verdict, rows, ending }: Cell): string {
  const table =
    rows === total ? (ending === 'held' ? 'held' : ending === 'failed' ? 'kept' : 'whole') : `replaced by ${rows} rows`
  return `${lost === 0 ? '' : `${lost} lost: `}${verdict}, ${table}`
}

function sums(cells: readonly Cell[]): string {
  const count = (verdict: string) => cells.filter((cell) => cell.lost > 0 && cell.verdict === verdict).length
  const lossy = cells.filter(({ lost }) => lost > 0).length
  const kept = cells.filter(({ rows }) => rows === total).length
  return `\n${cells.length} reads, ${lossy} of which lost records: ${count('error')} failed, ${count('incomplete')} incomplete, ${count('unproven')} unproven, ${count('complete')} complete. The table kept its ${total} rows in ${kept}.\n`
}

export function conditionTable(
  cells: readonly { condition: WrongCondition; total: boolean; lost: number; verdict: string }[],
): string {
  const heads = ['stop condition', 'fault', 'lost', 'verdict', 'verdict where the API reports a total']
  const stops = [...new Set(cells.map(({ condition }) => condition))]
  const rows = stops.map((condition) => {
    const [plain, counted] = [false, true].map((has) =>
      cells.find((cell) => cell.condition === condition && cell.total === has),
    )
    return [
      `\`${condition.stop.replaceAll('|', '\\|')}\``,
      condition.fault,
      `${plain?.lost}`,
      `${plain?.verdict}`,
      `${counted?.verdict}`,
    ]
  })
  return [heads, ['---', '---', '---:', '---', '---'], ...rows].map(line).join('')
}

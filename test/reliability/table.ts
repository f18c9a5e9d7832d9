/** The cells → the table of docs/reliability.md: methods that fare alike share a row. */
import type { Cell } from './cell.ts'
import { unseen } from './wrong-in.ts'

export function tableOf(cells: readonly Cell[]): string {
  const heads = ['fault', 'methods', 'lost', 'doubled', 'the walk ends with', 'verdict']
  const lines = ['---', '---', '---:', '---:', '---', '---']
  const faults = [...new Set(cells.map(({ fault }) => fault))]
  const rows = faults.flatMap((fault) => rowsOf(cells.filter((cell) => cell.fault === fault)))
  return [heads, lines, ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('')
}

/** Of one fault. The methods of the longest row are those that the other rows do not name. */
function rowsOf(cells: readonly Cell[]): string[][] {
  const rows = new Map<string, [Cell, ...Cell[]]>()
  for (const cell of cells) {
    const outcome = JSON.stringify(outcomeOf(cell))
    const alike = rows.get(outcome)
    if (alike === undefined) rows.set(outcome, [cell])
    else alike.push(cell)
  }
  const byLength = [...rows.values()].toSorted((one, other) => one.length - other.length)
  return byLength.map((row, index) => {
    const [first] = row
    const { lost, doubled, verdict } = outcomeOf(first)
    const ends = [...new Set(row.map(({ end }) => `\`${end}\``))]
    const name = first.fault === null ? 'none' : `\`${first.fault.name}\``
    return [
      name,
      methodsOf(row, byLength.length - 1 - index, index > 0),
      `${lost}`,
      `${doubled}`,
      ends.join(', '),
      verdict,
    ]
  })
}

function methodsOf(row: readonly Cell[], rowsAfter: number, hasRowsBefore: boolean): string {
  if (rowsAfter === 0 && row.length > 4) return hasRowsBefore ? 'all others' : 'all'
  return row.map(({ method }) => method.name).join(', ')
}

function outcomeOf({ fault, lost, doubled, end, error, verdict }: Cell) {
  const isUnseen = verdict === 'unproven' && lost > 0 && fault !== null && fault.name in unseen
  return {
    lost,
    doubled,
    error: error !== null && end,
    verdict: error !== null ? 'error' : `${verdict}${isUnseen ? ' ¹' : ''}`,
  }
}

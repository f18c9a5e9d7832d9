/** The cells → the table of docs/reliability-tests.md: methods that fare alike share a row. */
import type { Cell } from './cell.ts'
import { unseen } from './wrong-in.ts'

export function tableOf(cells: readonly Cell[]): string {
  const heads = ['fault', 'methods', 'lost', 'doubled', 'stopped at', 'verdict', 'diagnosis', 'fixed']
  const lines = ['---', '---', '---:', '---:', '---', '---', '---', '---']
  const faults = [...new Set(cells.map(({ fault }) => fault))]
  const rows = faults.flatMap((fault) => rowsOf(cells.filter((cell) => cell.fault === fault)))
  return [heads, lines, ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('')
}

/** Of one fault. The methods of the longest row are those that the other rows do not name. */
function rowsOf(cells: readonly Cell[]): string[][] {
  const rows = new Map<string, [Cell, ...Cell[]]>()
  for (const cell of cells) {
    const outcome = JSON.stringify(saidOf(cell))
    const alike = rows.get(outcome)
    if (alike === undefined) rows.set(outcome, [cell])
    else alike.push(cell)
  }
  const byLength = [...rows.values()].toSorted((one, other) => one.length - other.length)
  return byLength.map((row, index) => {
    const [first] = row
    const name = first.fault === null ? 'none' : `\`${first.fault.name}\``
    const ends = [...new Set(row.map(({ end }) => `\`${end}\``))].join(', ')
    const { verdict, findings, fixed } = saidOf(first)
    const methods = methodsOf(row, index === byLength.length - 1, byLength.length > 1)
    return [name, methods, `${first.lost}`, `${first.doubled}`, ends, verdict, findings, fixed]
  })
}

function methodsOf(row: readonly Cell[], isLongest: boolean, hasOthers: boolean): string {
  if (isLongest && row.length > 4) return hasOthers ? 'all others' : 'all'
  return row.map(({ method }) => method.name).join(', ')
}

function saidOf({ fault, lost, doubled, end, error, verdict, findings, fixed }: Cell) {
  const isUnseen = verdict === 'unproven' && lost > 0 && unseen.has(fault?.name ?? '')
  return {
    lost,
    doubled,
    error: error !== null && end,
    verdict: error === null ? `${verdict}${isUnseen ? ' ¹' : ''}` : 'error',
    findings: findings.map((code) => `\`${code}\``).join(', ') || '–',
    fixed: fixed === null ? '–' : `${fixed.lost} lost, ${fixed.doubled} doubled`,
  }
}

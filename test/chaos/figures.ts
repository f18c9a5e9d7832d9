/** What was counted → the tables of docs/reliability-tests.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Fault } from './faults.ts'
import type { Survival } from './survival.ts'

export type KilledKind = { readonly name: string; readonly survival: Survival }

export function killTable(kinds: readonly KilledKind[]): string {
  const heads = [
    'destination',
    'kills',
    'starting',
    'reading',
    'committing',
    'publishing',
    'ending',
    'syncs that ended',
  ]
  const rows = kinds.map(({ name, survival }) => {
    const { kills, hits, rounds, looks, rows: compared, lost, doubled } = survival
    const { starting, reading, committing, publishing, closing, over } = hits
    const where = [starting, reading, committing, publishing, closing + over]
    return [name, kills, ...where, rounds, looks, compared, lost, doubled]
  })
  return tableOf([...heads, 'checks', 'rows compared', 'lost', 'doubled'], rows, 1)
}

export type SurvivedFault = { readonly fault: Fault; readonly lost: number; readonly doubled: number }

export function faultTable(faults: readonly SurvivedFault[]): string {
  const rows = faults.map(({ fault, lost, doubled }) => [fault.name, fault.happens, lost, doubled])
  return tableOf(['fault', 'what happens', 'lost', 'doubled'], rows, 2)
}

type Cell = string | number

/** Columns after the first ones are numbers. */
function tableOf(heads: readonly string[], rows: readonly (readonly Cell[])[], texts: number): string {
  const lines = heads.map((_, index) => (index < texts ? '---' : '---:'))
  return [heads, lines, ...rows].map((cells) => `| ${cells.map(String).join(' | ')} |\n`).join('')
}

const path = 'docs/reliability-tests.md'

/** The text between `<!-- name -->` and `<!-- /name -->`. */
export function figuresIn(name: string): string {
  const [, rest = ''] = readFileSync(path, 'utf8').split(`<!-- ${name} -->\n`)
  return rest.split(`<!-- /${name} -->`)[0] ?? ''
}

export function writeFigures(name: string, table: string): void {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`]
  const [before = '', rest = ''] = readFileSync(path, 'utf8').split(begin)
  writeFileSync(path, `${before}${begin}${table}${end}${rest.split(end)[1] ?? ''}`)
}

/**
 * The large run behind `npm run test:chaos`: at least 50 kills per destination, and the figures in docs/reliability.md.
 * CHAOS_KILLS and CHAOS_SEED as for the tests; words choose destinations: `npm run test:chaos -- jsonl`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { placeKinds } from './places/every.ts'
import type { Survival } from './survival.ts'
import { survive } from './survive.ts'

const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 1e9))
const kills = Number(process.env.CHAOS_KILLS ?? 60)
const wanted = process.argv.slice(2).map((word) => word.toLowerCase())
const kinds = placeKinds.filter(({ name }) => wanted.length === 0 || wanted.includes(name.toLowerCase()))

console.error(`CHAOS_SEED=${seed} CHAOS_KILLS=${kills}`)
const rows: string[] = []
let isWhole = true
for (const kind of kinds) {
  const survival = await survive(kind, { seed, kills, onRound: (text) => console.error(`${kind.name}: ${text}`) })
  rows.push(rowOf(kind.name, survival))
  for (const fault of survival.faults) console.error(`${kind.name}: ${fault}`)
  isWhole &&= survival.faults.length === 0
}
const table = tableOf(rows)
console.log(table)
// Figures of some destinations, or of few kills, are not those of the docs.
if (isWhole && kinds.length === placeKinds.length && kills >= 50) writeFigures(table)
process.exitCode = isWhole ? 0 : 1

function rowOf(name: string, { kills: count, hits, rounds, looks, rows: compared, lost, doubled }: Survival): string {
  const cells = [
    name,
    count,
    hits.starting,
    hits.reading,
    hits.committing,
    hits.publishing,
    hits.closing + hits.over,
    rounds,
    looks,
    compared,
    lost,
    doubled,
  ]
  return `| ${cells.join(' | ')} |\n`
}

function tableOf(lines: readonly string[]): string {
  const heads = [
    'destination',
    'kills',
    'while starting',
    'reading',
    'committing',
    'publishing',
    'ending',
    'syncs that ended',
    'looks at tables being replaced',
    'rows compared',
    'lost',
    'doubled',
  ]
  return `| ${heads.join(' | ')} |\n| --- |${' ---: |'.repeat(heads.length - 1)}\n${lines.join('')}`
}

function writeFigures(figures: string): void {
  const path = 'docs/reliability.md'
  const [begin, end] = ['<!-- kills -->\n', '<!-- /kills -->']
  const text = readFileSync(path, 'utf8')
  const [before = '', rest = ''] = text.split(begin)
  const [, after = ''] = rest.split(end)
  writeFileSync(path, `${before}${begin}${figures}${end}${after}`)
}

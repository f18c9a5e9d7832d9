/**
 * The large run of `npm run test:chaos`: at least 50 kills per destination, every fault of a network, and the
 * figures in docs/reliability-tests.md. CHAOS_KILLS and CHAOS_SEED as for the tests; words choose destinations:
 * `npm run test:chaos -- jsonl`; `npm run test:chaos -- budget` only measures the shared budget,
 * `npm run test:chaos -- workers` only kills, pauses and stops workers,
 * `npm run test:chaos -- versions [REVISION…]` only runs workers of older revisions next to those of this one,
 * `npm run test:chaos -- worker-speed` measures how several of them share a stream.
 */
import { measureBudget } from './shared-budget.ts'
import { isSame } from './compare.ts'
import { faults } from './faults.ts'
import { landDespite, landInPeace } from './faulty-world.ts'
import { faultTable, type KilledKind, killTable, type SurvivedFault, writeFigures } from './figures.ts'
import { placeKinds } from './places/every.ts'
import { survive } from './survive.ts'
import { measureWorkerSpeed } from './worker-speed.ts'
import { runVersions } from './versions.ts'
import { surviveWorkers } from './workers.ts'

const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 1e9))
const kills = Number(process.env.CHAOS_KILLS ?? 60)
const wanted = process.argv.slice(2).map((word) => word.toLowerCase())
const kinds = placeKinds.filter(({ name }) => wanted.length === 0 || wanted.includes(name.toLowerCase()))
let isWhole = true

console.error(`CHAOS_SEED=${seed} CHAOS_KILLS=${kills}`)
const killed = kinds.length === 0 ? null : killTable(await killAll())
const broken = kinds.length === 0 ? null : faultTable(await breakAll())
if (killed !== null) console.log(killed)
if (broken !== null) console.log(broken)
if (wanted.length === 0 || wanted.includes('budget')) {
  const { table, refused } = await measureBudget()
  console.log(table)
  isWhole &&= refused === 0
}
if (wanted.length === 0 || wanted.includes('workers')) {
  const { table, isSame: isWholeThere } = await surviveWorkers({ seed, blows: Math.ceil(kills / 4) })
  console.log(table)
  isWhole &&= isWholeThere
}
if (wanted.length === 0 || wanted[0] === 'versions') {
  const { table, isSame: isWholeThere } = await runVersions(process.argv.slice(3))
  console.log(table)
  isWhole &&= isWholeThere
}
if (wanted.includes('worker-speed')) console.log(await measureWorkerSpeed())
// Figures of some destinations, or of few kills, are not those of the docs.
if (isWhole && kinds.length === placeKinds.length && kills >= 50 && killed !== null && broken !== null) {
  writeFigures('kills', killed)
  writeFigures('faults', broken)
}
process.exitCode = isWhole ? 0 : 1

/** Side by side: most of the time is spent on starting processes. */
async function killAll(): Promise<KilledKind[]> {
  return await Promise.all(
    kinds.map(async (kind) => {
      const { name } = kind
      const survival = await survive(kind, { seed, kills, onRound: (text) => console.error(`${name}: ${text}`) })
      for (const fault of survival.faults) console.error(`${name}: ${fault}`)
      isWhole &&= survival.faults.length === 0
      return { name, survival }
    }),
  )
}

/** Each fault with every destination; what was lost or doubled is summed up. */
async function breakAll(): Promise<SurvivedFault[]> {
  const sums = faults.map((fault) => ({ fault, lost: 0, doubled: 0 }))
  for (const kind of kinds) {
    const expected = await landInPeace(kind)
    for (const sum of sums) {
      const { difference } = await landDespite(sum.fault, kind, expected)
      sum.lost += difference.lost.length
      sum.doubled += difference.doubled.length
      isWhole &&= isSame(difference)
      if (!isSame(difference)) console.error(`${kind.name}: ${sum.fault.name}: ${JSON.stringify(difference, null, 2)}`)
    }
  }
  return sums
}

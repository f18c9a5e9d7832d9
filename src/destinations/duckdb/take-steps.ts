/** The steps of a commit, taken within its transaction. */
import type { Step, Table } from '../destination.ts'
import type { KeptTable, KeptTables } from './kept-tables.ts'
import type { Place } from './place.ts'
import type { Publishing } from './publish.ts'
import { createTable, dropTable, makeRoom, type Target } from './target.ts'
import { takeBackRows, writeRows } from './write-rows.ts'

type Store = { readonly place: Place; readonly tables: KeptTables; readonly publishing: Publishing }

/** Streams have nothing to do with each other: their order does not matter, that of the steps of one does. */
export async function takeSteps(steps: readonly Step[], store: Store): Promise<void> {
  const byStream = new Map<string, Step[]>()
  for (const step of steps) {
    const others = byStream.get(step.table.name)
    if (others === undefined) byStream.set(step.table.name, [step])
    else others.push(step)
  }
  for (const ofStream of byStream.values()) await takeStepsOfStream(ofStream, store)
}

async function takeStepsOfStream(steps: readonly Step[], store: Store): Promise<void> {
  const { place, tables, publishing } = store
  let rowSteps: RowStep[] = []
  for (const step of steps) {
    if (step.kind === 'write' || step.kind === 'rewind') {
      rowSteps.push(step)
      continue
    }
    await changeRows(rowSteps, store)
    rowSteps = []
    const kept = await tables.of(step.table)
    if (step.kind === 'publish') await publishing.publish(place, kept, step.table)
    else {
      await dropTable(place, kept.stagedName)
      kept.staged = null
    }
  }
  await changeRows(rowSteps, store)
}

type RowStep = Extract<Step, { kind: 'write' | 'rewind' }>

/** Room is made for all of them first: a table that lost rows would have to be copied. */
async function changeRows(steps: readonly RowStep[], store: Store): Promise<void> {
  const writes = steps.filter((step) => step.kind === 'write')
  const [write] = writes
  if (write !== undefined) {
    const target = await targetOf(await store.tables.of(write.table), write.table, store)
    await makeRoom(
      target,
      writes.flatMap(({ pages }) => pages.flatMap(({ records }) => records)),
    )
  }
  for (const step of steps) {
    const kept = await store.tables.of(step.table)
    if (step.kind === 'write') await writeRows(await targetOf(kept, step.table, store), step.pages)
    else {
      if (kept.staged !== null) await takeBackRows(kept.staged, step.rows)
      if (kept.live !== null && step.table.mode === 'append') await takeBackRows(kept.live, step.rows)
    }
  }
}

/** Where the rows go; made when it is not there. Rows to be merged are staged in the columns they will be merged into. */
async function targetOf(kept: KeptTable, { mode, schema }: Table, { place, publishing }: Store): Promise<Target> {
  if (mode === 'append' && !publishing.stagesAppended) {
    kept.distinctBy = null
    kept.live ??= await createTable(place, kept.name, null, schema)
    return kept.live
  }
  const known = mode === 'overwrite' ? null : (kept.live?.columns.all ?? null)
  kept.staged ??= await createTable(place, kept.stagedName, known, schema)
  return kept.staged
}

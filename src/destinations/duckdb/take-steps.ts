/** The steps of a commit, taken within its transaction. */
import type { JsonRecord } from '../../engine/plan/plan.ts'
import type { TablePage, Step, Table } from '../destination.ts'
import type { KeptTable, KeptTables } from './kept-tables.ts'
import type { Place } from './schema-handle.ts'
import type { Published, Shelf } from './published-tables.ts'
import { createTable, dropTable, makeRoom, type Target } from './target.ts'
import { rewindRows, writeRows } from './write-rows.ts'

type Store<Live extends Published> = {
  readonly place: Place
  readonly tables: KeptTables<Live>
  readonly shelf: Shelf<Live>
}

/** Streams have nothing to do with each other: their order does not matter, that of the steps of one does. */
export async function takeSteps<Live extends Published>(steps: readonly Step[], store: Store<Live>): Promise<void> {
  const byStream = new Map<string, Step[]>()
  for (const step of steps) {
    const others = byStream.get(step.table.name)
    if (others === undefined) byStream.set(step.table.name, [step])
    else others.push(step)
  }
  for (const ofStream of byStream.values()) await takeStepsOfStream(ofStream, store)
}

async function takeStepsOfStream<Live extends Published>(steps: readonly Step[], store: Store<Live>): Promise<void> {
  let rowSteps: RowStep[] = []
  for (const step of steps) {
    if (step.kind === 'write' || step.kind === 'rewind') {
      rowSteps.push(step)
      continue
    }
    await changeRows(rowSteps, store)
    rowSteps = []
    const kept = await store.tables.of(step.table)
    if (step.kind === 'publish') await store.shelf.publish(kept, step.table)
    else {
      await dropTable(store.place, kept.stagedName)
      kept.staged = null
    }
  }
  await changeRows(rowSteps, store)
}

type RowStep = Extract<Step, { kind: 'write' | 'rewind' }>

/** Room is made for all of them first: a table that lost rows would have to be copied. */
async function changeRows<Live extends Published>(steps: readonly RowStep[], store: Store<Live>): Promise<void> {
  const [first] = steps
  if (first === undefined) return
  const kept = await store.tables.of(first.table)
  const pages = steps.flatMap((step) => (step.kind === 'write' ? step.pages : []))
  if (pages.length > 0) {
    const records = pages.flatMap((page) => page.records)
    await makeRoom(await targetOf(kept, first.table, store, records), records)
  }
  let waiting: TablePage[] = []
  const writeWaiting = async () => {
    if (waiting.length > 0) await writeRows(await targetOf(kept, first.table, store), waiting)
    waiting = []
  }
  for (const step of steps) {
    if (step.kind === 'write') waiting.push(...step.pages)
    else {
      await writeWaiting()
      if (kept.staged !== null) await rewindRows(kept.staged, step.rows)
      const live = step.table.mode === 'append' ? await store.shelf.appendTo(kept, step.table) : null
      if (live !== null) await rewindRows(live, step.rows)
    }
  }
  await writeWaiting()
  const rewound = steps.flatMap((step) => (step.kind === 'rewind' ? [step.rows] : []))
  // What is written here is staged, so published rows can go all at once.
  if (first.table.mode === 'append' && rewound.length > 0) await store.shelf.rewind?.(kept, rewound)
}

/** Where the rows go; made when it is not there. */
async function targetOf<Live extends Published>(
  kept: KeptTable<Live>,
  table: Table,
  { place, shelf }: Store<Live>,
  records: readonly JsonRecord[] = [],
): Promise<Target> {
  const live = table.mode === 'append' ? await shelf.appendTo(kept, table, records) : null
  if (live !== null) return live
  // Rows that will stand among others are staged in the columns that those have.
  const known = table.mode === 'overwrite' ? null : (kept.live?.columns.all ?? null)
  kept.staged ??= await createTable(place, kept.stagedName, known, table.schema, records)
  return kept.staged
}

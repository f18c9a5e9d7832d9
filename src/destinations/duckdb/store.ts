/** A DuckDB file opened for one connection: every commit is one transaction. */
import type { Commit, OpenDestination, Step, Table, TablePage } from '../destination.ts'
import type { JsonRecord } from '../../engine/plan/plan.ts'
import { openDatabase } from './database.ts'
import { commitFailure, duckdbFailure, isOutOfMemory } from './failures.ts'
import {
  type KnownTable,
  type KnownTables,
  createTablesTable,
  openKnownTables,
  type PublishedTable,
  type PublishedTables,
} from './tables.ts'
import { createCheckpointsTable, openCheckpoints } from './checkpoints.ts'
import { createSchema, openSchema, type SchemaHandle } from './schema-handle.ts'
import type { DuckSession } from './session.ts'
import { countRows, createTable, dropTable, makeRoom, sqlName, type TargetTable } from './target.ts'
import { rewindRows, writeRows } from './write-rows.ts'

export type StoreOptions<Live extends PublishedTable> = {
  readonly file: string
  /** Its name in messages. */
  readonly address: string
  readonly schema: string
  readonly connection: string
  readonly openPublished: (handle: SchemaHandle) => Promise<PublishedTables<Live>> | PublishedTables<Live>
  /** Opens the database without access to other files; this applies to queries during the sync, too. */
  readonly isConfined?: boolean
}

export async function openStore<Live extends PublishedTable>({
  file,
  address,
  schema,
  connection,
  openPublished,
  isConfined = false,
}: StoreOptions<Live>): Promise<OpenDestination> {
  const database = await openDatabase(file, address, JSON.stringify([schema, connection]), { isConfined })
  let session: DuckSession | undefined
  const close = async () => {
    session?.close()
    await database.release()
  }
  try {
    const opened = (session = await database.connect())
    const handle = await openSchema(opened, schema)
    const published = await database.exclusively(async () => {
      await opened.transaction(() => createInternalTables(handle))
      const made = await openPublished(handle)
      await made.settle()
      return made
    })
    const tables = openKnownTables(handle, published, { connection, address })
    const notes = openCheckpoints(handle, connection)
    const apply = async (given: Commit): Promise<void> => {
      try {
        await opened.transaction(async () => {
          await applySteps(given.steps, { handle, tables, published })
          await tables.save()
          await notes.change(given.forget, given.notes)
        })
      } catch (error) {
        tables.reset()
        notes.reset()
        // Nothing of it was written.
        if (isOutOfMemory(error) && (await opened.provideMore())) return apply(given)
        throw error
      }
    }
    return {
      async notes(prefix) {
        try {
          return await notes.startingWith(prefix)
        } catch (error) {
          throw duckdbFailure(error, address)
        }
      },
      async commit(given) {
        try {
          await database.exclusively(async () => {
            await apply(given)
            await published.settle()
          })
        } catch (error) {
          throw commitFailure(error, address)
        }
      },
      async count(table) {
        try {
          return await database.exclusively(async () => {
            const kept = await tables.of(table)
            const { staged } = kept
            return {
              published: await published.countRows(kept),
              staged: staged === null ? 0 : await countRows(handle, sqlName(staged)),
              stagedAs: staged?.name ?? null,
            }
          })
        } catch (error) {
          throw duckdbFailure(error, address)
        }
      },
      async isGone(stream) {
        try {
          return await database.exclusively(() => tables.isGone(stream))
        } catch (error) {
          throw duckdbFailure(error, address)
        }
      },
      async isStagedGone(stream) {
        try {
          return await database.exclusively(() => tables.isStagedGone(stream))
        } catch (error) {
          throw duckdbFailure(error, address)
        }
      },
      async check(table) {
        try {
          await database.exclusively(() => tables.check(table))
        } catch (error) {
          throw duckdbFailure(error, address)
        }
      },
      close,
    }
  } catch (error) {
    await close()
    throw duckdbFailure(error, address)
  }
}

/** The tables that hold checkpoints and the columns of tables. */
async function createInternalTables(handle: SchemaHandle): Promise<void> {
  await createSchema(handle)
  await createCheckpointsTable(handle)
  await createTablesTable(handle)
}

type Store<Live extends PublishedTable> = {
  readonly handle: SchemaHandle
  readonly tables: KnownTables<Live>
  readonly published: PublishedTables<Live>
}

/** Streams are independent of each other: only the order of the steps of one stream matters. */
async function applySteps<Live extends PublishedTable>(steps: readonly Step[], store: Store<Live>): Promise<void> {
  const byStream = new Map<string, Step[]>()
  for (const step of steps) {
    const others = byStream.get(step.table.name)
    if (others === undefined) byStream.set(step.table.name, [step])
    else others.push(step)
  }
  for (const ofStream of byStream.values()) await applyStepsOfStream(ofStream, store)
}

async function applyStepsOfStream<Live extends PublishedTable>(
  steps: readonly Step[],
  store: Store<Live>,
): Promise<void> {
  let rowSteps: RowStep[] = []
  for (const step of steps) {
    if (step.kind === 'write' || step.kind === 'rewind') {
      rowSteps.push(step)
      continue
    }
    await changeRows(rowSteps, store)
    rowSteps = []
    const kept = await store.tables.of(step.table)
    if (step.kind === 'publish') await store.published.publish(kept, step.table)
    else {
      await dropTable(store.handle, kept.stagedName)
      kept.staged = null
    }
  }
  await changeRows(rowSteps, store)
}

type RowStep = Extract<Step, { kind: 'write' | 'rewind' }>

/** Columns are added for all steps first: a table that lost rows would have to be copied. */
async function changeRows<Live extends PublishedTable>(steps: readonly RowStep[], store: Store<Live>): Promise<void> {
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
      const live = step.table.mode === 'append' ? await store.published.appendTo(kept, step.table) : null
      if (live !== null) await rewindRows(live, step.rows)
    }
  }
  await writeWaiting()
  const rewound = steps.flatMap((step) => (step.kind === 'rewind' ? [step.rows] : []))
  // What is written here is staged, so published rows can be deleted all at once.
  if (first.table.mode === 'append' && rewound.length > 0) await store.published.rewind?.(kept, rewound)
}

/** The table to write to; created when missing. */
async function targetOf<Live extends PublishedTable>(
  kept: KnownTable<Live>,
  table: Table,
  { handle, published }: Store<Live>,
  records: readonly JsonRecord[] = [],
): Promise<TargetTable> {
  const live = table.mode === 'append' ? await published.appendTo(kept, table, records) : null
  if (live !== null) return live
  // Rows that will be added to a table are staged with its columns.
  const known = table.mode === 'overwrite' ? null : (kept.live?.columns.all ?? null)
  kept.staged ??= await createTable(handle, kept.stagedName, known, table.schema, records)
  return kept.staged
}

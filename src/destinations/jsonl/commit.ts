/** Steps and notes → all of it in the folder, or nothing. */
import { ConnectorError } from '../../std/errors.ts'
import type { Commit, RowsOfSlice, Step, Table } from '../destination.ts'
import { openDraft } from './draft.ts'
import type { Ledger } from './ledger.ts'
import type { Places } from './places.ts'
import { finishRenames, sweep } from './settle.ts'
import { filesOf, type OpenTable, openTable, publish, rewind, type Site, writePages } from './tables.ts'

/** Rows first, then the line in the ledger that makes them count, then the names under which they are found. */
export function committer(places: Places, ledger: Ledger): (commit: Commit) => Promise<void> {
  /** Set when a file could be brought neither forward nor back. The next process can: the ledger says how. */
  let failure: unknown = null

  return async ({ steps, forget, notes }) => {
    if (failure !== null) {
      const message = `${places.address} is not usable any more: an earlier commit could not be brought to its end.`
      throw new ConnectorError('destinations/lost', message, { cause: failure })
    }
    const draft = openDraft(places.staged)
    const site: Site = { places, ledger, draft }
    const tables = new Map<string, OpenTable>()
    try {
      for (const step of together(steps)) await take(step, tables, site)
      await draft.sync()
      const files = Object.fromEntries([...tables].map(([stream, table]) => [stream, filesOf(table, site)]))
      await ledger.append({ tables: files, forget, notes: Object.fromEntries(notes) })
    } catch (error) {
      await draft.undo().catch((undoError: unknown) => {
        failure = undoError
      })
      throw error
    }
    try {
      const changed = [...tables.keys()].flatMap((stream) => ledger.state.tables.get(stream) ?? [])
      if (changed.some(({ live }) => (live?.madeFrom ?? null) !== null)) await finishRenames(changed, places)
      if (steps.some(({ kind }) => kind !== 'write')) await sweep(ledger.state.tables.values(), places)
    } catch (error) {
      failure = error
      throw error
    }
  }
}

/** Rewinds of a table that follow each other are one: each would copy the file. */
type Taken = Exclude<Step, { kind: 'rewind' }> | { kind: 'rewind'; table: Table; rows: RowsOfSlice[] }

function together(steps: readonly Step[]): Taken[] {
  const taken: Taken[] = []
  for (const step of steps) {
    const last = taken.at(-1)
    if (step.kind !== 'rewind') taken.push(step)
    else if (last?.kind === 'rewind' && last.table.name === step.table.name) last.rows.push(step.rows)
    else taken.push({ ...step, rows: [step.rows] })
  }
  return taken
}

async function take(step: Taken, tables: Map<string, OpenTable>, site: Site): Promise<void> {
  const { table: plan } = step
  const table = tables.get(plan.name) ?? (await openTable(plan, step.kind !== 'discard', site))
  tables.set(plan.name, table)
  switch (step.kind) {
    case 'write':
      return await writePages(table, plan.mode, step.pages, site)
    case 'rewind':
      return await rewind(table, plan.mode, step.rows, site)
    case 'publish':
      return await publish(table, plan, site)
    case 'discard':
      table.staged = null
  }
}

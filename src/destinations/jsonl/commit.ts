/** One commit to the folder: all of its steps and checkpoints, or nothing. */
import { randomUUID } from 'node:crypto'
import { constants, open, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { Commit, RowsOfSlice, Step, Table } from '../destination.ts'
import { withFile } from '../file-operations.ts'
import { nestedTooDeep } from '../refused-data.ts'
import { syncFile, syncFolder } from '../../std/disk/durable.ts'
import { ConnectorError } from '../../std/errors.ts'
import type { Ledger } from './ledger.ts'
import { refuseChanged } from './lines.ts'
import type { ConnectionPaths } from './paths.ts'
import { finishRenames, sweep } from './recover.ts'
import {
  filesOf,
  type OpenTable,
  openTable,
  publishTable,
  rewindRows,
  type CommitContext,
  writePages,
  type Draft,
} from './tables.ts'

/** Writes rows first, then the ledger line that commits them, then renames files. */
export function committer(paths: ConnectionPaths, ledger: Ledger): (commit: Commit) => Promise<void> {
  /** Set when a file could neither be completed nor rolled back. The next process can, from the ledger. */
  let failure: unknown = null

  return async ({ steps, forget, notes }) => {
    if (failure !== null) {
      const message = `${paths.address} cannot be used any more: an earlier commit could not be completed.`
      throw new ConnectorError('destinations/lost', message, { cause: failure })
    }
    const draft = openDraft(paths.staged)
    const context: CommitContext = { paths, ledger, draft }
    const tables = new Map<string, OpenTable>()
    try {
      for (const step of together(steps)) await take(step, tables, context)
      await draft.sync()
      const files = Object.fromEntries([...tables].map(([stream, table]) => [stream, filesOf(table, context)]))
      await ledger.append({ tables: files, forget, notes: Object.fromEntries(notes) })
    } catch (error) {
      await draft.undo().catch((undoError: unknown) => {
        failure = undoError
      })
      throw nestedTooDeep(error) ?? error
    }
    try {
      const changed = [...tables.keys()].flatMap((stream) => ledger.state.tables.get(stream) ?? [])
      if (changed.some(({ live }) => (live?.madeFrom ?? null) !== null)) await finishRenames(changed, paths)
      if (steps.some(({ kind }) => kind !== 'write')) await sweep(ledger.state.tables.values(), paths)
    } catch (error) {
      failure = error
      throw error
    }
  }
}

/** Consecutive rewinds of a table are one: each would copy the file. */
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

async function take(step: Taken, tables: Map<string, OpenTable>, context: CommitContext): Promise<void> {
  const { table: plan } = step
  const table = tables.get(plan.name) ?? (await openTable(plan, step.kind === 'discard', context))
  tables.set(plan.name, table)
  switch (step.kind) {
    case 'write':
      return await writePages(table, plan.mode, step.pages, context)
    case 'rewind':
      return await rewindRows(table, plan.mode, step.rows, context)
    case 'publish':
      return await publishTable(table, plan, context)
    case 'discard':
      table.staged = null
  }
}

/** Unlike `a`, it creates no file: a deleted one must not be replaced by an empty one. */
const appendOnly = constants.O_WRONLY | constants.O_APPEND

/** @param folder for new files. */
function openDraft(folder: string): Draft {
  const made = new Set<string>()
  /** Path → length after the last commit. */
  const grown = new Map<string, number>()
  const newPath = () => join(folder, `${randomUUID()}.jsonl`)

  return {
    newPath,
    async create() {
      const path = newPath()
      return await withFile(path, async () => {
        const file = await open(path, 'wx')
        made.add(path)
        await file.close()
        return { path, length: 0 }
      })
    },
    append: async ({ path, length }, chunks) =>
      await withFile(path, async () => {
        const file = await open(path, appendOnly)
        try {
          refuseChanged(path, length, (await file.stat()).size)
          if (!made.has(path) && !grown.has(path)) grown.set(path, length)
          let end = length
          for await (const chunk of chunks) {
            await file.appendFile(chunk)
            end += chunk.length
          }
          return { path, length: end }
        } finally {
          await file.close()
        }
      }),
    async sync() {
      for (const path of [...made, ...grown.keys()]) await withFile(path, async () => await syncFile(path))
      if (made.size > 0) await syncFolder(folder)
    },
    async undo() {
      for (const path of made) await rm(path, { force: true })
      for (const [path, length] of grown) await truncate(path, length)
    },
  }
}

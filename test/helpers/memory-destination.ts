/** A destination in memory that outlives its sync, and can break at a commit of one's choice: before it, or right after. */
import type {
  Commit,
  Destination,
  TablePage,
  OpenDestination,
  Step,
  Table,
} from '../../src/destinations/destination.ts'
import { ConnectorError } from '../../src/std/errors.ts'
import { followPath } from '../../src/std/values/get-at.ts'
import { stringifyJson } from '../../src/std/json.ts'

export type Row = Record<string, unknown>

export type MemoryDestination = Destination & {
  readonly tables: Map<string, Row[]>
  readonly notes: Map<string, string>
  readonly commits: Commit[]
  /** The commit that fails, counted from 1 over all syncs; `after`: it is kept, but the caller does not learn of it. */
  breakAt: { commit: number; when: 'before' | 'after' } | null
  /** Called with each commit; the commit waits for it. */
  onCommit: (commit: Commit) => void | Promise<void>
}

export function memoryDestination(): MemoryDestination {
  let tables = new Map<string, Row[]>()
  let staged = new Map<string, Row[]>()
  let notes = new Map<string, string>()
  /** The tables after the last commit: a test may delete one. */
  let made = new Set<string>()
  let isOpen = false
  const open = async (): Promise<OpenDestination> => {
    if (isOpen) throw new ConnectorError('destinations/busy', 'Another sync is under way.')
    isOpen = true
    return {
      notes: async (prefix) => new Map([...notes].filter(([key]) => key.startsWith(prefix))),
      async commit(commit) {
        self.commits.push(commit)
        await self.onCommit(commit)
        const broken = self.breakAt?.commit === self.commits.length ? self.breakAt : null
        const fail = () => new ConnectorError('destinations/lost', 'The line went dead.')
        if (broken?.when === 'before') throw fail()
        const next = { tables: copy(tables), staged: copy(staged) }
        for (const step of commit.steps) apply(step, next)
        notes = new Map([...notes].filter(([key]) => !commit.forget.some((prefix) => key.startsWith(prefix))))
        for (const [key, text] of commit.notes) notes.set(key, text)
        ;({ tables, staged } = next)
        const touched = new Set(commit.steps.map(({ table }) => table.name))
        made = new Set([...[...made].filter((name) => !touched.has(name)), ...tables.keys()])
        if (broken?.when === 'after') throw fail()
      },
      async count({ name }) {
        const rows = staged.get(name)
        return { published: tables.get(name)?.length ?? 0, staged: rows?.length ?? 0, stagedAs: null }
      },
      isGone: async (stream) => made.has(stream) && !tables.has(stream),
      async close() {
        isOpen = false
      },
    }
  }
  const self: MemoryDestination = {
    address: 'memory:',
    open,
    breakAt: null,
    commits: [],
    onCommit: () => {},
    get tables() {
      return tables
    },
    get notes() {
      return notes
    },
  }
  return self
}

type Held = { tables: Map<string, Row[]>; staged: Map<string, Row[]> }

function copy(tables: Map<string, Row[]>): Map<string, Row[]> {
  return new Map([...tables].map(([name, rows]) => [name, [...rows]]))
}

function apply(step: Step, { tables, staged }: Held): void {
  const { table } = step
  const { name } = table
  const target = table.mode === 'append' ? tables : staged
  switch (step.kind) {
    case 'write':
      target.set(name, [...(target.get(name) ?? []), ...step.pages.flatMap(rowsOf)])
      return
    case 'rewind': {
      const { slice, runs, fromPage } = step.rows
      const goes = (row: Row) =>
        row['_turnleaf_slice'] === slice &&
        runs.includes(String(row['_turnleaf_run'])) &&
        Number(row['_turnleaf_page']) >= fromPage
      target.set(
        name,
        (target.get(name) ?? []).filter((row) => !goes(row)),
      )
      return
    }
    case 'publish': {
      const rows = staged.get(name) ?? []
      if (table.mode === 'overwrite') tables.set(name, rows)
      if (table.mode === 'dedup') tables.set(name, merge(table, [...(tables.get(name) ?? []), ...rows]))
      staged.delete(name)
      return
    }
    case 'discard':
      staged.delete(name)
  }
}

function rowsOf({ records, run, slice, page }: TablePage): Row[] {
  return records.map((record) => ({ ...record, _turnleaf_run: run, _turnleaf_slice: slice, _turnleaf_page: page }))
}

function merge({ primaryKey, cursorField }: Table, rows: readonly Row[]): Row[] {
  const winners = new Map<string, Row>()
  for (const row of rows) {
    const key = stringifyJson(primaryKey.map((path) => followPath(row, path)))
    const known = winners.get(key)
    const isNewer =
      known === undefined || cursorField === null || String(row[cursorField]) >= String(known[cursorField])
    if (isNewer) winners.set(key, row)
  }
  return [...winners.values()]
}

/** Whether its last commit ended a run: the next sync is a new one then. */
export function hasEnded({ notes }: MemoryDestination): boolean {
  return [...notes].some(([key, text]) => key.startsWith('run/') && JSON.parse(text).endedAt !== null)
}

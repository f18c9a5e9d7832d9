/** A destination in a page of code: a folder with one JSON file per connection, written anew by every commit. */
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  ConnectorError,
  parseJson,
  stringifyJson,
  type Commit,
  type Destination,
  type TablePage,
  type OpenDestination,
  type Step,
  type Table,
} from 'turnleaf'

type Row = Record<string, unknown>
type Contents = { tables: Map<string, Row[]>; staged: Map<string, Row[]>; notes: Map<string, string> }

export function jsonFiles(folder: string): Destination {
  return { address: `json:${folder}`, open: (connection) => openFile(folder, `${encodeURIComponent(connection)}.json`) }
}

async function openFile(folder: string, name: string): Promise<OpenDestination> {
  const path = join(folder, name)
  await mkdir(folder, { recursive: true })
  const unlock = await lock(`${path}.lock`)
  let contents = await load(path).catch(async (error: unknown) => {
    await unlock()
    throw error
  })
  return {
    notes: async (prefix) => new Map([...contents.notes].filter(([key]) => key.startsWith(prefix))),
    async commit(commit) {
      const next = contentsAfter(commit, contents)
      await save(folder, path, next)
      contents = next
    },
    close: unlock,
  }
}

function contentsAfter({ steps, forget, notes }: Commit, before: Contents): Contents {
  const [tables, staged] = [new Map(before.tables), new Map(before.staged)]
  for (const step of steps) apply(step, tables, staged)
  const kept = [...before.notes].filter(([key]) => !forget.some((prefix) => key.startsWith(prefix)))
  return { tables, staged, notes: new Map([...kept, ...notes]) }
}

function apply(step: Step, tables: Contents['tables'], staged: Contents['staged']): void {
  const { name, mode } = step.table
  const target = mode === 'append' ? tables : staged
  const rows = target.get(name) ?? []
  if (step.kind === 'write') target.set(name, [...rows, ...step.pages.flatMap(rowsOf)])
  if (step.kind === 'rewind') {
    const { slice, runs, fromPage } = step.rows
    const isOfSlice = (row: Row) => row._turnleaf_slice === slice && runs.includes(String(row._turnleaf_run))
    const stays = (row: Row) => !isOfSlice(row) || Number(row._turnleaf_page) < fromPage
    target.set(name, rows.filter(stays))
  }
  if (step.kind === 'publish') {
    tables.set(name, mode === 'dedup' ? winners([...(tables.get(name) ?? []), ...rows], step.table) : rows)
  }
  if (step.kind === 'publish' || step.kind === 'discard') staged.delete(name)
}

function rowsOf({ records, extractedAt, run, slice, page }: TablePage): Row[] {
  const at = new Date(extractedAt).toISOString()
  const own = { _turnleaf_extracted_at: at, _turnleaf_run: run, _turnleaf_slice: slice, _turnleaf_page: page }
  return records.map((record) => ({ ...record, ...own }))
}

/** Of rows with the same key the highest cursor wins, the last one among equals. A row without a key has no rivals. */
function winners(rows: readonly Row[], { primaryKey, cursorField }: Table): Row[] {
  const best = new Map<unknown, Row>()
  const cursorOf = (row: Row) => (cursorField === null ? null : (row[cursorField] ?? null)) as number | null
  for (const row of rows) {
    const values = primaryKey.map((path) => path.reduce<unknown>((value, name) => (value as Row | null)?.[name], row))
    const key = values.some((value) => value === null || value === undefined) ? row : stringifyJson(values)
    const [cursor, highest] = [cursorOf(row), cursorOf(best.get(key) ?? {})]
    if (highest === null || (cursor !== null && cursor >= highest)) best.set(key, row)
  }
  return [...best.values()]
}

async function load(path: string): Promise<Contents> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  const { tables = {}, staged = {}, notes = {} } = parseJson(text).value as Partial<Record<keyof Contents, object>>
  return { tables: mapOf(tables), staged: mapOf(staged), notes: mapOf(notes) }
}

const mapOf = <Value>(members: object) => new Map<string, Value>(Object.entries(members))

/** Readers find what the last commit left or what this one leaves: a name changes hands in one step. */
async function save(folder: string, path: string, contents: Contents): Promise<void> {
  const members = Object.entries(contents).map(([part, map]) => [part, Object.fromEntries<unknown>(map)])
  await writeFile(`${path}.new`, stringifyJson(Object.fromEntries(members)), { flush: true })
  await rename(`${path}.new`, path)
  const changed = await open(folder)
  await changed.sync().finally(() => changed.close())
}

/** Holds the id of the writing process. A killed one leaves it, but no such process runs. */
async function lock(path: string): Promise<() => Promise<void>> {
  const holder = Number(await readFile(path, 'utf8').catch(() => ''))
  if (holder > 0 && isRunning(holder)) throw new ConnectorError('destinations/busy', `Process ${holder} has ${path}.`)
  await writeFile(path, String(process.pid))
  return () => rm(path)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

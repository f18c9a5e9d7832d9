/** A list of commits without end, the same every time, and what the files must hold after each. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type {
  Commit,
  Destination,
  TablePage,
  OpenDestination,
  Step,
  Table,
} from '../../../src/destinations/destination.ts'

const tableOf = (name: string, mode: Table['mode']): Table => ({
  name,
  mode,
  primaryKey: [['id']],
  cursorField: 'at',
  schema: null,
})
const log = tableOf('log', 'append')
const catalog = tableOf('catalog', 'overwrite')
const users = tableOf('users', 'dedup')

/** Two records; keys come again, and cursors go up and down. */
function pageOf(number: number, slice: string): TablePage {
  const records = [0, 1].map((index) => ({
    id: (number * 7 + index) % 5,
    at: (number * 3) % 4,
    text: 'x'.repeat(number % 50),
  }))
  return { records, extractedAt: 0, run: `run-${number % 2}`, slice, page: number }
}

/** The commit with this number, from 0. */
export function operation(number: number): Commit {
  const write = (table: Table, slice = 'a'): Step => ({
    kind: 'write',
    table,
    pages: [pageOf(number, slice), pageOf(number + 1, 'b')],
  })
  const rewind = (table: Table): Step => ({
    kind: 'rewind',
    table,
    rows: { slice: 'b', runs: ['run-1'], fromPage: number - 3 },
  })
  const publish = (table: Table): Step => ({ kind: 'publish', table })
  const cycle: Step[][] = [
    [write(log), write(catalog), write(users)],
    [rewind(log), write(log), write(users)],
    [publish(users), write(catalog), write(log)],
    [{ kind: 'discard', table: catalog }, write(catalog), write(log, 'b')],
    [publish(catalog), write(catalog), publish(log)],
    [rewind(catalog), write(catalog), write(users, 'b')],
    [write(log), rewind(log), publish(users), write(users)],
    [publish(catalog), publish(users), publish(log)],
    [publish(catalog)],
  ]
  const notes = new Map([
    ['count', String(number + 1)],
    [`page/${number}`, 'x'],
  ])
  return { steps: cycle[number % cycle.length] ?? [], forget: number % 4 === 0 ? ['page/'] : [], notes }
}

type Row = {
  readonly id: number
  readonly at: number
  readonly run: string
  readonly slice: string
  readonly page: number
}
type Rows = { live: Row[] | null; staged: Row[] }

/** What each table holds after so many commits; null for one that there is not yet. */
function tablesAfter(count: number): Map<string, Row[] | null> {
  const tables = new Map<string, Rows>()
  for (let number = 0; number < count; number++) for (const step of operation(number).steps) take(tables, step)
  return new Map([log, catalog, users].map(({ name }) => [name, tables.get(name)?.live ?? null]))
}

function take(tables: Map<string, Rows>, step: Step): void {
  const rows = tables.get(step.table.name) ?? { live: null, staged: [] }
  tables.set(step.table.name, rows)
  const isAppend = step.table.mode === 'append'
  if (step.kind === 'write') {
    const added = step.pages.flatMap(({ records, run, slice, page }) =>
      records.map(({ id, at }) => ({ id: id as number, at: at as number, run, slice, page })),
    )
    if (isAppend) rows.live = [...(rows.live ?? []), ...added]
    else rows.staged.push(...added)
  } else if (step.kind === 'rewind') {
    const { slice, runs, fromPage } = step.rows
    const stays = (row: Row) => !(row.slice === slice && runs.includes(row.run) && row.page >= fromPage)
    if (isAppend) rows.live = rows.live?.filter(stays) ?? null
    else rows.staged = rows.staged.filter(stays)
  } else if (step.kind === 'discard') rows.staged = []
  else {
    if (step.table.mode === 'overwrite') rows.live = rows.staged
    else if (step.table.mode === 'dedup') rows.live = winners([...(rows.live ?? []), ...rows.staged])
    else rows.live ??= []
    if (!isAppend) rows.staged = []
  }
}

function winners(rows: Row[]): Row[] {
  const isBeaten = (row: Row, index: number) =>
    rows.some((rival, place) => rival.id === row.id && (rival.at > row.at || (rival.at === row.at && place > index)))
  return rows.filter((row, index) => !isBeaten(row, index))
}

/** Continues from the number in the checkpoints. */
export async function goOn(opened: OpenDestination, until: number): Promise<void> {
  for (let number = await countOf(opened); number < until; number++) await opened.commit(operation(number))
}

async function countOf(opened: OpenDestination): Promise<number> {
  return Number((await opened.notes('count')).get('count') ?? 0)
}

/** The files hold what the notes say: nothing is lost, nothing doubled. Gives the number of commits. */
export async function assertWhole(destination: Destination, folder: string): Promise<number> {
  const opened = await destination.open('shop')
  const count = await countOf(opened)
  const pages = [...(await opened.notes('page/')).keys()]
  await opened.close()
  for (const [name, rows] of tablesAfter(count)) {
    assert.deepEqual(await readRows(join(folder, `${name}.jsonl`)), rows, `${name} after ${count} commits`)
  }
  const firstKept = count === 0 ? 0 : count - 1 - ((count - 1) % 4)
  assert.deepEqual(
    pages,
    Array.from({ length: count - firstKept }, (_, index) => `page/${firstKept + index}`),
  )
  return count
}

async function readRows(path: string): Promise<Row[] | null> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return null
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const row = JSON.parse(line) as Record<string, unknown>
      const { id, at, _turnleaf_run: run, _turnleaf_slice: slice, _turnleaf_page: page } = row
      return { id, at, run, slice, page } as Row
    })
}

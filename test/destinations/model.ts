/** Random commits, the same for the same seed, and what the tables must hold after each: a destination in memory. */
import type {
  Commit,
  TablePage,
  OpenDestination,
  RowsOfSlice,
  Step,
  Table,
} from '../../src/destinations/destination.ts'
import type { JsonRecord } from '../../src/engine/plan/plan.ts'
import { randomFrom } from '../helpers/random.ts'
import { type Place, table } from './behaviours.ts'

const traits = {
  primaryKey: [['id']],
  cursorField: 'at',
  schema: { properties: { time: { type: 'string', format: 'date-time' } } },
}
const tables = [
  table('added', 'append', traits),
  table('replaced', 'overwrite', traits),
  table('merged', 'dedup', traits),
]

/** The commit with this number, from 0. Its note says how many there were with it. */
export function commitOf(seed: number, number: number): Commit {
  const random = randomFrom(seed * 100_000 + number)
  const upTo = (count: number) => Math.floor(random() * count)
  const record = (): JsonRecord => ({
    id: upTo(20) === 0 ? null : upTo(6),
    at: upTo(5) === 0 ? null : upTo(4),
    // Numbers first, then fractions, then anything: columns widen, and new ones come.
    value: number < 2 ? upTo(100) : number < 4 ? upTo(100) + 0.5 : `text ${upTo(100)}`,
    [`since_${number - (number % 3)}`]: true,
    time: number < 3 ? `2024-01-0${1 + upTo(5)}T00:00:00Z` : 'never',
    deep: number < 6 ? { a: [upTo(3)] } : null,
  })
  const page = (): TablePage => ({
    records: Array.from({ length: upTo(4) }, record),
    extractedAt: number,
    run: `run-${upTo(2)}`,
    slice: `slice-${upTo(2)}`,
    page: 1 + upTo(5),
  })
  const rows = (): RowsOfSlice => ({ slice: `slice-${upTo(2)}`, runs: [`run-${upTo(2)}`], fromPage: 1 + upTo(5) })
  const step = (): Step => {
    const of = tables[upTo(tables.length)] as Table
    const kind = upTo(10)
    if (kind < 5) return { kind: 'write', table: of, pages: Array.from({ length: 1 + upTo(3) }, page) }
    if (kind < 7) return { kind: 'rewind', table: of, rows: rows() }
    return kind < 9 ? { kind: 'publish', table: of } : { kind: 'discard', table: of }
  }
  return {
    steps: Array.from({ length: 1 + upTo(4) }, step),
    forget: upTo(4) === 0 ? ['page/'] : [],
    notes: new Map([
      ['count', String(number + 1)],
      [`page/${number}`, 'x'],
    ]),
  }
}

/** Continues from the number in the checkpoints. */
export async function goOn(open: OpenDestination, seed: number, until: number): Promise<void> {
  for (let number = await countOf(open); number < until; number++) await open.commit(commitOf(seed, number))
}

export async function countOf(open: OpenDestination): Promise<number> {
  return Number((await open.notes('count')).get('count') ?? 0)
}

/** The rows of the tables, in a canonical order and form. */
export async function foundIn(place: Pick<Place, 'rows'>): Promise<Readonly<Record<string, readonly string[] | null>>> {
  const found = await Promise.all(tables.map(async ({ name }) => [name, shown(await place.rows(name))] as const))
  return Object.fromEntries(found)
}

/** @param stagesAppended whether rows that are appended wait until they are published, as in files. */
export function expectedAfter(
  seed: number,
  count: number,
  stagesAppended: boolean,
): Readonly<Record<string, readonly string[] | null>> {
  const all = new Map(tables.map(({ name }) => [name, { live: null, staged: null }]))
  for (let number = 0; number < count; number++) {
    for (const step of commitOf(seed, number).steps) take(all.get(step.table.name) as Rows, step, stagesAppended)
  }
  return Object.fromEntries([...all].map(([name, { live }]) => [name, shown(live)]))
}

type Row = JsonRecord
type Rows = { live: readonly Row[] | null; staged: readonly Row[] | null }

function take(rows: Rows, step: Step, stagesAppended: boolean): void {
  const isLive = step.table.mode === 'append' && !stagesAppended
  switch (step.kind) {
    case 'write': {
      const added = step.pages.flatMap((page) => page.records.map((record) => ({ ...record, ...ownOf(page) })))
      if (isLive) rows.live = [...(rows.live ?? []), ...added]
      else rows.staged = [...(rows.staged ?? []), ...added]
      return
    }
    case 'rewind': {
      if (isLive) rows.live = without(rows.live ?? [], step.rows)
      // What was published goes as well, unless it would be replaced or merged into.
      else if (step.table.mode === 'append' && rows.live !== null) rows.live = without(rows.live, step.rows)
      if (!isLive) rows.staged = rows.staged === null ? null : without(rows.staged, step.rows)
      return
    }
    case 'publish': {
      const both = [...(rows.live ?? []), ...(rows.staged ?? [])]
      if (step.table.mode === 'overwrite') rows.live = rows.staged ?? []
      else rows.live = step.table.mode === 'dedup' ? winnersOf(both) : both
      rows.staged = null
      return
    }
    case 'discard':
      rows.staged = null
  }
}

function ownOf({ run, slice, page }: TablePage): Row {
  return { _turnleaf_run: run, _turnleaf_slice: slice, _turnleaf_page: page }
}

function without(rows: readonly Row[], { slice, runs, fromPage }: RowsOfSlice): readonly Row[] {
  return rows.filter(
    (row) =>
      row._turnleaf_slice !== slice ||
      !runs.includes(String(row._turnleaf_run)) ||
      Number(row._turnleaf_page) < fromPage,
  )
}

function winnersOf(rows: readonly Row[]): readonly Row[] {
  const cursor = (row: Row) => (row.at === null ? -1 : Number(row.at))
  return rows.filter(
    (row, place) =>
      row.id === null ||
      !rows.some(
        (rival, rivalPlace) =>
          rival.id === row.id && (cursor(rival) > cursor(row) || (cursor(rival) === cursor(row) && rivalPlace > place)),
      ),
  )
}

/** Without nulls; `value` may have become a text. */
function shown(rows: readonly Row[] | null): readonly string[] | null {
  if (rows === null) return null
  const texts = rows.map((row) =>
    JSON.stringify(
      Object.entries(row)
        .filter(([name, value]) => value !== null && name !== '_turnleaf_extracted_at')
        .map(
          ([name, value]) =>
            `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value as string | number)}`,
        )
        .toSorted(),
    ),
  )
  return texts.toSorted()
}

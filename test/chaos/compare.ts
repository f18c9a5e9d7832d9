/** Two sets of tables → what one of them has lost, and what it has too often. */

/** A row is its JSON text, so that every digit counts. */
export type TableContents = { readonly columns: readonly string[]; readonly rows: readonly string[] }

export type Tables = ReadonlyMap<string, TableContents>

export type Difference = {
  readonly rows: number
  readonly lost: readonly string[]
  /** Duplicate rows. */
  readonly doubled: readonly string[]
  /** Tables and columns that are not as they should be. */
  readonly columns: readonly string[]
}

export function compareTables(actual: Tables, expected: Tables): Difference {
  const names = [...new Set([...expected.keys(), ...actual.keys()])]
  const both = names.map((name) => ({ name, actual: actual.get(name), expected: expected.get(name) }))
  const named = (name: string, rows: readonly string[]) => rows.map((row) => `${name}: ${row}`)
  return {
    rows: [...expected.values()].reduce((sum, { rows }) => sum + rows.length, 0),
    lost: both.flatMap(({ name, actual: has, expected: wants }) => named(name, surplus(wants?.rows, has?.rows))),
    doubled: both.flatMap(({ name, actual: has, expected: wants }) => named(name, surplus(has?.rows, wants?.rows))),
    columns: both.flatMap(({ name, actual: has, expected: wants }) => {
      const [is, should] = [has?.columns.join(', '), wants?.columns.join(', ')]
      return is === should ? [] : [`${name}: ${is ?? 'no table'} instead of ${should ?? 'no table'}`]
    }),
  }
}

export function isSame({ lost, doubled, columns }: Difference): boolean {
  return lost.length + doubled.length + columns.length === 0
}

/** What the first list has more often than the second. */
function surplus(rows: readonly string[] = [], others: readonly string[] = []): string[] {
  const counts = new Map<string, number>()
  for (const row of others) counts.set(row, (counts.get(row) ?? 0) + 1)
  return rows.filter((row) => {
    const left = counts.get(row) ?? 0
    counts.set(row, left - 1)
    return left <= 0
  })
}

/** When a row was read differs from sync to sync, and so do the names of runs: the first is called 1, the next 2. */
export function withoutTimes(tables: Tables): Tables {
  const runs = [...tables.values()].flatMap(({ rows }) => rows.map((row) => runIn.exec(row)?.[1] ?? ''))
  const ordinals = new Map([...new Set(runs)].toSorted().map((run, index) => [run, String(index + 1)]))
  return changed(tables, (run) => ordinals.get(run) ?? '')
}

/** For single tables: which runs there were cannot be seen in them. */
export function withoutRuns(tables: Tables): Tables {
  return changed(tables, () => '')
}

const runIn = /"_turnleaf_run" ?: ?"([^"]*)"/
const extractedAtIn = /"_turnleaf_extracted_at" ?: ?"[^"]*",?/

function changed(tables: Tables, nameOf: (run: string) => string): Tables {
  const plain = (row: string) =>
    row.replace(runIn, (_, run: string) => `"_turnleaf_run":"${nameOf(run)}"`).replace(extractedAtIn, '')
  return new Map([...tables].map(([name, { columns, rows }]) => [name, { columns, rows: rows.map(plain) }]))
}

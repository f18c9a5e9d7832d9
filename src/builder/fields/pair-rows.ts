/** The rows of a table of names and values, among them those that cannot be written yet. */

export type PairRow = {
  /** Stays with the row while its name changes, so that the cursor stays in it. */
  readonly id: number
  /** Its name in the manifest; null while it has none there. */
  readonly key: string | null
  /** The name as it is typed, which may be empty or taken. */
  readonly typed: string
  /** What was typed as its value before it was written. */
  readonly value: string
}

export type PairFault = 'empty' | 'taken'

/** The rows after the manifest's names changed: known ones keep their place in the table, drafts stay at the end. */
export function matchRows(rows: readonly PairRow[], keys: readonly string[]): readonly PairRow[] {
  const written = rows.filter(({ key }) => key !== null)
  if (written.length === keys.length && written.every(({ key }, index) => key === keys[index])) return rows
  const byKey = new Map(written.map((row) => [row.key, row]))
  let id = nextId(rows)
  const matched = keys.map((key) => byKey.get(key) ?? { id: id++, key, typed: key, value: '' })
  return [...matched, ...rows.filter(({ key }) => key === null)]
}

export function withNewRow(rows: readonly PairRow[]): readonly PairRow[] {
  return [...rows, { id: nextId(rows), key: null, typed: '', value: '' }]
}

export function withRow(rows: readonly PairRow[], changed: PairRow): readonly PairRow[] {
  return rows.map((row) => (row.id === changed.id ? changed : row))
}

/** Why a row's name cannot be written; null when it can. */
export function faultOf(rows: readonly PairRow[], { id, key, typed }: PairRow): PairFault | null {
  if (typed === key) return null
  if (typed === '') return 'empty'
  return rows.some((other) => other.id !== id && (other.key === typed || (other.key === null && other.typed === typed)))
    ? 'taken'
    : null
}

export function moved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const item = items[from]
  if (item === undefined || to < 0 || to >= items.length) return items
  return items.toSpliced(from, 1).toSpliced(to, 0, item)
}

function nextId(rows: readonly PairRow[]): number {
  return Math.max(0, ...rows.map(({ id }) => id)) + 1
}

/** How many rows a stream has in its table, and how many are staged. */
import type { TableRows } from '../destination.ts'
import type { Session } from './session.ts'
import type { Tables } from './tables.ts'

export async function countRows({ query }: Session, tables: Tables, stream: string): Promise<TableRows> {
  const known = await tables.of(stream)
  const count = async (place: string) => {
    const [row] = await query(`SELECT count(*)::text AS rows FROM ${place}`)
    return Number(row?.rows ?? 0)
  }
  return {
    published: known.live === null ? 0 : await count(tables.liveName(known)),
    staged: known.staged === null ? 0 : await count(tables.stagedName(known)),
    stagedAs: known.staged === null ? null : tables.stagedLabel(known),
  }
}

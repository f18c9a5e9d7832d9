/** A process of its own that commits numbered pages to three tables until it is killed: `node committer.js URL SCHEMA`. */
import type { Step, Table } from '../../../src/destinations/destination.ts'
import { postgresDestination } from '../../../src/destinations/postgres/postgres.ts'
import { commit, page, publish, table, write } from '../behaviours.ts'

/** Records of a page, and pages of a round: after each the staged tables are published. */
export const pageSize = 50
export const roundSize = 4

const appended = table('appended', 'append')
const overwritten = table('overwritten', 'overwrite')
const merged = table('merged', 'dedup', { primaryKey: [['id']], cursorField: 'at' })

/** Numbers grow into doubles and text, and columns appear, page by page. */
export function recordsOf(number: number): Record<string, unknown>[] {
  return Array.from({ length: pageSize }, (_, part) => ({
    id: (number * 7 + part) % 90,
    at: number,
    number,
    [`column ${number % 30}`]: number % 3 === 0 ? 'text' : number + 0.5,
  }))
}

async function commitForEver(url: string, schema: string): Promise<never> {
  const open = await postgresDestination(url, { schema }).open('shop')
  const last = Number((await open.notes('last')).get('last') ?? 0)
  const rows = { slice: '{}', runs: ['run-1'], fromPage: last + 1 }
  const all: Table[] = [appended, overwritten, merged]
  const rewinds = all.map((one): Step => ({ kind: 'rewind', table: one, rows }))
  for (let number = last + 1; ; number++) {
    const landed = page(recordsOf(number), { page: number })
    const steps = all.map((one) => write(one, landed))
    if (number % roundSize === 0) steps.push(...all.map(publish))
    // Reports that it has begun, so that it can be killed there.
    process.stdout.write('.')
    await open.commit(commit([...(number === last + 1 ? rewinds : []), ...steps], { last: String(number) }))
  }
}

const [, program, url, schema] = process.argv
if (program?.endsWith('committer.js') === true && url !== undefined && schema !== undefined)
  await commitForEver(url, schema)

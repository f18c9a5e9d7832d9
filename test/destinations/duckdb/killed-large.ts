/** Commits large rows to the DuckDB file of the first argument, more than its log may have, and is killed before the rest is in the file. */
import { randomBytes } from 'node:crypto'
import { duckdbDestination } from '../../../src/destinations/duckdb/duckdb.ts'
import { commit, page, table, write } from '../behaviours.ts'

const [file = ''] = process.argv.slice(2)
const notes = table('notes', 'append')
const open = await duckdbDestination(file).open('shop')
for (let count = 0; count < 15; count++) {
  const records = Array.from({ length: 30 }, () => ({ text: randomBytes(100_000).toString('hex') }))
  await open.commit(commit([write(notes, page(records))]))
}
process.kill(process.pid, 'SIGKILL')

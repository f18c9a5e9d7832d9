/** Writes N rows twice in mode `dedup`, and prints seconds of the first and the second merge, and peak resident memory (MB). Run by merges.ts. */
import type { OpenDestination } from '../src/destinations/destination.ts'
import { destinationAt } from '../src/destinations/open-destination.ts'
import { commit, page, publish, table, write } from '../test/destinations/behaviours.ts'

const [to = '', count = '1000000'] = process.argv.slice(2)
const total = Number(count)
const perCommit = 20_000

const orders = table('orders', 'dedup', { primaryKey: [['id']] })
const destination = destinationAt(to)

/** @returns seconds of the merge alone. */
async function syncOnce(run: string): Promise<number> {
  const open = await destination.open('bench')
  for (let first = 0; first < total; first += perCommit) await writeFrom(open, run, first)
  const started = performance.now()
  await open.commit(commit([publish(orders)]))
  const seconds = (performance.now() - started) / 1000
  const rows = await open.count?.(orders)
  if (rows?.published !== total) throw new Error(`${rows?.published} rows instead of ${total}`)
  await open.close()
  return seconds
}

function writeFrom(open: OpenDestination, run: string, first: number): Promise<void> {
  const length = Math.min(perCommit, total - first)
  const records = Array.from({ length }, (_, index) => ({ id: first + index, text: `row ${first + index} of ${run}` }))
  return open.commit(commit([write(orders, page(records, { run, page: first / perCommit + 1 }))]))
}

const [first, second] = [await syncOnce('first'), await syncOnce('second')]
console.log(JSON.stringify({ first, second, resident: process.resourceUsage().maxRSS / 1024 }))

/** What remembering keys and pages costs, per record and per page, without a network. */
import { createLoopGuard } from '../src/engine/pagination/loop-guard.ts'
import { trackKeys } from '../src/proof/keys/track-keys.ts'

const pageSize = 100
const primaryKey = [['id']]

type Spelling = (id: number) => unknown
/** Strings as a decoder makes them: concatenated ones are copied when they are first read. */
const spellings: Record<string, Spelling> = {
  numbers: (id) => id,
  texts: (id) => JSON.parse(`"cus_${id * 7919}_xyzabc"`) as string,
}

/** One page whose records get new keys each time: fresh from the decoder, a page is in the processor's cache as well. */
function pagesOf(spell: Spelling) {
  const note = 'x'.repeat(700)
  const stamp = '2024-05-01T12:34:56.000Z'
  const page = Array.from({ length: pageSize }, (_, row) => ({
    id: spell(row),
    name: `record ${row}`,
    email: `user${row}@example.com`,
    status: 'active',
    amount: row * 1.25,
    created_at: stamp,
    updated_at: stamp,
    tags: ['a', 'b'],
    note,
  }))
  let id = 0
  return () => {
    for (const record of page) record.id = spell(id++)
    return page
  }
}

/** Processor time, which neighbours disturb less than the clock on the wall. */
function cpuNs(work: () => void): number {
  const started = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(started)
  return (user + system) * 1000
}

function times(pages: number, work: (page: number) => void): number {
  return cpuNs(() => {
    for (let page = 1; page <= pages; page++) work(page)
  })
}

function measure(spell: Spelling) {
  const pages = 1900
  const next = pagesOf(spell)
  const bare = times(pages, () => next()) / pages
  const keys = trackKeys({ primaryKey })
  const exact = times(pages, (page) => keys.observe(next(), page)) / pages
  const filtered = times(10 * pages, (page) => keys.observe(next(), page)) / (10 * pages)
  const guard = createLoopGuard({ streamName: 'items', primaryKey, at: { pointer: '' } })
  const guarded = times(pages, (page) => {
    const url = `https://api.invalid/items?offset=${page * pageSize}&limit=${pageSize}`
    guard({ request: { method: 'GET', url, headers: { accept: 'application/json' }, body: null }, received: next() })
  })
  return { exact: exact - bare, filtered: filtered - bare, guard: guarded / pages - bare }
}

export function benchmarkMemory(): void {
  console.log(`remembering keys and pages of ${pageSize} records of 1 KB, best of 5 rounds`)
  for (const [name, spell] of Object.entries(spellings)) {
    const rounds = Array.from({ length: 5 }, () => measure(spell))
    const best = (one: (round: (typeof rounds)[number]) => number) => Math.min(...rounds.map(one))
    const perRecord = (ns: number) => `${(ns / pageSize).toFixed(0)} ns`
    console.log(
      `  keys that are ${name.padEnd(10)}exact ${perRecord(best(({ exact }) => exact))} a record, after the limit ` +
        `${perRecord(best(({ filtered }) => filtered))} a record; loop guard ${(best(({ guard }) => guard) / 1000).toFixed(1)} µs a page`,
    )
  }
}

/** Processes that read from one API with a rate limit: how much of the limit they use, and how often they are refused. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { BudgetTask } from '../destinations/postgres/budget-reader.ts'
import { manifestOf, option } from '../helpers/manifests.ts'
import { freshDatabase } from '../helpers/postgres.ts'
import { serveApi } from '../helpers/serve-api.ts'

const limit = 50
const pagesOfProcess = 300

type Measured = { readonly accepted: number; readonly refused: number; readonly seconds: number }

/** An API that takes `limit` requests in any second and refuses the others. */
async function serveLimited() {
  const accepted: number[] = []
  let refused = 0
  const api = await serveApi({
    'GET /items': () => {
      const now = performance.now()
      if (accepted.filter((at) => at > now - 1000).length >= limit) {
        refused++
        return { status: 429, headers: { 'retry-after': '1' }, text: 'too many' }
      }
      accepted.push(now)
      return { json: { data: [{ id: 1 }] } }
    },
  })
  const measured = (): Measured => ({
    accepted: accepted.length,
    refused,
    seconds: ((accepted.at(-1) ?? 0) - (accepted[0] ?? 0)) / 1000,
  })
  return { ...api, measured }
}

async function measure(processes: number, isShared: boolean): Promise<Measured> {
  await using database = await freshDatabase()
  await using api = await serveLimited()
  const values = Array.from({ length: pagesOfProcess }, (_, number) => `shop ${number}`)
  const request_option = option('request_parameter', 'shop')
  const partition_router = { type: 'ListPartitionRouter', values, cursor_field: 'shop', request_option }
  const rates = [{ type: 'Rate', limit, interval: 'PT1S' }]
  const manifest = {
    ...manifestOf({ url: api.url, retriever: { partition_router } }),
    api_budget: { type: 'HTTPAPIBudget', policies: [{ type: 'MovingWindowCallRatePolicy', rates, matchers: [] }] },
  }
  const task: BudgetTask = { manifest, url: database.url, schema: 'public', isShared }
  const program = fileURLToPath(new URL('../destinations/postgres/budget-reader.js', import.meta.url))
  const children = Array.from({ length: processes }, () =>
    spawn(process.execPath, [program, JSON.stringify(task)], { stdio: 'inherit' }),
  )
  await Promise.all(children.map((child) => once(child, 'exit')))
  return api.measured()
}

/** `refused`: requests within the shared budget; there must be none. */
export async function measureBudget(): Promise<{ readonly table: string; readonly refused: number }> {
  const rows: string[] = []
  let refusedInShared = 0
  for (const [processes, isShared] of [
    [2, true],
    [4, true],
    [2, false],
  ] as const) {
    const { accepted, refused, seconds } = await measure(processes, isShared)
    if (isShared) refusedInShared += refused
    const part = accepted / seconds / limit
    rows.push(`| ${processes} | ${isShared ? 'shared' : 'of each'} | ${accepted} | ${refused} | ${part.toFixed(2)} |`)
  }
  const head =
    '| processes | budget | accepted | refused | of the allowed rate |\n| ---: | --- | ---: | ---: | ---: |\n'
  return { table: `${head}${rows.join('\n')}\n`, refused: refusedInShared }
}

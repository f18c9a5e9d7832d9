/** Measures how the records of a test scroll: `node scripts/measure-scroll.js`. Prints, and asserts nothing. */
import { serveApi } from '../helpers/serve-api.ts'
import { startBuilder } from './browser.ts'
import { giveKey, offsetManifest, panelOf, saveManifest, statusOf } from './panel-story.ts'

const records = 100_000
const pageSize = 1000

await using builder = await startBuilder()
await using api = await serveApi({
  'GET /orders': (query) => {
    const from = Number(query.get('offset') ?? 0)
    const ids = Array.from({ length: Math.max(0, Math.min(pageSize, records - from)) }, (_, index) => from + index)
    const row = (id: number) => ({ id, name: `Order ${id}`, amount: id / 7, note: 'n'.repeat(80), tags: ['a', 'b'] })
    return { json: { data: ids.map(row) } }
  },
})
saveManifest(builder.home, 'shop', offsetManifest(api.url, { orders: { pageSize } }))
const { page } = await builder.open('/connectors/shop')
page.setDefaultTimeout(120_000)
const panel = panelOf(page)
await panel.getByRole('button', { name: 'up to 5 pages' }).click()
await panel.getByLabel('Pages per slice').fill('200')
await panel.getByLabel('Records', { exact: true }).fill('1000000')
await giveKey(page)
await statusOf(page)
  .getByText(/^Read to the end.*100,000 records/)
  .waitFor()
await panel.getByRole('button', { name: 'All pages' }).click()
await panel.getByText('100,000 records', { exact: true }).waitFor()

/** What blocked the main thread for more than 50 ms while `work` ran. */
async function longTasks(title: string, work: () => Promise<unknown>): Promise<void> {
  await page.evaluate(`{
    globalThis.blocked = []
    globalThis.watching = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) blocked.push(Math.round(duration))
    })
    watching.observe({ type: 'longtask' })
  }`)
  await work()
  await page.waitForTimeout(500)
  const blocked = (await page.evaluate('watching.disconnect(), blocked')) as number[]
  process.stdout.write(
    `${title}: ${blocked.length} tasks over 50 ms${blocked.length > 0 ? ` (${blocked.join(', ')} ms)` : ''}\n`,
  )
}

const scroll = `(async () => {
  const grid = document.querySelector('[role="grid"]')
  const frames = 300
  for (let frame = 0; frame <= frames; frame++) {
    grid.scrollTop = (grid.scrollHeight * frame) / frames
    await new Promise(requestAnimationFrame)
  }
})()`
await longTasks('scroll over 100,000 records', () => page.evaluate(scroll))
await longTasks('search in 100,000 records', async () => {
  await panel.getByLabel('Search all records').fill('order 999')
  await panel.getByText(/^[\d,]+ of 100,000$/).waitFor()
})
await builder.closeTabs()
await builder.browser.close()

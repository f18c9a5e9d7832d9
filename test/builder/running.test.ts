/** A connector run from its page in a real browser: destinations, schedules, past runs, runs of others, held rows. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { loadManifest } from '../../src/connector/load-manifest.ts'
import { sync } from '../../src/sync/sync.ts'
import { freshDatabase } from '../helpers/postgres.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { until } from '../helpers/until.ts'
import { assertAccessible, assertFits, assertReadable } from '../helpers/axe.ts'
import { hasValue } from '../helpers/has-value.ts'
import { noBrowser, type RunningBuilder, startBuilder } from './browser.ts'
import { writeConnector } from './manifests.ts'

const manifest = (url: string) => `version: 6.0.0
type: DeclarativeSource
check: { type: CheckStream, stream_names: [orders] }
streams:
  - type: DeclarativeStream
    name: orders
    primary_key: id
    schema_loader: { type: InlineSchemaLoader, schema: { type: object, properties: {} } }
    retriever:
      type: SimpleRetriever
      requester:
        type: HttpRequester
        url_base: ${url}
        path: /orders
        http_method: GET
        authenticator: { type: BearerAuthenticator, api_token: "{{ config['api_key'] }}" }
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [data] } }
      paginator:
        type: DefaultPaginator
        pagination_strategy: { type: OffsetIncrement, page_size: 3000 }
        page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: offset }
spec:
  type: Spec
  connection_specification:
    type: object
    required: [api_key]
    properties: { api_key: { type: string, title: API key, airbyte_secret: true } }
`

/** Pages of 3,000 orders, of which two are a commit. The third can be held back. */
async function openShop() {
  const shop = { size: 7500, gate: null as Promise<void> | null, open: () => {} }
  const api = await serveApi({
    'GET /orders': async (query) => {
      const offset = Number(query.get('offset') ?? 0)
      if (offset >= 6000) await shop.gate
      const length = Math.max(0, Math.min(3000, shop.size - offset))
      return { json: { data: Array.from({ length }, (_, index) => ({ id: offset + index })) } }
    },
  })
  return Object.assign(shop, {
    url: api.url,
    close() {
      shop.gate = new Promise((resolve) => {
        shop.open = resolve
      })
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  })
}

const secret = 'sesame-open-7'

describe('a connector, run from its page', { skip: noBrowser }, () => {
  let builder: RunningBuilder
  before(async () => {
    builder = await startBuilder()
  })
  afterEach(() => builder.closeTabs())
  after(() => builder[Symbol.asyncDispose]())

  const button = (page: Page, name: string) => page.locator('.sync-page').getByRole('button', { name, exact: true })
  const runs = (page: Page) => page.getByRole('region', { name: 'Runs' }).locator('.run-table tbody tr:not(.receipts)')

  async function opened(name: string, url: string) {
    writeConnector(builder.home, name, manifest(url))
    return builder.open(`/connectors/${name}?part=.sync`, { viewport: { width: 1440, height: 900 } })
  }

  /** The input that is needed, and the sync that was waiting for it. */
  async function giveKey(page: Page): Promise<void> {
    await page.getByLabel('API key').fill(secret)
    await page.keyboard.press('Enter')
  }

  test('into a folder, with modes and a requirement; held, accepted, scheduled, and followed from another tab', async () => {
    await using shop = await openShop()
    const { page, complaints } = await opened('shop', shop.url)
    await page.getByText('None yet. A sync adds the first one.').waitFor()
    await page.getByText('This connector runs when you start it.').waitFor()
    await page
      .getByText('None yet. The first sync into the database of this server creates one for each stream.')
      .waitFor()
    await page.getByLabel('Destination').selectOption('JSONL folder')
    await page.getByText(`A path in ${builder.home}, the folder of the server.`).waitFor()
    await page.getByLabel('Folder').fill('../outside')
    await giveKey(page)
    await page.getByText(`is not a path in ${builder.home}`).waitFor()
    await page.getByLabel('Folder').fill('data/orders-of-shop')
    await button(page, 'Sync').click()
    await page.getByText('7,500 records of 1 stream written').waitFor()
    assert.equal(lines(builder.home, 'data/orders-of-shop/orders.jsonl'), 7500)

    await page.getByText('Modes: automatic').click()
    await page.getByLabel('Mode of orders').selectOption('Full refresh, append')
    await page.getByText('Modes: 1 of 1 set').waitFor()
    await button(page, 'Sync').click()
    await runs(page).nth(1).waitFor()
    await page.getByText('7,500 records of 1 stream written').waitFor()
    assert.equal(lines(builder.home, 'data/orders-of-shop/orders.jsonl'), 15_000)
    await page.getByRole('img', { name: /^2 runs, up to 7,500 records and / }).waitFor()
    const starts = await runs(page).locator('time').allTextContents()
    const haveSeconds = starts.every((start) => /:\d\d:\d\d/.test(start))
    assert.ok(haveSeconds || new Set(starts).size === starts.length, starts.join(', '))

    await page.getByLabel('Mode of orders').selectOption('Automatic')
    await page.getByLabel('Required verdict').selectOption('Complete')
    shop.size = 200
    await button(page, 'Sync').click()
    const box = page.getByRole('region', { name: 'orders was held' })
    await box.getByText(/^Why: .* a complete one is required/).waitFor()
    assert.deepEqual(await box.getByRole('definition').allTextContents(), ['15,000 rows', '200 rows'])
    await runs(page).nth(2).waitFor()
    await runs(page).first().getByText('held').waitFor()
    await runs(page).first().getByRole('button').click()
    await page.getByText(/Held: 15,000 rows in the table, 200 read/).waitFor()
    await assertReadable(page, 'held rows, runs and their plot', [390, 1440])
    await box.getByRole('button', { name: 'Accept' }).click()
    await box.getByRole('button', { name: 'Replace the table' }).click()
    await page.getByText('orders was published: 15,000 → 200 rows').waitFor()
    assert.equal(lines(builder.home, 'data/orders-of-shop/orders.jsonl'), 200)

    await page.getByLabel('Required verdict').selectOption('Complete or not verified')
    await button(page, 'Add schedule').click()
    const form = page.getByRole('form', { name: 'New schedule' })
    await form.getByLabel('When').selectOption('By a cron expression')
    await form.getByLabel('Cron').fill('0 25 * * *')
    await form.getByLabel('Secrets').selectOption('Store them in files of the connection')
    await assertAccessible(page, 'the form of a schedule')
    await button(page, 'Save schedule').click()
    await form.getByRole('alert').waitFor()
    await form.getByLabel('Cron').fill('0 6 * * *')
    await button(page, 'Save schedule').click()
    const row = page.getByRole('listitem', { name: 'Schedule of shop' })
    await row.getByText('0 6 * * * UTC').waitFor()
    await row.getByText(/^Next run in /).waitFor()
    await page.getByText('Nothing starts the runs now: run npx turnleaf serve with this workspace.').waitFor()
    assert.equal(readFileSync(join(builder.home, 'connections/shop/secrets/api_key'), 'utf8'), `${secret}\n`)
    await row.getByRole('button', { name: 'Pause' }).click()
    await row.getByText(/^Paused/).waitFor()
    await row.getByRole('button', { name: 'Resume' }).click()
    await row.getByText(/^Next run in /).waitFor()

    // What a schedule starts is followed here like a sync of this page, and so is one of another tab.
    shop.size = 7500
    shop.close()
    await row.getByRole('button', { name: 'Run now' }).click()
    await page.getByText('Reading, 0 of 1 stream done').waitFor()
    await runs(page).first().getByText('running').waitFor()
    shop.open()
    await page.getByText('7,500 records of 1 stream written').waitFor()
    assert.equal(lines(builder.home, 'data/orders-of-shop/orders.jsonl'), 7500)
    shop.close()
    const started = await fetch(`${builder.url}/v1/syncs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ connector: 'shop', config: { api_key: secret } }),
    })
    assert.equal(started.status, 201)
    await page.getByText('Reading, 0 of 1 stream done').waitFor()
    await button(page, 'Cancel').click()
    shop.open()
    await page.getByText(/^Interrupted. What was read is kept/).waitFor()

    await row.getByRole('button', { name: 'Delete', exact: true }).click()
    await row.getByRole('button', { name: 'Delete schedule' }).click()
    await page.getByText('This connector runs when you start it.').waitFor()
    assert.ok(existsSync(join(builder.home, 'connections/shop/connection.yaml')))

    // The list says how each connector did; those that never ran say nothing.
    writeConnector(builder.home, 'never', manifest(shop.url))
    await page.goto(`${builder.url}/`)
    await page.getByRole('link', { name: /^shop .*last run interrupted just now changed / }).waitFor()
    assert.equal(
      await page
        .getByRole('link', { name: /^never/ })
        .locator('.last-run')
        .textContent(),
      '',
    )
    await assertAccessible(page, 'the list with last runs')
    await page.setViewportSize({ width: 390, height: 900 })
    await assertFits(page, 'the list at 390')
    assert.ok(
      await page.locator('.last-run .label').first().isVisible(),
      'times have labels where there are no headings',
    )
    const refusals = complaints.filter((one) => one.includes('422'))
    assert.deepEqual([refusals.length, complaints.length], [2, 2], 'the path outside, and the wrong cron expression')
  })

  test('into Postgres by a typed address that is never shown again; a run of another process is seen as it commits', async () => {
    await using database = await freshDatabase()
    await using shop = await openShop()
    const { page, complaints } = await opened('warehouse', shop.url)
    await page.getByLabel('Destination').selectOption('Postgres')
    await page.getByText('The name of the environment variable is missing.').waitFor()
    assert.equal(await button(page, 'Sync').getAttribute('aria-disabled'), 'true')
    await page.getByLabel('Address from').selectOption('Typed here')
    await page.getByLabel('Address', { exact: true }).fill(database.url)
    await giveKey(page)
    await page.getByText('7,500 records of 1 stream written').waitFor()
    const count = async () => (await database.query('select count(*)::int as n from warehouse.orders'))[0]?.n
    assert.equal(await count(), 7500)
    const stored = String(await page.evaluate('JSON.stringify(localStorage)'))
    assert.ok(stored.includes('postgres') && !stored.includes('postgres://'), stored)

    shop.close()
    const elsewhere = sync(loadManifest(manifest(shop.url)), {
      config: { api_key: secret },
      to: database.url,
      schema: 'warehouse',
      connection: 'warehouse',
      prefetch: 'off',
    })
    const box = page.getByRole('region', { name: 'A run of another process' })
    await box.getByText('orders: 6,000 records of 2 pages committed').waitFor()
    await assertAccessible(page, 'with a run of another process')
    shop.open()
    await elsewhere
    await box.waitFor({ state: 'detached' })
    await until('both runs are listed', async () => (await runs(page).count()) === 2)
    await page.reload()
    await page.getByLabel('Address', { exact: true }).waitFor()
    await hasValue(page.getByLabel('Address', { exact: true }), '')
    assert.deepEqual(complaints, [])
  })

  test('with the keyboard alone: from nothing to a connector that was tested, synced and scheduled', async () => {
    await using fresh = await startBuilder()
    await using api = await serveApi({ 'GET /orders': () => ({ json: [{ id: 1 }, { id: 2 }, { id: 3 }] }) })
    const { page, complaints } = await fresh.open('/', { viewport: { width: 1440, height: 900 } })
    await page.getByRole('heading', { name: 'Make a connector' }).waitFor()
    await press(page, page.getByRole('button', { name: 'Paste a cURL' }))
    await page.getByLabel('cURL command').waitFor()
    await page.keyboard.insertText(`curl '${api.url}/orders'`)
    const name = page.getByLabel('Name', { exact: true })
    await tabTo(page, name)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('orders-api')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Sync', exact: true }).waitFor()
    await page.keyboard.press('ControlOrMeta+Enter')
    await page
      .getByText(/3 records/)
      .first()
      .waitFor()
    await press(page, page.getByRole('link', { name: 'Sync', exact: true }))
    await page.getByRole('heading', { name: 'Sync', exact: true }).waitFor()
    await tabTo(page, page.getByLabel('Destination'))
    await page.keyboard.type('DuckDB file')
    await page.getByLabel('File').waitFor()
    await press(page, button(page, 'Sync'))
    await page.getByText('3 records of 1 stream written').waitFor()
    await press(page, button(page, 'Add schedule'))
    const form = page.getByRole('form', { name: 'New schedule' })
    await tabTo(page, form.getByLabel('Every'))
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('30')
    await page.keyboard.press('Tab')
    await page.keyboard.type('minutes')
    await page.keyboard.press('Enter')
    await press(page, button(page, 'Save schedule'))
    await page.getByRole('listitem', { name: 'Schedule of orders-api' }).getByText('every 30 minutes').waitFor()
    assert.ok(existsSync(join(fresh.home, 'orders-api.duckdb')))
    assert.match(readFileSync(join(fresh.home, 'connections/orders-api/connection.yaml'), 'utf8'), /every: 30m/)
    assert.deepEqual(complaints, [])
  })
})

function lines(home: string, path: string): number {
  return readFileSync(join(home, path), 'utf8').split('\n').length - 1
}

/** With Tab alone, as far as a page may be long. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let presses = 0; presses < 120; presses++) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return
    await page.keyboard.press('Tab')
  }
  throw new Error('The keyboard does not get there.')
}

async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

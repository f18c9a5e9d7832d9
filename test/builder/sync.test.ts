/** The sync page in a real browser: a real database, the real lab, and APIs that hold or refuse. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sampleText } from '../../src/server/sample.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { assertAccessible, assertReadable } from '../helpers/axe.ts'
import { hasValue } from '../helpers/has-value.ts'
import { noBrowser, type RunningBuilder, startBuilder } from './browser.ts'
import { readConnector, smallManifest, writeConnector } from './manifests.ts'

describe('the sync page', { skip: noBrowser }, () => {
  let builder: RunningBuilder
  before(async () => {
    builder = await startBuilder()
  })
  afterEach(() => builder.closeTabs())
  after(() => builder[Symbol.asyncDispose]())

  const opened = async (name: string, text: string, options = {}) => {
    writeConnector(builder.home, name, namedFor(name, text))
    const tab = await builder.open(`/connectors/${name}?part=.sync`, options)
    await tab.page.getByRole('heading', { name: 'Sync', exact: true }).waitFor()
    return tab
  }

  test('lands the sample, says what proves it, and answers how many records there are', async () => {
    const { page, complaints } = await opened('sample', sampleText(builder.lab))
    await page
      .getByText('None yet. The first sync into the database of this server creates one for each stream.')
      .waitFor()
    await button(page, 'Sync').click()
    await page.getByText('1,000 records of 4 streams written').waitFor()
    assert.deepEqual(await cellsOf(page, 'customers'), ['250', '5', 'short page', 'complete (total 250)'])

    await page.getByRole('button', { name: 'sample.customers 250 rows' }).click()
    await hasValue(page.getByLabel('SQL'), 'select * from "sample"."customers" limit 100')
    await page.getByText(/^100 rows/).waitFor()
    await page.getByLabel('Columns').getByText('email').waitFor()
    await ask(page, 'select count(*) as n, max(big_id) as big from sample.customers')
    await page.getByText(/^1 row,/).waitFor()
    const [n, big] = await page.getByRole('gridcell').allTextContents()
    assert.equal(n, '250')
    assert.match(big ?? '', /^\d{19}$/, 'every digit')
    assert.deepEqual(complaints, [])
  })

  test('is reached from the header, and fits and can be read on every screen and in both themes', async () => {
    writeConnector(builder.home, 'looks', namedFor('looks', sampleText(builder.lab)))
    const { page, complaints } = await builder.open('/connectors/looks')
    await page.getByRole('link', { name: 'Sync', exact: true }).click()
    await page.getByRole('heading', { name: 'Sync', exact: true }).waitFor()
    await page.setViewportSize({ width: 390, height: 900 })
    await page.goto(`${builder.url}/connectors/looks`)
    await page.getByRole('button', { name: 'looks', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Sync' }).click()
    await button(page, 'Sync').click()
    await page.getByRole('status').filter({ hasText: '1,000 records of 4 streams written' }).waitFor()
    await page.getByRole('button', { name: 'looks.looks_orders 250 rows' }).click()
    await page.getByText(/^100 rows/).waitFor()
    await assertReadable(page, 'the sync page', [390, 800, 1440])
    assert.deepEqual(complaints, [])
  })

  test('lists the tables of a sync that ends before the first list has come', async () => {
    const { page } = await builder.open('/')
    writeConnector(builder.home, 'early', namedFor('early', sampleText(builder.lab)))
    let letGo = () => {}
    const over = new Promise<void>((resolve) => (letGo = resolve))
    let isFirst = true
    await page.route('**/v1/tables', async (route) => {
      const response = await route.fetch()
      if (isFirst) {
        isFirst = false
        await over
      }
      // The page may have given the first one up.
      await route.fulfill({ response }).catch(() => {})
    })
    await page.goto(`${builder.url}/connectors/early?part=.sync`)
    await button(page, 'Sync').click()
    await page.getByRole('status').filter({ hasText: '1,000 records of 4 streams written' }).waitFor()
    letGo()
    await page.getByRole('button', { name: 'early.early_orders 250 rows' }).waitFor()
  })

  test('syncs the chosen streams only, and the changes once they are saved', async () => {
    const { page, complaints } = await opened('choosing', sampleText(builder.lab))
    await page.getByRole('checkbox', { name: 'All streams' }).uncheck()
    assert.equal(await button(page, 'Sync').getAttribute('aria-disabled'), 'true')
    await page.getByRole('checkbox', { name: 'choosing_orders', exact: true }).check()
    await button(page, 'Sync').click()
    await page.getByText('250 records of 1 stream written').waitFor()
    assert.deepEqual(await cellsOf(page, 'choosing_reviews'), ['', '', ''])

    await page.getByRole('button', { name: 'YAML', exact: true }).click()
    await page.locator('.cm-content').click()
    await page.keyboard.press('ControlOrMeta+Home')
    await page.keyboard.type('# typed\n')
    await page.getByRole('button', { name: 'Form', exact: true }).click()
    await page.getByText('There are unsaved changes. A sync reads the version that was saved last.').waitFor()
    await button(page, 'Sync the saved version').waitFor()
    await page.getByRole('checkbox', { name: 'Start fresh' }).check()
    await button(page, 'Save and sync').click()
    await page.getByText('1,000 records of 4 streams written').waitFor()
    assert.match(readConnector(builder.home, 'choosing'), /^# typed/)
    assert.deepEqual(complaints, [])
  })

  test('saves and syncs the first stream, which the saved version does not have', async () => {
    await using shop = await serveApi({ 'GET /orders': () => ({ json: [{ id: 1 }, { id: 2 }] }) })
    const { page, complaints } = await opened('first', smallManifest(shop.url, []))
    await page.getByText('There is no stream yet. Add one to sync it.').waitFor()
    await page.getByRole('button', { name: 'Add a stream' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('orders')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('link', { name: 'Sync', exact: true }).click()
    await page.getByRole('checkbox', { name: 'orders' }).waitFor()
    assert.equal(await button(page, 'Sync the saved version').getAttribute('aria-disabled'), 'true')
    await button(page, 'Save and sync').click()
    await page.getByText('2 records of 1 stream written').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('reads the chosen streams of the version that is synced, saved or not', async () => {
    const data = [{ id: 1 }, { id: 2 }]
    await using shop = await serveApi({
      'GET /orders': () => ({ json: { data } }),
      'GET /customers': () => ({ json: { data } }),
      'GET /items': () => ({ json: data }),
    })
    const { page, complaints } = await opened('versions', smallManifest(shop.url, ['orders', 'customers']))
    await page.getByRole('button', { name: 'Add a stream' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('items')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('link', { name: 'Sync', exact: true }).click()
    await page.getByRole('checkbox', { name: 'customers' }).uncheck()
    await button(page, 'Sync the saved version').click()
    await page.getByText('2 records of 1 stream written').waitFor()
    await button(page, 'Save and sync').click()
    await page.getByText('4 records of 2 streams written').waitFor()
    assert.deepEqual([...new Set(shop.asked)].toSorted(), ['GET /items', 'GET /orders'])
    assert.deepEqual(complaints, [])
  })

  test('resumes after a cancel, and is found again after a reload', async () => {
    let release: (() => void) | null = null
    await using shop = await serveApi({
      'GET /offset': async (query) => {
        const offset = Number(query.get('offset') ?? 0)
        if (offset === 180 && release === null) await new Promise<void>((resolve) => (release = resolve))
        const length = offset < 240 ? 60 : 7
        return { json: { data: Array.from({ length }, (_, index) => ({ id: offset + index })) } }
      },
    })
    const { page, complaints } = await opened('held', onlyCustomers(sampleText(shop.url)))
    await button(page, 'Sync').click()
    await page.locator('.stream-table').getByRole('cell', { name: '180', exact: true }).waitFor()
    await page.reload()
    await page.getByText('Reading, 0 of 1 stream done').waitFor()
    await page.locator('.stream-table').getByRole('cell', { name: '180', exact: true }).waitFor()
    await assertAccessible(page, 'while it reads')
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByText(/^Interrupted. What was read is kept/).waitFor()
    assert.match((await cellsOf(page, 'held_customers')).join(' '), /^180 3 interrupted/)
    ;(release as (() => void) | null)?.()
    const askedBefore = shop.asked.length
    await button(page, 'Sync').click()
    await page.getByText('247 records of 1 stream written').waitFor()
    // The last page that is kept shows that nothing moved.
    assert.match(shop.asked[askedBefore] ?? '', /offset=120/, 'not from the beginning')
    assert.deepEqual(complaints, [])
  })

  test('says which stream failed, why, and what to do; the others land', async () => {
    await using shop = await serveApi({
      'GET /offset': () => ({ json: { data: [{ id: 1 }] } }),
      'GET /page': () => ({ status: 401, json: { error: 'not for you' } }),
      'GET /cursor': () => ({ json: { data: [{ id: 1 }], meta: { next_token: null } } }),
      'GET /link': () => ({ json: [{ id: 1 }] }),
    })
    const { page, complaints } = await opened('failing', sampleText(shop.url))
    await button(page, 'Sync').click()
    await page.getByText(/^1 of 4 streams failed/).waitFor()
    const why = page.getByRole('alert', { name: 'Why failing_orders failed' })
    assert.match((await why.textContent()) ?? '', /401/)
    assert.match((await why.textContent()) ?? '', /Check the authentication method and the values of its inputs\./)
    assert.doesNotMatch((await why.textContent()) ?? '', /`/)
    assert.match((await cellsOf(page, 'failing_orders')).join(' '), /failed: /)
    assert.equal((await cellsOf(page, 'failing_reviews'))[0], '1')
    await assertAccessible(page, 'with a failure')
    assert.deepEqual(complaints, [])
  })

  test('many streams that fail leave the table where it is', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `part_${index}`)
    const refused = names.map((name) => [`GET /${name}`, () => ({ status: 404, json: {} })] as const)
    await using shop = await serveApi(Object.fromEntries(refused))
    const { page, complaints } = await opened('many-failing', smallManifest(shop.url, names))
    const table = page.locator('.stream-table')
    await button(page, 'Sync').click()
    await page.getByText(/^8 of 8 streams failed/).waitFor()
    const reasons = page.getByRole('alert', { name: /^Why part_/ })
    await reasons.first().waitFor()
    const [tableBox, reasonBox] = [await table.boundingBox(), await reasons.first().boundingBox()]
    assert.ok((tableBox?.y ?? 0) + (tableBox?.height ?? 0) <= (reasonBox?.y ?? 0), 'reasons are below the table')
    assert.equal(await reasons.count(), 3)
    await page.getByText('5 more reasons').click()
    assert.equal(await reasons.count(), 8)
    await assertAccessible(page, 'with many failures')
    assert.deepEqual(complaints, [])
  })

  test('shows a table that was not replaced, with the rows that came, and publishes them once confirmed', async () => {
    let size = 250
    await using shop = await serveApi({
      'GET /offset': (query) => {
        const offset = Number(query.get('offset') ?? 0)
        const length = Math.max(0, Math.min(60, size - offset))
        return { json: { data: Array.from({ length }, (_, index) => ({ id: offset + index })) } }
      },
    })
    const stream = 'gated_customers'
    const { page, complaints } = await opened('gated', onlyCustomers(sampleText(shop.url)), {
      viewport: { width: 390, height: 900 },
    })
    await button(page, 'Sync').click()
    await page.getByText('250 records of 1 stream written').waitFor()
    size = 100
    await button(page, 'Sync').click()
    await page.getByText('1 of 1 stream held', { exact: true }).waitFor()
    const box = page.getByRole('region', { name: `${stream} was held` })
    await box.getByText('its table was not changed').waitFor()
    const figures = await box.getByRole('definition').allTextContents()
    assert.deepEqual(figures, ['250 rows', '100 rows'])
    await box.getByText(/^Why: the read is not verified .* less than half/).waitFor()
    await assertReadable(page, 'what was held', [1440, 390])

    // Held rows are in the database, not in the tab or the memory of the server.
    await page.reload()
    await box.getByRole('button', { name: 'Query staged rows' }).click()
    await page.getByText(/^100 rows, /).waitFor()
    assert.equal(
      await page.getByLabel('SQL').inputValue(),
      `select * from "gated"."_turnleaf_staged_${stream}" limit 100`,
    )
    await box.getByRole('button', { name: 'Accept' }).click()
    await box.getByText(`Replace the 250 rows of ${stream} with 100?`).waitFor()
    await assertReadable(page, 'before publishing', [1440, 390])
    await box.getByRole('button', { name: 'Keep the table' }).click()
    await box.getByRole('button', { name: 'Accept' }).click()
    await box.getByRole('button', { name: 'Replace the table' }).click()
    await page.getByText(`${stream} was published: 250 → 100 rows`).waitFor()
    await page.getByText('1 of 1 stream held, and published since').waitFor()
    await box.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: `gated.${stream} 100 rows` }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('a manifest that cannot be read is said before anything is asked of the API', async () => {
    const { page } = await opened('broken', sampleText(builder.lab).replace('type: OffsetIncrement', 'type: Offsets'))
    await button(page, 'Sync').click()
    await page.getByText('The sync did not start').waitFor()
    await page.getByRole('alert', { name: 'What went wrong' }).getByText('Offsets').first().waitFor()
  })

  test('answers by keyboard, keeps every value in the CSV, and says what SQL is refused', async () => {
    const { page } = await opened('asking', onlyCustomers(sampleText(builder.lab)), {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await ask(page, `select 9223372036854775807 as "big", 'a, "b"' as "text", null as "none", 2 as "10", 1 as "9"`)
    await page.getByText(/^1 row,/).waitFor()
    assert.deepEqual(await page.getByRole('gridcell').allTextContents(), [
      '9223372036854775807',
      'a, "b"',
      'null',
      '2',
      '1',
    ])
    assert.deepEqual(await page.getByLabel('Test', { exact: true }).count(), 0, 'the key tests no stream here')
    await page.getByRole('button', { name: 'Copy as CSV' }).click()
    await page.locator('[aria-live]', { hasText: 'Copied' }).waitFor({ state: 'attached' })
    assert.equal(
      await page.evaluate('navigator.clipboard.readText()'),
      'big,text,none,10,9\r\n9223372036854775807,"a, ""b""",,2,1\r\n',
    )
    await ask(page, 'select * from range(3000)')
    await page.getByText(/^The first 1,000 rows; there are more/).waitFor()
    await page.getByRole('grid').focus()
    await page.keyboard.press('ControlOrMeta+ArrowDown')
    await page.getByRole('gridcell', { name: '999', exact: true }).waitFor()
    await ask(page, 'select 1 where false')
    await page.getByText(/^No rows/).waitFor()
    for (const sql of [`select * from read_csv('/etc/passwd')`, 'drop table sample', 'select from from']) {
      await ask(page, sql)
      await page.locator('.query-result').getByRole('alert').waitFor()
      assert.doesNotMatch((await page.locator('.query-result').textContent()) ?? '', /root:/)
      await page.getByLabel('SQL').fill('select 1')
    }
    await assertAccessible(page, 'with a refusal')
  })
})

const button = (page: Page, name: string) => page.locator('.sync-page').getByRole('button', { name, exact: true })

async function ask(page: Page, sql: string): Promise<void> {
  await page.getByLabel('SQL').fill(sql)
  await page.keyboard.press('ControlOrMeta+Enter')
}

/** What the row of a stream says, without the rate, which varies. */
async function cellsOf(page: Page, stream: string): Promise<string[]> {
  const box = page.getByRole('checkbox', { name: stream, exact: true })
  const [records = '', pages = '', , ...rest] = await page
    .getByRole('row')
    .filter({ has: box })
    .getByRole('cell')
    .allTextContents()
  return [records, pages, ...rest]
}

/** Connectors share the database: streams of one have names that no other has. */
function namedFor(connector: string, text: string): string {
  return connector === 'sample'
    ? text
    : text.replaceAll(/\bname: (customers|orders|payments|reviews)$/gm, `name: ${connector}_$1`)
}

/** The sample with the first of its streams. */
function onlyCustomers(text: string): string {
  return text.replace(/ {2}# Page Increment[\s\S]*(?=\nspec:)/, '')
}

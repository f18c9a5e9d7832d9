/**
 * The test panel in a real browser: run, watch, cancel, look at every page, and never see a secret. The longest list and the
 * largest page are a quarter of those of `npm run test:proof`.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, afterEach, before, describe, test } from 'node:test'
import { partOf } from '../helpers/proof.ts'
import { type ServedApi, serveApi } from '../helpers/serve-api.ts'
import { startApi } from '../server/start-api.ts'
import { testServices } from '../server/services.ts'
import { noBrowser, type RunningBuilder, startBuilder } from './browser.ts'
import { assertReadable } from '../helpers/axe.ts'
import { giveKey, offsetManifest, panelOf, rowsOf, saveManifest, statusOf } from './panel-story.ts'

const orders = Array.from({ length: 5 }, (_, index) => ({ id: index, name: `Order ${index}`, tags: ['a'] }))
const hugeCount = partOf(250_000)
const pageCount = partOf(1000)
const hugeText = () => {
  const records = Array.from({ length: hugeCount }, (_, id) => {
    return { id, note: id === hugeCount - 1 ? 'the very last' : 'x'.repeat(170) }
  })
  return JSON.stringify({ data: records })
}
const paged = (query: URLSearchParams) => {
  const from = Number(query.get('offset') ?? 0)
  return { json: { total: orders.length, data: orders.slice(from, from + Number(query.get('limit'))) } }
}

describe('the test panel', { skip: noBrowser }, () => {
  let builder: RunningBuilder
  let api: ServedApi
  let limitedTries = 0
  let busyTries = 0
  let seeNextTry = () => {}
  const nextTryIsSeen = new Promise<void>((resolve) => void (seeNextTry = resolve))
  const hangingUp: Promise<unknown>[] = []

  before(async () => {
    builder = await startBuilder()
    api = await serveApi({
      'GET /orders': paged,
      'GET /others': paged,
      'GET /shops': paged,
      'GET /exact': () => ({
        text: '{"data": [{"id": 90071992547409931, "rate": 0.1234567890123456789, "__proto__": "odd"}]}',
      }),
      'GET /fat': () => ({ json: { data: [{ id: 7, blob: 'A'.repeat(700_000) }] } }),
      'GET /endless': (query) => ({
        json: { data: Array.from({ length: 2 }, (_, index) => ({ id: Number(query.get('offset') ?? 0) + index })) },
      }),
      'GET /huge': () => ({ headers: { 'content-type': 'application/json' }, text: hugeText() }),
      'GET /html': () => ({ headers: { 'content-type': 'text/html' }, text: '<!doctype html><p>Please sign in.' }),
      'GET /breaks': (query) =>
        query.has('offset') ? { status: 400, json: { message: 'no page after the first' } } : paged(query),
      'GET /refused': () => ({ status: 400, json: { message: 'limit must be at most 1' } }),
      'GET /limited': (query) =>
        limitedTries++ === 0 ? { status: 429, headers: { 'retry-after': '3' }, json: {} } : paged(query),
      'GET /halved': (query) => {
        const from = Number(query.get('offset') ?? 0)
        return { json: { total: orders.length, data: orders.slice(from, from === 0 ? 2 : 3) } }
      },
      'GET /busy': async (query) => {
        if (busyTries++ === 0) return { json: { errors: [{ message: 'the query took too long.' }] } }
        await nextTryIsSeen
        return paged(query)
      },
      'GET /never': () => ({ raw: (response) => void hangingUp.push(once(response, 'close')) }),
    })
    const names = [
      'orders',
      'exact',
      'fat',
      'endless',
      'html',
      'refused',
      'breaks',
      'limited',
      'never',
      'huge',
      'halved',
      'busy',
    ]
    const streams = Object.fromEntries(names.map((name) => [name, {}]))
    saveManifest(builder.home, 'shop', offsetManifest(api.url, { ...streams, shops: { values: ['north', 'south'] } }))
  })
  afterEach(() => builder.closeTabs())
  after(async () => {
    await builder[Symbol.asyncDispose]()
    await api[Symbol.asyncDispose]()
  })

  const openStream = async (stream: string, options = {}) => {
    const opened = await builder.open(`/connectors/shop?part=${stream}`, options)
    return { ...opened, panel: panelOf(opened.page) }
  }

  test('after many pages the verdict and why it stopped are in sight, records come first', async () => {
    saveManifest(builder.home, 'long', offsetManifest(builder.lab, { offset: { pageSize: 20 } }))
    const { page } = await builder.open('/connectors/long')
    const panel = panelOf(page)
    await panel.getByRole('button', { name: 'up to 5 pages' }).click()
    await panel.getByLabel('Pages per slice').fill('20')
    await giveKey(page)
    await statusOf(page).getByText('Read to the end: 13 pages, 250 records').waitFor()
    const stop = panel.locator('.stop-pinned')
    assert.equal(await stop.innerText(), 'short page: 10 of 20 requested')
    assert.equal(await panel.getByRole('tree').locator(stop).count(), 0, 'it does not scroll with the rows')
    assert.match(await panel.locator('.verdict-bar').innerText(), /Complete:.*250/)
    assert.equal(await panel.getByRole('tab').first().innerText(), 'Records')
    await panel.getByRole('tab', { name: 'Receipt' }).click()
    const figures = await panel
      .locator('.receipt dl > div')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right))
    const whole = await panel.locator('.receipt dl').evaluate((one) => one.getBoundingClientRect().right)
    assert.ok(Math.abs((figures.at(-1) ?? 0) - whole) < 3, 'the last row of figures has no hole')
  })

  test('a failed test shows the request that failed', async () => {
    const { page } = await builder.open('/connectors/shop?part=breaks')
    await giveKey(page)
    await statusOf(page).getByText('Failed after 1 page').waitFor()
    const selected = rowsOf(page).and(page.locator('[aria-selected="true"]'))
    assert.match(await selected.innerText(), /^Page 2/)
    await panelOf(page).getByRole('tab', { name: 'Response' }).click()
    await panelOf(page).getByText('no page after the first').first().waitFor()
  })

  test('an input that is missing is asked for once, and nothing else repeats it', async () => {
    const { page, panel } = await openStream('orders')
    await panel.getByRole('button', { name: 'Test orders' }).click()
    await statusOf(page).getByText('Failed before the first page').waitFor()
    await panel.getByRole('form', { name: 'Needed inputs' }).waitFor()
    assert.equal(await panel.getByRole('alert').count(), 0)
    // What the form cannot give is still said.
    await giveKey(page)
    await page.locator('#content:focus').waitFor()
    await statusOf(page).getByText('Read to the end').waitFor()
    await page.goto(`${builder.url}/connectors/shop?part=refused`)
    await giveKey(page)
    await panel.getByRole('alert').getByText('limit must be at most 1').waitFor()
  })

  test('a read that ends before what the API counts is not said to be at the end', async () => {
    const { page, panel } = await openStream('halved')
    await giveKey(page)
    await panel.getByText('Incomplete: the API counts 5, received 3').waitFor()
    assert.match(await statusOf(page).innerText(), /^Ended: 2 pages, 3 records/)
  })

  test('while it waits for the next try it says why, and each failed try is called one', async () => {
    const { page, panel } = await openStream('busy')
    await giveKey(page)
    await statusOf(page)
      .getByText(/^next try, \d s left$/)
      .waitFor()
    const reason = panel.getByText(/^Try 1 of 6 failed.*the query took too long\.$/)
    await reason.locator('code').getByText('errors', { exact: true }).waitFor()
    // The tab of the records, which is the chosen one, not the next that has something.
    assert.equal(await panel.getByRole('tab', { selected: true }).innerText(), 'Records')
    await panel.getByText('Waiting for the first page. Its records appear here.').waitFor()
    // While the next try is under way, none is announced.
    await reason.waitFor({ state: 'detached' })
    await statusOf(page)
      .getByText(/^page 1, /)
      .waitFor()
    seeNextTry()
    await statusOf(page).getByText('Read to the end: 3 pages').waitFor()
    assert.match(await rowsOf(page).first().innerText(), /^Page 1, failed, tried again/)
  })

  test('on a phone the button that shows a secret is in the middle of its field', async () => {
    const { page, panel } = await openStream('orders', { viewport: { width: 390, height: 800 } })
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    const field = await panel.getByLabel('api_key is needed').boundingBox()
    const show = await panel.getByRole('button', { name: 'Show API key' }).boundingBox()
    assert.ok(field !== null && show !== null)
    assert.equal(show.y + show.height / 2, field.y + field.height / 2)
  })

  test('asks for what is needed, then shows every page and why the last is the last', async () => {
    const { page, panel, complaints } = await openStream('orders')
    await giveKey(page)
    await statusOf(page).getByText('Read to the end: 3 pages, 5 records').waitFor()
    assert.deepEqual(
      await rowsOf(page).evaluateAll((rows) =>
        rows.map((row) => row.firstChild?.textContent?.replace(/, [\d.]+ m?s,/, ',')),
      ),
      [
        'Page 1, 2 records, status 200, requested without a token, next 2',
        'Page 2, 2 records, status 200, requested with 2, next 4',
        'Page 3, 1 record, status 200, requested with 4, no next page, short page: 1 of 2 requested',
      ],
    )
    await panel.getByRole('tab', { name: 'Receipt' }).click()
    await panel.getByText('Complete: what was read agrees').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('the sample connector reads the lab, without an input to be given first', async () => {
    const sample = (await (await fetch(`${builder.url}/v1/sample`)).json()) as { text: string }
    saveManifest(builder.home, 'sample', sample.text)
    const { page, complaints } = await builder.open('/connectors/sample?part=customers')
    await panelOf(page).getByRole('button', { name: 'Read the first pages' }).click()
    await statusOf(page).getByText('Read to the end: 5 pages, 250 records').waitFor()
    assert.match(await rowsOf(page).nth(1).innerText(), /^Page 2, 60 records, .*, requested with 60, next 120/)
    assert.deepEqual(complaints, [])
  })

  test('says in words what changed since the page before', async () => {
    const { page, panel } = await openStream('orders')
    await giveKey(page)
    await rowsOf(page).nth(1).click()
    await panel.getByRole('tab', { name: 'Request' }).click()
    await panel.getByText('1 change since the page before').waitFor()
    assert.equal(await panel.getByRole('row', { name: 'offset' }).innerText(), 'offset\t2 new')
    await panel.getByRole('tree', { name: 'Slices and pages' }).press('ArrowDown')
    await panel.getByRole('row', { name: 'offset 4 was 2' }).waitFor()
  })

  test('reads the current text, saved or not, by Ctrl-Enter from anywhere', async () => {
    const { page } = await openStream('orders')
    await giveKey(page)
    await statusOf(page).getByText('Read to the end').waitFor()
    const path = page.getByLabel('Path', { exact: false }).first()
    await path.fill('/others')
    await statusOf(page).getByText('edited since').waitFor()
    await path.press('Control+Enter')
    await statusOf(page).getByText('edited since').waitFor({ state: 'detached' })
    await statusOf(page).getByText('Read to the end').waitFor()
    assert.equal(api.asked.at(-1), 'GET /others?offset=4&limit=2')
  })

  test('stops at the limits, and remembers them', async () => {
    const { page, panel } = await openStream('endless')
    await panel.getByRole('button', { name: 'up to 5 pages', exact: true }).click()
    await panel.getByLabel('Pages per slice').fill('3')
    await giveKey(page)
    await statusOf(page).getByText('Stopped at the limit: 3 pages, 6 records').waitFor()
    await panel.getByText('page limit: 3 pages per slice', { exact: true }).waitFor()
    await page.reload()
    await panel.getByRole('button', { name: 'up to 3 pages' }).waitFor()
  })

  test('many pages stay a short list to the browser, and keys reach the last', async () => {
    const { page, panel } = await openStream('endless')
    await panel.getByRole('button', { name: 'up to 5 pages' }).click()
    await panel.getByLabel('Pages per slice').fill(String(pageCount))
    await panel.getByLabel('Records', { exact: true }).fill('100000')
    await giveKey(page)
    await statusOf(page)
      .getByText(`Stopped at the limit: ${pageCount.toLocaleString('en')} pages`)
      .waitFor({ timeout: 60_000 })
    assert.ok((await rowsOf(page).count()) < 60)
    await panel.getByRole('tab', { name: 'Request' }).click()
    await panel.getByRole('tree', { name: 'Slices and pages' }).press('End')
    await panel.getByRole('row', { name: `offset ${2 * pageCount - 2} was ${2 * pageCount - 4}` }).waitFor()
  })

  test('slices are headings of their pages, and fold', async () => {
    const { page, panel } = await openStream('shops')
    await panel.getByRole('button', { name: 'up to 5 pages per slice' }).waitFor()
    await giveKey(page)
    await statusOf(page).getByText('Read to the end: 6 pages').waitFor()
    const south = rowsOf(page).filter({ hasText: 'shop south' })
    assert.equal(await rowsOf(page).count(), 8)
    await south.click()
    assert.equal(await south.getAttribute('aria-expanded'), 'false')
    assert.equal(await rowsOf(page).count(), 5)
  })

  test('what is waited for counts, Cancel ends it at once, and the request to the API too', async () => {
    const { page, panel, complaints } = await openStream('never')
    await giveKey(page)
    await statusOf(page)
      .getByText(/^page 1, \d/)
      .waitFor()
    await panel.getByRole('button', { name: 'Cancel' }).click()
    await statusOf(page).getByText('Cancelled after 0 pages').waitFor()
    await hangingUp.at(-1)
    assert.equal(await page.getByText('The server does not answer').count(), 0)
    assert.deepEqual(complaints, [])
  })

  test('Esc cancels as well', async () => {
    const { page } = await openStream('never')
    await giveKey(page)
    await statusOf(page)
      .getByText(/^page 1, \d/)
      .waitFor()
    await page.keyboard.press('Escape')
    await statusOf(page).getByText('Cancelled').waitFor()
    await hangingUp.at(-1)
  })

  test('a rate limit is counted down, and the refused try stays among the pages', async () => {
    const { page } = await openStream('limited')
    await giveKey(page)
    await statusOf(page)
      .getByText(/^rate limit, \d s left$/)
      .waitFor()
    await statusOf(page).getByText('Read to the end: 3 pages').waitFor()
    assert.match(await rowsOf(page).first().innerText(), /^Page 1, refused with 429/)
  })

  test('a refusal says what the API says, and shows the exchange', async () => {
    const { page, panel } = await openStream('refused')
    await giveKey(page)
    await panel.getByRole('alert').getByText('limit must be at most 1').waitFor()
    await panel.getByRole('tab', { name: 'Response' }).click()
    await panel.getByRole('region', { name: 'Response' }).getByText('400').waitFor()
  })

  test('a response that is HTML is shown as what it is', async () => {
    const { page, panel } = await openStream('html')
    await giveKey(page)
    await panel.getByRole('alert').getByText('looks like an HTML page').waitFor()
    await panel.getByRole('tab', { name: 'Response' }).click()
    await panel.getByText('<!doctype html><p>Please sign in.', { exact: true }).waitFor()
  })

  test('a manifest that cannot run leads to the line that is wrong', async () => {
    saveManifest(
      builder.home,
      'broken',
      offsetManifest(api.url, { orders: {} }).replace('HttpRequester', 'HttpRequestor'),
    )
    const { page } = await builder.open('/connectors/broken')
    const panel = panelOf(page)
    await panel.getByRole('button', { name: /^Test / }).click()
    await panel.getByRole('alert').getByRole('button', { name: 'Show in YAML' }).click()
    await page.getByRole('textbox', { name: 'Manifest' }).waitFor()
  })

  test('a server that goes away while reading is said to be gone, and the pages stay', async () => {
    const services = testServices()
    saveManifest(services.home, 'shop', offsetManifest(api.url, { never: {} }))
    const server = await startApi({ baseUrl: 'http://127.0.0.1:1', version: '0.1.0', services })
    const page = await (await builder.browser.newContext()).newPage()
    await page.goto(`${server.url}/connectors/shop`)
    await giveKey(page)
    await statusOf(page)
      .getByText(/^page 1, \d/)
      .waitFor()
    await server.close()
    await panelOf(page).getByRole('alert').getByText('The server does not answer').waitFor()
    await panelOf(page).getByRole('button', { name: 'Test again' }).waitFor()
    await page.context().close()
    services[Symbol.dispose]()
  })

  test('no secret is on the page or in the command to copy', async () => {
    const secret = 's3cret/key+1'
    const { page, panel } = await openStream('orders', { permissions: ['clipboard-read', 'clipboard-write'] })
    await giveKey(page, secret)
    await statusOf(page).getByText('Read to the end').waitFor()
    assert.equal(api.requests.at(-1)?.headers['x-api-key'], secret)
    for (const tab of ['Request', 'Response', 'Records', 'Schema', 'Logs', 'Receipt']) {
      await panel.getByRole('tab', { name: tab }).click()
      assert.ok(!(await page.content()).includes(secret), tab)
    }
    await panel.getByRole('tab', { name: 'Request' }).click()
    await panel.getByRole('button', { name: 'Copy as cURL' }).click()
    await panel.getByText('Copied').first().waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    assert.ok(copied.includes(`-H 'X-Api-Key: '"$API_KEY"`), copied)
  })

  test('records keep every digit, in the table and as JSON', async () => {
    const { page, panel } = await openStream('exact')
    await giveKey(page)
    await panel.getByRole('tab', { name: 'Records' }).click()
    await panel.getByRole('gridcell', { name: '90071992547409931' }).waitFor()
    await panel.getByRole('gridcell', { name: '0.1234567890123456789' }).click()
    await panel.getByRole('region', { name: 'rate of record 1' }).getByText('0.1234567890123456789').waitFor()
    await panel.getByRole('button', { name: 'JSON' }).click()
    await panel.getByRole('treeitem', { name: '__proto__: "odd"' }).waitFor()
  })

  test('a record too large to come with its page has its columns too, and a long text is shown in part', async () => {
    const { page, panel } = await openStream('fat')
    await giveKey(page)
    await panel.getByRole('tab', { name: 'Records' }).click()
    await panel.getByRole('gridcell', { name: /^A{200}/ }).click()
    await panel.getByText('The first 20,000 characters of 700,000 characters. Copy has all.').waitFor()
  })

  test('the inferred schema becomes the stream’s, once', async () => {
    const { page, panel } = await openStream('orders')
    await giveKey(page)
    await statusOf(page).getByText('Read to the end').waitFor()
    await panel.getByRole('tab', { name: 'Schema' }).click()
    await panel.getByRole('button', { name: 'Use as the stream’s schema' }).click()
    assert.ok(await panel.getByRole('button', { name: 'This is the stream’s schema' }).isDisabled())
  })

  test('a body is searched with /, from match to match', async () => {
    const { page, panel } = await openStream('orders')
    await giveKey(page)
    await statusOf(page).getByText('Read to the end').waitFor()
    await panel.getByRole('tab', { name: 'Response' }).click()
    await panel.getByRole('tree', { name: 'Body' }).press('/')
    await page.keyboard.type('order')
    await panel.getByText('1 of 2').first().waitFor()
    await page.keyboard.press('Enter')
    await panel.getByRole('treeitem', { name: 'name: "Order 1"', selected: true }).waitFor()
  })

  test('a page of many megabytes is read, shown and searched while the user types', { timeout: 180_000 }, async () => {
    const { page, panel, complaints } = await openStream('huge')
    // Server, API and the hand that types share one process here: each waits for the others.
    page.setDefaultTimeout(60_000)
    await giveKey(page)
    const path = page.getByLabel('Path', { exact: false }).first()
    await path.press('End')
    await path.pressSequentially('?typed=while')
    assert.match(await path.inputValue(), /\?typed=while$/)
    await statusOf(page).getByText('Stopped at the limit: 1 page').waitFor({ timeout: 120_000 })
    await panel.getByRole('tab', { name: 'Response' }).click()
    const body = panel.getByRole('region', { name: 'Body' }).last()
    await body.getByText('"id": 0,').waitFor()
    await panel.getByRole('searchbox', { name: 'Search the body' }).fill('the very last')
    await path.pressSequentially('&again')
    assert.match(await path.inputValue(), /&again$/)
    await body.getByText('the very last').waitFor({ timeout: 60_000 })
    await panel.getByRole('tab', { name: 'Records' }).click()
    await panel.getByRole('grid').press('Control+End')
    await panel.getByRole('gridcell', { name: 'the very last' }).waitFor({ timeout: 30_000 })
    assert.ok((await panel.getByRole('row').count()) < 80)
    assert.deepEqual(complaints, [])
  })

  test('axe objects to nothing, on a phone too', async () => {
    const { page, panel, complaints } = await openStream('orders', { viewport: { width: 390, height: 900 } })
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await panel.getByLabel('api_key is needed').waitFor()
    await assertReadable(page, 'a missing input', [1440, 390])
    await giveKey(page)
    await statusOf(page).getByText('Read to the end').waitFor()
    for (const width of [390, 1440]) {
      for (const tab of ['Request', 'Response', 'Records', 'Schema', 'Logs', 'Receipt']) {
        await panel.getByRole('tab', { name: tab }).click()
        await assertReadable(page, tab, [width], '.test-panel')
      }
    }
    assert.deepEqual(complaints, [])
  })
})

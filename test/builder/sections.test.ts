/** The sections of a stream other than pagination: partitions, time, failures, and what becomes of records. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { backoffKind } from '../../src/builder/stream/errors/backoff-kinds.ts'
import { failures } from '../../src/engine/manifest/table/failures.ts'
import { loadManifest, readRecords } from '../../src/index.ts'
import { type Handler, serveApi, type ServedApi } from '../helpers/serve-api.ts'
import { assertAccessible, assertFits } from '../helpers/axe.ts'
import { hasValue } from '../helpers/has-value.ts'
import { noBrowser, type RunningBuilder, startBuilder } from './browser.ts'
import { section } from './form.ts'

const manifest = (api: string) => `version: 6.0.0
type: DeclarativeSource
definitions:
  requester: # ours
    type: HttpRequester
    url_base: ${api}
check: { type: CheckStream, stream_names: [shops] }
streams:
  - type: DeclarativeStream
    name: shops
    retriever:
      type: SimpleRetriever
      requester: { $ref: "#/definitions/requester", path: /shops }
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [] } }
  - type: DeclarativeStream
    name: orders
    retriever:
      type: SimpleRetriever
      requester: { $ref: "#/definitions/requester", path: /orders }
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [] } }
`

/** Two shops; one has no orders, and says so with 404. */
const api: Record<string, Handler> = {
  'GET /wrapped': () => ({ json: { result: { orders: [{ id: 1 }, { id: 2 }] }, status: 'ok' } }),
  'GET /orders.csv': () => ({ headers: { 'content-type': 'text/csv' }, text: 'id;name\n1;Ada\n2;N/A\n' }),
  'GET /orders.xml': () => ({
    headers: { 'content-type': 'application/xml' },
    text: '<?xml version="1.0"?><shop><orders><order><id>1</id></order><order><id>2</id></order></orders></shop>',
  }),
  'GET /shops': () => ({ json: [{ id: 7 }, { id: 8 }] }),
  'GET /shops/7/orders': () => ({ json: [{ id: 71 }, { id: 72 }] }),
  'GET /shops/8/orders': () => ({ status: 404, json: { error: 'this shop sells nothing' } }),
  'GET /orders': (query) => ({
    json: [{ Id: 1, Status: query.get('status'), updated_at: '2024-02-01T00:00:00Z', owner: { mail: 'a@b.test' } }],
  }),
}

/** Every other request is one too many, and the body says how long to wait. */
let limited = 0
api['GET /limited'] = () =>
  ++limited % 2 === 1 ? { status: 429, json: { limit: { wait: '0.01' } } } : { json: [{ id: 1 }] }

describe('sections of a stream', { skip: noBrowser }, () => {
  let builder: RunningBuilder
  let shop: ServedApi
  let connectors = 0
  before(async () => {
    builder = await startBuilder()
    shop = await serveApi(api)
  })
  afterEach(() => builder.closeTabs())
  after(async () => {
    await builder[Symbol.asyncDispose]()
    await shop[Symbol.asyncDispose]()
  })

  async function openOrders(text = manifest(shop.url), options = {}) {
    const name = `sections-${++connectors}`
    await builder.create(name, text)
    const { page, complaints } = await builder.open(`/connectors/${name}?part=orders`, options)
    await section(page, 'Request').waitFor()
    shop.asked.length = 0
    return { page, complaints, file: join(builder.home, 'connectors', name, 'manifest.yaml') }
  }

  async function read(page: Page, outcome: RegExp): Promise<void> {
    await page.keyboard.press('Control+Enter')
    await page.getByText(outcome).first().waitFor()
  }

  async function save(page: Page): Promise<void> {
    await page.keyboard.press('Control+s')
    await page.getByText('Saved', { exact: true }).waitFor()
  }

  test('a list: the stream is read once for each value', async () => {
    const { page, complaints } = await openOrders()
    const list = await switchOn(page, 'Partitioning')
    await list.getByText('Enter at least one value').waitFor()
    await list.getByText('Partition field is required').waitFor()
    await list.getByLabel('Partition field', { exact: true }).fill('status')
    await read(page, /Nothing was requested/)
    await list.getByLabel('Values', { exact: true }).fill('open\nclosed\n')
    await list.getByRole('switch', { name: 'Inject value into outgoing HTTP request' }).check()
    await hasValue(list.getByLabel('Field name', { exact: true }), 'status')
    await assertAccessible(page, 'partitioning')
    await read(page, /2 pages, 2 records/)
    assert.deepEqual(shop.asked, ['GET /orders?status=open', 'GET /orders?status=closed'])
    assert.deepEqual(complaints, [])
  })

  test('a substream: once for each record of its parent, and a 404 of one of them ignored', async () => {
    const { page, complaints, file } = await openOrders()
    await section(page, 'Request')
      .getByLabel('Path', { exact: true })
      .fill("/shops/{{ stream_partition['shop_id'] }}/orders")
    const parts = await switchOn(page, 'Partitioning')
    await parts.getByLabel('Partition by', { exact: true }).selectOption({ label: 'Parent stream' })
    await hasValue(parts.getByRole('combobox', { name: 'Parent stream' }), 'shops')
    await parts.getByText('Partition field is required').waitFor()
    await parts.getByText('Parent key is required').waitFor()
    await parts.getByLabel('Parent key', { exact: true }).fill('id')
    await parts.getByLabel('Partition field', { exact: true }).fill('shop_id')
    await parts.getByText("/orders/{{ stream_partition['shop_id'] }}/items", { exact: true }).waitFor()
    const errors = await switchOn(page, 'Error handling')
    assert.equal(await errors.getByLabel('HTTP codes', { exact: true }).count(), 0)
    await errors.getByRole('button', { name: 'Add filter' }).click()
    await errors.getByLabel('HTTP codes', { exact: true }).fill('404, 410')
    await errors.getByLabel('Action', { exact: true }).selectOption('IGNORE')
    await assertAccessible(page, 'substream and errors')
    await read(page, /2 records/)
    assert.ok(shop.asked.includes('GET /shops/7/orders') && shop.asked.includes('GET /shops/8/orders'))
    await save(page)
    const text = readFileSync(file, 'utf8')
    assert.match(text, /requester: # ours/)
    assert.match(text, /\$ref: "#\/streams\/0"/)
    assert.match(text, /"http_codes": \[404, 410\]/)
    assert.deepEqual(complaints, [])
  })

  test('a test whose one record is the object around a list names its path, and one click uses it', async () => {
    const { page, complaints } = await openOrders()
    await section(page, 'Request').getByLabel('Path', { exact: true }).fill('/wrapped')
    await read(page, /1 page, 1 record,/)
    await page.getByText('2 records are at result.orders.').waitFor()
    await assertAccessible(page, 'a record path', '.test-panel')
    await page.getByRole('button', { name: 'Use result.orders' }).press('Enter')
    // The button is gone: the next Tab starts in the form.
    await page.locator('#content:focus').waitFor()
    await page
      .getByText(/1 page, 2 records/)
      .first()
      .waitFor()
    const path = section(page, 'Records').getByLabel('Field path', { exact: true })
    await hasValue(path, 'result.orders')
    assert.equal(await page.getByRole('button', { name: 'Use result.orders' }).count(), 0)
    await path.fill('result.order')
    await read(page, /nothing is there in the response\. 2 records are at result\.orders\./)
    assert.deepEqual(complaints, [])
  })

  test('CSV: a failed test leads to the format, whose fields write the decoder, and JSON takes it away again', async () => {
    const { page, complaints, file } = await openOrders()
    await section(page, 'Request').getByLabel('Path', { exact: true }).fill('/orders.csv')
    await read(page, /looks like CSV, not JSON/)
    await page.getByText('Set Response format, in Records, to CSV.').waitFor()
    await page.getByRole('button', { name: 'Show in the form' }).click()
    const records = section(page, 'Records')
    const format = records.getByLabel('Response format', { exact: true })
    await records.locator('select:focus').waitFor()
    await hasValue(format, 'JsonDecoder')
    await format.selectOption({ label: 'CSV' })
    await records.getByLabel('Delimiter', { exact: true }).fill(';')
    await records.getByLabel('Null values', { exact: true }).fill('N/A')
    await assertAccessible(page, 'CSV', '.section[data-title="Records"]')
    await read(page, /1 page, 2 records/)
    assert.ok(await records.getByRole('button', { name: 'Pick', exact: true }).isDisabled())
    await save(page)
    const kept = []
    const source = loadManifest(readFileSync(file, 'utf8'))
    for await (const record of readRecords(source, { stream: 'orders' })) kept.push(record)
    assert.deepEqual(kept, [
      { id: '1', name: 'Ada' },
      { id: '2', name: null },
    ])
    await format.selectOption({ label: 'JSON' })
    await save(page)
    assert.doesNotMatch(readFileSync(file, 'utf8'), /decoder/)
    await format.selectOption({ label: 'CSV' })
    await hasValue(records.getByLabel('Delimiter', { exact: true }), ';')
    assert.deepEqual(complaints, [])
  })

  test('XML: the list is picked from the document that the first test read', async () => {
    const { page, complaints } = await openOrders()
    await section(page, 'Request').getByLabel('Path', { exact: true }).fill('/orders.xml')
    const records = section(page, 'Records')
    await records.getByLabel('Response format', { exact: true }).selectOption({ label: 'XML' })
    await records.getByText('Test the stream with an empty path').waitFor()
    await read(page, /1 page, 1 record/)
    await records.getByRole('button', { name: 'Pick', exact: true }).click()
    await records.getByRole('button', { name: /^Use shop\.orders\.order, / }).click()
    await hasValue(records.getByLabel('Field path', { exact: true }), 'shop.orders.order')
    await read(page, /1 page, 2 records/)
    assert.deepEqual(complaints, [])
  })

  test('gzip: what is inside has a format too, and a list of a large response a path', async () => {
    const { page, file } = await openOrders()
    const records = section(page, 'Records')
    await records.getByLabel('Response format', { exact: true }).selectOption({ label: 'Gzip' })
    await records.getByLabel('Packed format', { exact: true }).selectOption({ label: 'JSON, one list of it' })
    await records.getByText('is empty; it names the list').waitFor()
    await records.getByLabel('Items path', { exact: true }).fill('data.rows')
    await save(page)
    const written =
      /decoder:\s+type: "?GzipDecoder"?\s+decoder:\s+type: "?JsonItemsDecoder"?\s+items_path: "?data\.rows/
    assert.match(readFileSync(file, 'utf8'), written)
  })

  test('two ways to cut are combined, and taking one away leaves the other', async () => {
    const { page } = await openOrders()
    const parts = await switchOn(page, 'Partitioning')
    await parts.getByLabel('Values', { exact: true }).fill('a\nb')
    await parts.getByLabel('Partition field', { exact: true }).fill('one')
    await parts.getByRole('button', { name: 'Add partition' }).click()
    const second = parts.getByRole('group', { name: '2 List' })
    await second.getByLabel('Values', { exact: true }).fill('x\ny')
    await second.getByLabel('Partition field', { exact: true }).fill('other')
    await read(page, /4 pages, 4 records/)
    await parts.getByRole('button', { name: 'Remove 1 List' }).click()
    await hasValue(parts.getByLabel('Values', { exact: true }), 'x\ny')
    await read(page, /2 pages, 2 records/)
  })

  test('time: windows from start to end are asked one after the other, and the first is shown before', async () => {
    const { page, complaints, file } = await openOrders()
    const time = await switchOn(page, 'Incremental sync')
    await time.getByRole('listitem').getByText('Cursor field is required').waitFor()
    await time.getByRole('textbox', { name: 'Cursor field', exact: true }).fill('updated_at')
    await time.getByRole('switch', { name: 'Inject start time into outgoing HTTP request' }).check()
    await time.getByRole('listitem').getByText('Field name is required').waitFor()
    await time.getByLabel('Field name', { exact: true }).fill('updated_since')
    await time.getByLabel('Format in requests', { exact: true }).fill('%Y-%m-%d')
    await time.getByLabel('End', { exact: true }).fill('2024-03-10')
    await time.getByLabel('Step', { exact: true }).fill('P1M')
    await time.getByLabel('Granularity', { exact: true }).fill('P1D')
    await time.getByRole('switch', { name: 'Inject end time into outgoing HTTP request' }).check()
    await time.getByLabel('Field name', { exact: true }).last().fill('updated_until')
    const preview = time.getByRole('region', { name: 'First window' })
    await preview.getByText('updated_since=2024-01-01&updated_until=2024-01-31').waitFor()
    await assertAccessible(page, 'incremental sync')
    await read(page, /Read to the end/)
    assert.deepEqual(shop.asked, [
      'GET /orders?updated_since=2024-01-01&updated_until=2024-01-31',
      'GET /orders?updated_since=2024-02-01&updated_until=2024-02-29',
      'GET /orders?updated_since=2024-03-01&updated_until=2024-03-10',
    ])
    await time.getByRole('button', { name: 'Make it an input' }).first().click()
    await preview.getByText('updated_since=2024-01-01').waitFor()
    await save(page)
    assert.match(readFileSync(file, 'utf8'), /\{\{ config\['start_date'\] \}\}/)
    assert.deepEqual(complaints, [])
  })

  test('records are changed step by step, in an order that can be changed', async () => {
    const { page, complaints, file } = await openOrders()
    const steps = await switchOn(page, 'Transformations')
    await steps.getByLabel('Field', { exact: true }).fill('shop.kind')
    await steps.getByLabel('Value', { exact: true }).fill('{{ record.id }}')
    await add(page, steps, 'transformation', 'Names to lower case')
    await add(page, steps, 'transformation', 'Remove fields')
    await steps.getByLabel('Fields', { exact: true }).last().fill('owner.mail\nstatus')
    await assertAccessible(page, 'transformations')
    // Names are not in lower case yet when the field is added.
    await steps.getByRole('button', { name: 'Move 2 Names to lower case up' }).click()
    await steps.getByRole('group', { name: '1 Names to lower case' }).waitFor()
    await read(page, /1 record/)
    await save(page)
    const records: unknown[] = []
    const saved = loadManifest(readFileSync(file, 'utf8'))
    for await (const record of readRecords(saved, { stream: 'orders', config: {} })) records.push(record)
    const [order] = records
    assert.deepEqual(order, { id: 1, updated_at: '2024-02-01T00:00:00Z', owner: {}, shop: { kind: 1 } })
    assert.deepEqual(complaints, [])
  })

  test('every strategy of the engine can be added, and a wait that the body names is read from it', async () => {
    for (const type of failures.DefaultErrorHandler['backoff_strategies?'].list) {
      assert.equal(backoffKind({ type }), type)
    }
    const { page, complaints, file } = await openOrders()
    await section(page, 'Request').getByLabel('Path', { exact: true }).fill('/limited')
    const errors = await switchOn(page, 'Error handling')
    await add(page, errors, 'strategy', 'Wait time from response')
    const seconds = errors.getByLabel('Seconds', { exact: true })
    await seconds.fill('')
    await errors.getByText('Seconds is required').waitFor()
    await seconds.fill('{{ response.limit.wait }}')
    await errors.getByLabel('Wait at most', { exact: true }).fill('5')
    await assertAccessible(page, 'a wait from the response', '.section[data-title="Error handling"]')
    await read(page, /1 page, 1 record/)
    assert.deepEqual(shop.asked, ['GET /limited', 'GET /limited'])
    await save(page)
    assert.match(readFileSync(file, 'utf8'), /"?wait_time_in_seconds"?: "?\{\{ response\.limit\.wait \}\}/)
    assert.deepEqual(complaints, [])
  })

  test('a section switched off and on again has what it had', async () => {
    const { page, file } = await openOrders()
    const errors = await switchOn(page, 'Error handling')
    await errors.getByLabel('Max retries', { exact: true }).fill('2')
    await add(page, errors, 'strategy', 'Wait time from header')
    const toggle = errors.getByRole('switch', { name: 'Error handling on' })
    await toggle.uncheck()
    await toggle.check()
    await hasValue(errors.getByLabel('Max retries', { exact: true }), '2')
    await hasValue(errors.getByLabel('Header', { exact: true }), 'Retry-After')
    // With colours of the system, too, it shows which it is.
    await page.emulateMedia({ forcedColors: 'active' })
    const coloursOf = () =>
      toggle.evaluate((one) => {
        const { getComputedStyle } = one.ownerDocument.defaultView
        return [getComputedStyle(one), getComputedStyle(one, '::after')].map((style) => style.backgroundColor)
      })
    const [on, thumbOn] = await coloursOf()
    await toggle.uncheck()
    const [off, thumbOff] = await coloursOf()
    assert.ok(on !== thumbOn && off !== thumbOff && on !== off, `${on} ${thumbOn} ${off} ${thumbOff}`)
    await page.emulateMedia({ forcedColors: null })
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal(readFileSync(file, 'utf8'), manifest(shop.url))
  })

  test('a schema is taken from the last test, and text that is no JSON is not written', async () => {
    const { page, file } = await openOrders()
    const schema = await switchOn(page, 'Schema')
    await read(page, /1 record/)
    await schema.getByRole('button', { name: 'Use the schema of the last test' }).click()
    await save(page)
    const text = readFileSync(file, 'utf8')
    assert.match(text, /updated_at/)
    await schema.getByLabel('JSON Schema', { exact: true }).fill('{ "type": ')
    await schema.getByText('This is not valid JSON yet').waitFor()
    assert.equal(await page.getByText('Saved', { exact: true }).isVisible(), true)
  })

  test('what the form cannot show is named, and nothing of it is lost', async () => {
    const odd = manifest(shop.url).replace(
      'name: orders',
      `name: orders
    incremental_sync: { type: CustomIncrementalSync, class_name: a.b.C } # odd
    schema_loader: { type: JsonFileSchemaLoader, file_path: ./schema.json }
    transformations: [{ type: SomethingNew, keeps: true }]`,
    )
    const { page, file } = await openOrders(odd)
    await section(page, 'Incremental sync').getByText('It stays as it is').waitFor()
    await section(page, 'Transformations').getByText('It stays as it is').waitFor()
    await section(page, 'Schema').getByRole('button', { name: 'Schema' }).click()
    await section(page, 'Schema').getByText('JsonFileSchemaLoader').waitFor()
    await add(page, section(page, 'Transformations'), 'transformation', 'Names to snake case')
    await save(page)
    assert.match(readFileSync(file, 'utf8'), /SomethingNew, keeps: true[\s\S]*KeysToSnakeCase/)
  })

  test('every section fits a phone', async () => {
    const { page } = await openOrders(manifest(shop.url), {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    })
    for (const name of ['Partitioning', 'Incremental sync', 'Error handling', 'Transformations', 'Schema']) {
      await switchOn(page, name)
    }
    await assertAccessible(page, 'phone')
    await assertFits(page, 'phone')
  })
})

async function switchOn(page: Page, name: string): Promise<Locator> {
  const found = section(page, name)
  await found.getByRole('switch', { name: `${name} on`, exact: true }).check()
  return found
}

async function add(page: Page, within: Locator, one: string, label: string): Promise<void> {
  await within.getByRole('button', { name: `Add ${one}` }).click()
  await page.getByRole('menuitem', { name: label }).click()
}

/** The results of a test in a real browser: read on after a limit, search all records, compare with the test before. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { assertAccessible } from '../helpers/axe.ts'
import { type ServedApi, serveApi } from '../helpers/serve-api.ts'
import { hasValue } from '../helpers/has-value.ts'
import { noBrowser, type RunningBuilder, startBuilder } from './browser.ts'
import { section } from './form.ts'
import { giveKey, offsetManifest, panelOf, rowsOf, saveManifest, statusOf } from './panel-story.ts'

const total = 15

describe('the results of a test', { skip: noBrowser }, () => {
  let builder: RunningBuilder
  let api: ServedApi
  let renamed: number | null = null

  before(async () => {
    builder = await startBuilder()
    api = await serveApi({
      'GET /cursor': (query) => {
        const from = Number(query.get('cursor') ?? 0)
        const hasMore = from + 60 < 250
        const data = Array.from({ length: Math.min(60, 250 - from) }, (_, index) => ({ id: from + index }))
        return { json: { data, meta: { next_token: hasMore ? String(from + 60) : null, has_more: hasMore } } }
      },
      'GET /orders': (query) => {
        const from = Number(query.get('offset') ?? 0)
        const ids = Array.from({ length: total }, (_, id) => id).slice(from, from + Number(query.get('limit')))
        const nameOf = (id: number) => (id === renamed ? 'Another name' : `Order ${id}`)
        return {
          json: { total, data: ids.map((id) => ({ id, name: nameOf(id), note: `a long note on ${id} `.repeat(9) })) },
        }
      },
    })
    saveManifest(builder.home, 'cursor', cursorManifest(api.url, 'cursor'))
    saveManifest(builder.home, 'link', cursorManifest(builder.lab, 'link'))
    saveManifest(builder.home, 'shop', offsetManifest(api.url, { orders: {} }))
    saveManifest(builder.home, 'warned', offsetManifest(api.url, { orders: { values: ['north', 'north'] } }))
  })
  afterEach(() => builder.closeTabs())
  after(async () => {
    await builder[Symbol.asyncDispose]()
    await api[Symbol.asyncDispose]()
  })

  test('reads on after the limit, lists the records of all pages, and compares with the test before', async () => {
    const { page, complaints } = await builder.open('/connectors/shop')
    const panel = panelOf(page)
    await giveKey(page)
    await statusOf(page).getByText('Stopped at the limit: 5 pages, 10 records').waitFor()
    assert.equal(api.requests.length, 5)

    // Read on, by keyboard.
    const more = panel.getByRole('button', { name: 'Read 5 more' })
    await more.press('Enter')
    await statusOf(page).getByText('Read to the end: 8 pages, 15 records').waitFor()
    const stop = rowsOf(page).last().getByText('stop', { exact: true })
    assert.ok(await stop.evaluate((element) => element.scrollWidth <= element.clientWidth), 'it is not cut')
    assert.equal(await more.count(), 0, 'there is nothing more')
    assert.equal(api.requests.length, 8, 'no page was requested again')
    assert.equal(await rowsOf(page).count(), 8)
    assert.match(await panel.locator('.verdict-bar').innerText(), /Complete:.*15/)

    // The token column is made wider by keys.
    const token = rowsOf(page).first().locator('.token')
    const tokenWidth = async () => Math.round((await token.boundingBox())?.width ?? 0)
    const usual = await tokenWidth()
    await panel.getByRole('separator', { name: 'Width of the token column' }).press('ArrowLeft')
    assert.equal(await tokenWidth(), usual + 16)

    // All records, searched.
    await panel.getByRole('button', { name: 'All pages' }).click()
    const grid = panel.getByRole('grid', { name: 'Records of all pages' })
    await grid.getByText('Order 0', { exact: true }).waitFor()
    assert.equal(await panel.locator('.records .found').innerText(), '15 records')
    await grid.press('Control+End')
    await grid.getByRole('row').filter({ hasText: 'Order 14' }).waitFor()
    assert.match(await grid.getByRole('row').filter({ hasText: 'Order 14' }).innerText(), /^8\s*15\b/)
    await grid.press('/')
    await page.keyboard.type('ORDER 1')
    await panel.getByText('6 of 15').waitFor()
    assert.equal(await grid.getByRole('row').count(), 7)
    assert.deepEqual(await grid.locator('mark').allTextContents(), Array(6).fill('Order 1'))
    await panel.getByRole('button', { name: 'JSON' }).click()
    const tree = panel.getByRole('tree', { name: 'Records of all pages as JSON' })
    await tree.locator('mark', { hasText: 'Order 1' }).first().waitFor()
    await panel.getByRole('button', { name: 'Table' }).click()
    await panel.getByLabel('Search all records').focus()
    await page.keyboard.press('Escape')
    await panel.getByText('15 records', { exact: true }).waitFor()

    // Columns are made wider by keys, by dragging, and fitted by a double click.
    const head = grid.getByRole('columnheader', { name: 'name' })
    const widthOf = async () => (await head.boundingBox())?.width ?? 0
    const width = await widthOf()
    await grid.press('ArrowRight')
    await grid.press('Shift+ArrowRight')
    assert.equal(await widthOf(), width + 16)
    const edge = await head.locator('.column-edge').boundingBox()
    assert.ok(edge)
    await page.mouse.move(edge.x + 4, edge.y + 10)
    await page.mouse.down()
    await page.mouse.move(edge.x + 64, edge.y + 10)
    await page.mouse.up()
    assert.equal(await widthOf(), width + 76)
    const note = grid.getByRole('columnheader', { name: 'note' })
    await note.locator('.column-edge').dblclick()
    assert.ok(((await note.boundingBox())?.width ?? 0) > 1000, 'the whole note is shown')

    // Another test, after something changed.
    renamed = 3
    assert.equal(await panel.getByRole('tab', { name: 'Compare' }).count(), 0)
    await page.getByLabel('Limit', { exact: true }).fill('3')
    await panel.getByRole('button', { name: /^Test/ }).click()
    await statusOf(page).getByText('5 pages, 15 records').waitFor()
    await panel.getByRole('tab', { name: 'Compare' }).click()
    const compare = panel.getByRole('region', { name: 'Compare' })
    await compare.getByText('14 the same, 1 changed, 0 added, 0 missing; compared by id.').waitFor()
    assert.match(
      await compare.getByText('Changed 3').locator('..').innerText(),
      /name\s+was\s+"Order 3"\s+is\s+"Another name"/,
    )
    await compare.getByText('8 requests differ.').waitFor()
    assert.match(await compare.getByRole('listitem').first().innerText(), /^Page 1\s+limit\s+was\s+2\s+is\s+3/)
    assert.equal(await compare.getByRole('row', { name: 'Requests' }).innerText(), 'Requests\t8\t5')
    await assertAccessible(page, 'all records')

    // After an edit, reading on starts over and says so.
    await page.getByLabel('Limit', { exact: true }).fill('2')
    await panel.getByRole('button', { name: /^Test/ }).click()
    await statusOf(page).getByText('Stopped at the limit').waitFor()
    await page.getByLabel('Limit', { exact: true }).fill('1')
    await statusOf(page).getByText('edited since').waitFor()
    const asked = api.requests.length
    await more.click()
    await statusOf(page).getByText('edited since, so it started over').waitFor()
    await statusOf(page).getByText('5 pages, 5 records').waitFor()
    assert.equal(api.requests.length, asked + 5)
    assert.deepEqual(complaints, [])
  })

  test('its tabs are in one row, also with warnings to count', async () => {
    const { page } = await builder.open('/connectors/warned')
    const panel = panelOf(page)
    await giveKey(page)
    await statusOf(page).getByText('5 pages, 10 records').waitFor()
    await panel.getByRole('button', { name: /^Test/ }).click()
    await panel.getByRole('tab', { name: 'Compare' }).click()
    await panel.getByRole('tab', { name: 'Logs 1' }).waitFor()
    const tabs = panel.getByRole('tablist')
    assert.ok(await tabs.evaluate((element) => element.scrollWidth <= element.clientWidth), 'every tab is in sight')
    const rows = await tabs.getByRole('tab').evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().top))
    assert.equal(rows.length, 9)
    assert.equal(new Set(rows).size, 1)
  })

  test('the cursor and the stop condition are picked from the response, a link from its header', async () => {
    const { page, complaints } = await builder.open('/connectors/cursor')
    const paging = section(page, 'Pagination')
    const property = paging.getByLabel('Cursor property')
    const pickCursor = paging.getByRole('button', { name: 'Pick the cursor' })

    // By keyboard: the button, which reads the first page where there is none yet, then the value.
    await pickCursor.press('Enter')
    await statusOf(page).getByText('The first page was read, to pick from').waitFor()
    // It has no pagination: nothing is said about the stream.
    assert.equal(await panelOf(page).getByText('Find out why').count(), 0)
    const picker = paging.getByRole('region', { name: 'Response to pick from' })
    await picker.getByRole('button', { name: 'Use response.meta.next_token' }).press('Enter')
    await hasValue(property, 'meta.next_token')
    assert.match(
      await picker.getByRole('button', { pressed: true }).innerText(),
      /^Use response.meta.next_token.*cursor$/s,
    )
    await page.keyboard.press('Escape')
    assert.equal(await picker.count(), 0)
    await pickCursor.and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await hasValue(property, '')
    await page.getByRole('button', { name: 'Redo' }).click()
    await hasValue(property, 'meta.next_token')
    await page.keyboard.press('Control+Enter')
    await statusOf(page).getByText('Read to the end: 5 pages, 250 records').waitFor()

    // A template: the value and the flag.
    await paging.getByLabel('Next page cursor type').selectOption('custom')
    await paging.getByRole('button', { name: 'Pick the stop condition' }).click()
    await picker.getByRole('button', { name: 'Use response.meta.has_more' }).click()
    const stop = paging.getByRole('textbox', { name: 'Stop condition' })
    await hasValue(stop, '{{ not (response.get("meta") or {}).get("has_more") }}')
    await assertAccessible(page, 'the comparison')
    await page.keyboard.press('Control+Enter')
    await statusOf(page).getByText('Read to the end: 5 pages, 250 records').waitFor()

    // Emptied, to write another, the stop condition stays; also where the form was opened with it.
    await page.getByText('YAML', { exact: true }).first().click()
    await page.locator('.cm-content').waitFor()
    await page.getByText('Form', { exact: true }).first().click()
    await stop.fill('')
    await stop.fill('{{ false }}')
    await hasValue(paging.getByLabel('Next page cursor type'), 'custom')

    // A header.
    await page.goto(`${builder.url}/connectors/link`)
    await pickCursor.click()
    await picker.getByRole('button', { name: 'Use headers.link.next.url' }).click()
    await hasValue(paging.getByLabel('Next page cursor type'), 'headers')
    await hasValue(property, 'link.next.url')
    assert.deepEqual(complaints, [])
  })
})

/** A stream whose pagination has a method, and no cursor yet. */
function cursorManifest(url: string, name: string): string {
  const option = (field: string) => `{ type: RequestOption, inject_into: request_parameter, field_name: ${field} }`
  return `version: 6.0.0
type: DeclarativeSource
check: { type: CheckStream, stream_names: [${name}] }
streams:
  - type: DeclarativeStream
    name: ${name}
    primary_key: id
    retriever:
      type: SimpleRetriever
      requester: { type: HttpRequester, url_base: ${url}, path: /${name} }
      record_selector:
        type: RecordSelector
        extractor: { type: DpathExtractor, field_path: ${name === 'link' ? '[]' : '[data]'} }
      paginator:
        type: DefaultPaginator
        pagination_strategy: { type: CursorPagination, page_size: 60 }
        page_size_option: ${option('limit')}
        page_token_option: ${option('cursor')}
spec: { type: Spec, connection_specification: { type: object, properties: {} } }
`
}

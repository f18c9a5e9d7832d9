/** From a stream without pagination to every record of the lab, by what the API itself shows. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { loadManifest, readRecords } from '../../src/index.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { assertReadable } from '../helpers/axe.ts'
import { hasValue } from '../helpers/has-value.ts'
import { noBrowser, type RunningBuilder, startBuilder } from './browser.ts'
import { section } from './form.ts'
import { readConnector, smallManifest, writeConnector } from './manifests.ts'
import { statusOf } from './panel-story.ts'

/** By the path of the dialect: how the form calls what is found. */
const dialects: Readonly<Record<string, string>> = {
  offset: 'OffsetIncrement',
  page: 'PageIncrement',
  cursor: 'CursorPagination',
  'next-url': 'CursorPagination',
  link: 'CursorPagination',
}

describe('Detect pagination', { skip: noBrowser }, () => {
  let builder: RunningBuilder
  before(async () => void (builder = await startBuilder()))
  afterEach(() => builder.closeTabs())
  after(() => builder[Symbol.asyncDispose]())

  const panelOf = (page: Page) => page.getByRole('region', { name: 'Detected pagination' })
  const detectButton = (page: Page) => section(page, 'Pagination').getByRole('button', { name: 'Detect pagination' })

  for (const [stream, strategy] of Object.entries(dialects)) {
    test(`/${stream}: found, written by one click, and every record is read`, async () => {
      const name = `found-${stream}`
      // The list is looked for at the wrong place, too.
      const text = smallManifest(builder.lab, [stream]).replace('field_path: [data]', 'field_path: [rows]')
      writeConnector(builder.home, name, text)
      const { page, complaints } = await builder.open(`/connectors/${name}`)
      await detectButton(page).click()
      await panelOf(page).getByText('The API paginates like this').waitFor()
      await panelOf(page).getByRole('button', { name: 'Use this' }).first().click()
      await panelOf(page).getByRole('button', { name: 'In use' }).waitFor()
      await hasValue(page.getByLabel('Pagination method'), strategy)

      await page.keyboard.press('Control+s')
      await page.getByText('Saved', { exact: true }).waitFor()
      const saved = readConnector(builder.home, name)
      assert.match(saved, /# written by hand/)
      const ids: unknown[] = []
      for await (const record of readRecords(loadManifest(saved), { stream, config: {} })) ids.push(record.id)
      assert.equal(new Set(ids).size, 250)
      assert.equal(ids.length, 250)

      await page.getByRole('button', { name: 'Undo' }).click()
      assert.equal(await page.getByRole('switch', { name: 'Pagination on' }).isChecked(), false)
      assert.deepEqual(complaints, [])
      await builder.close(page)
    })
  }

  /** The request as a browser copies it, with the values of its first page. */
  async function openCurl(name: string, command: string) {
    writeConnector(builder.home, 'another', smallManifest(builder.lab, ['offset']))
    const opened = await builder.open()
    const { page } = opened
    await page.getByRole('button', { name: 'New connector' }).click()
    await page.getByRole('button', { name: 'Paste a cURL' }).click()
    await page.getByLabel('cURL command').fill(command)
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Create' }).click()
    await detectButton(page).waitFor()
    return opened
  }

  test('a cURL with paging values: one click replaces them, tests, and reads everything', async () => {
    const { page, complaints } = await openCurl('from-query', `curl '${builder.lab}/offset?limit=50&offset=0'`)
    await detectButton(page).click()
    await panelOf(page).getByRole('button', { name: 'Use this' }).first().click()
    await statusOf(page).getByText('Read to the end: 3 pages, 250 records').waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText('Saved', { exact: true }).waitFor()
    const saved = readConnector(builder.home, 'from-query')
    assert.doesNotMatch(saved, /request_parameters|take it out/)
    assert.deepEqual(complaints, [])
  })

  test('a cURL with paging values in a JSON body: one click replaces them, tests, and reads everything', async () => {
    await using api = await serveApi({
      'POST /search': (_query, request) => {
        const { from = 0, size = 10, query } = JSON.parse(request.body) as Record<string, never>
        const hits = Array.from({ length: 130 }, (_, id) => ({ id })).slice(from, from + Math.min(size, 50))
        return query === undefined ? { status: 400, json: {} } : { json: { hits: { total: 130, hits } } }
      },
    })
    const body = JSON.stringify({ query: { match_all: {} }, from: 0, size: 50, sort: ['id'] })
    const curl = `curl '${api.url}/search' -H 'Content-Type: application/json' --data-raw '${body}'`
    const { page, complaints } = await openCurl('from-body', curl)
    await detectButton(page).click()
    await panelOf(page).getByRole('button', { name: 'Use this' }).first().click()
    await statusOf(page).getByText('Read to the end: 3 pages, 130 records').waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText('Saved', { exact: true }).waitFor()
    const saved = readConnector(builder.home, 'from-body')
    const sent = api.requests.at(-1)?.body ?? ''
    assert.deepEqual(JSON.parse(sent), { query: { match_all: {} }, from: 100, size: 50, sort: ['id'] })
    assert.match(saved, /match_all/)
    assert.deepEqual(complaints, [])
  })

  test('two fixed values that collide with the paginator: the form shows the field, diagnosis removes both', async () => {
    const fixed = 'path: /offset\n        request_parameters: { limit: "50", offset: "0", sort: id }'
    writeConnector(builder.home, 'fixed', smallManifest(builder.lab, ['offset']).replace('path: /offset', fixed))
    const { page, complaints } = await builder.open('/connectors/fixed')
    await page.getByRole('switch', { name: 'Pagination on' }).click()
    await page.getByLabel('Limit', { exact: true }).fill('100')
    await page.getByRole('switch', { name: 'Inject Offset on First Request' }).click()
    await page.keyboard.press('Control+Enter')
    const problem = page.getByRole('alert', { name: 'What went wrong' })
    await problem.getByRole('button', { name: 'Show in the form' }).click()
    const field = page.getByLabel('Value of offset')
    await field.and(page.locator(':focus')).waitFor()
    await problem.getByRole('button', { name: 'Find out why' }).click()
    const diagnosis = page.getByRole('region', { name: 'Diagnosis' })
    await diagnosis.getByRole('button', { name: 'Apply and test' }).click()
    await statusOf(page).getByText('Read to the end: 3 pages, 250 records').waitFor()
    await hasValue(page.getByLabel('Value of sort'), 'id')
    assert.equal(await field.or(page.getByLabel('Value of limit')).count(), 0)
    assert.deepEqual(complaints, [])
  })

  test('what has no pages is said to have none', async () => {
    writeConnector(builder.home, 'all', smallManifest(builder.lab, ['all']))
    const { page } = await builder.open('/connectors/all')
    await detectButton(page).click()
    await panelOf(page).getByText('Not paginated').waitFor()
  })

  test('an unknown pagination is reported as unknown, and nothing is recommended', async () => {
    await using tiny = await serveApi({ '*': () => ({ json: { data: [{ id: 1 }] } }) })
    writeConnector(builder.home, 'tiny', smallManifest(tiny.url, ['items']))
    const { page } = await builder.open('/connectors/tiny')
    await detectButton(page).click()
    await panelOf(page).locator('.answer[data-answer="cannot-tell"]').waitFor()
    assert.equal(await panelOf(page).locator('.button.main').count(), 0)
  })

  test('what the API refuses is said, with what to do', async () => {
    writeConnector(builder.home, 'lost', smallManifest(builder.lab, ['nothing-here']))
    const { page } = await builder.open('/connectors/lost')
    await detectButton(page).click()
    await panelOf(page).getByRole('alert').getByText('404').waitFor()
  })

  test('by keys: begun, cancelled, which ends the request to the API, and closed', async () => {
    let tell: (response: ServerResponse) => void = () => {}
    const isAsked = new Promise<ServerResponse>((resolve) => {
      tell = resolve
    })
    await using silent = await serveApi({ '*': () => ({ raw: tell }) })
    writeConnector(builder.home, 'silent', smallManifest(silent.url, ['items']))
    const { page } = await builder.open('/connectors/silent')
    await detectButton(page).focus()
    await page.keyboard.press('Enter')
    const closed = once(await isAsked, 'close')
    await panelOf(page).getByRole('button', { name: 'Cancel' }).focus()
    await page.keyboard.press('Enter')
    await closed
    await panelOf(page).getByText('The detection was cancelled.').waitFor()
    await panelOf(page).getByRole('button', { name: 'Close' }).focus()
    await page.keyboard.press('Enter')
    await panelOf(page).waitFor({ state: 'detached' })
  })

  test('axe objects to nothing and nothing is too wide, on a phone too', async () => {
    writeConnector(builder.home, 'looks', smallManifest(builder.lab, ['page']))
    const { page } = await builder.open('/connectors/looks', { viewport: { width: 390, height: 900 } })
    await detectButton(page).click()
    await panelOf(page).getByRole('button', { name: 'Use this' }).first().waitFor()
    await panelOf(page)
      .getByText(/sent to find out/)
      .click()
    await assertReadable(page, 'what was detected', [390, 1440])
  })
})

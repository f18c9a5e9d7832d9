/** Each pagination method, from an empty form to every record of the lab. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { loadManifest, readRecords } from '../../src/index.ts'
import { noBrowser, type RunningBuilder, startBuilder } from './browser.ts'
import { section } from './form.ts'
import { hasValue } from '../helpers/has-value.ts'

/** As small as a connector can be: an address, and no stream. */
const emptyManifest = (lab: string) => `version: 6.0.0
type: DeclarativeSource
# where all streams ask
definitions:
  requester:
    type: HttpRequester
    url_base: ${lab}
check: { type: CheckStream, stream_names: [] }
streams: []
`

const everyId = Array.from({ length: 250 }, (_, index) => index + 1)

describe('a pagination method, from an empty form to every record', { skip: noBrowser }, () => {
  let builder: RunningBuilder
  let connectors = 0
  before(async () => void (builder = await startBuilder()))
  afterEach(() => builder.closeTabs())
  after(() => builder[Symbol.asyncDispose]())

  /** A new connector and in it a new stream, open in the form; pagination is on. */
  async function startStream(
    path: string,
    list: string,
  ): Promise<{ form: Form; page: Page; name: string; complaints: readonly string[] }> {
    const name = `story-${++connectors}`
    await builder.create(name, emptyManifest(builder.lab))
    const { page, complaints } = await builder.open(`/connectors/${name}`)
    const added = page.getByRole('form', { name: 'New stream' }).last()
    await added.getByLabel('Name').fill('records')
    await added.getByLabel('Path').fill(path)
    await added.getByRole('button', { name: 'Add' }).click()
    await section(page, 'Records').getByLabel('Field path', { exact: true }).fill(list)
    await section(page, 'Pagination').getByRole('switch', { name: 'Pagination on' }).check()
    return { form: formOf(page), page, name, complaints }
  }

  test('a page size that cannot be is refused in place; a template is completed, tried and gets its input', async () => {
    const { form, page, name, complaints } = await startStream('/offset', 'data')
    const pagination = section(page, 'Pagination')
    const limit = form.field('Limit')
    for (const [typed, fault] of [
      ['-5', 'This must be a whole number of 1 or more'],
      ['0', 'This must be a whole number of 1 or more'],
      ['abc', 'This is not a whole number'],
      ['1.5', 'This is not a whole number'],
      ['', 'Enter a whole number'],
    ] as const) {
      await limit.fill(typed)
      await pagination.getByText(fault).waitFor()
      assert.equal(await limit.getAttribute('aria-invalid'), 'true', typed)
    }
    await limit.fill("{{ config['page_size'] }}")
    await pagination.getByRole('button', { name: 'try Limit' }).waitFor()
    await pagination.getByRole('button', { name: 'Create input page_size' }).click()
    await pagination.getByLabel('Page size').fill('40')
    await pagination.getByText('limit=40').first().waitFor()
    await limit.fill('25')
    await pagination.getByText('limit=25').first().waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.match(readFileSync(join(builder.home, 'connectors', name, 'manifest.yaml'), 'utf8'), /page_size: 25\n/)
    assert.deepEqual(complaints, [])
  })

  /** Tests in the page, saves, and reads the saved connector with the library: both must have every record. */
  async function assertEveryRecord({
    page,
    name,
    complaints,
  }: {
    page: Page
    name: string
    complaints: readonly string[]
  }) {
    await page.keyboard.press('Control+Enter')
    await page
      .getByText(/Read to the end: 3 pages, 250 records/)
      .first()
      .waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText('Saved', { exact: true }).waitFor()
    const folder = join(builder.home, 'connectors', name)
    const text = readFileSync(join(folder, 'manifest.yaml'), 'utf8')
    assert.match(text, /# where all streams ask/)
    const ids: unknown[] = []
    for await (const record of readRecords(loadManifest(text, { folder }), { stream: 'records', config: {} })) {
      ids.push(record.id)
    }
    assert.deepEqual(ids, everyId)
    assert.deepEqual(complaints, [])
    await builder.close(page)
  }

  test('Offset Increment', async () => {
    const story = await startStream('/offset', 'data')
    const { form, page } = story
    await form.field('Limit').fill('100')
    await hasValue(form.injection('limit').field('Field name'), 'limit')
    const preview = page.getByRole('region', { name: 'First requests' })
    await preview.getByText('offset=200').waitFor()
    assert.deepEqual(await preview.locator('mark[data-what=page-token]').allTextContents(), ['page', '100', '200'])
    await assertEveryRecord(story)
  })

  test('Offset Increment in headers, from the first request on', async () => {
    const story = await startStream('/offset-header', 'data')
    const { form } = story
    await form.injection('offset').field('Inject into').selectOption('header')
    await form.injection('offset').field('Field name').fill('X-Offset')
    await form.injection('limit').field('Inject into').selectOption('header')
    await form.injection('limit').field('Field name').fill('X-Limit')
    await form.field('Inject Offset on First Request').check()
    await assertEveryRecord(story)
  })

  test('Page Increment that counts from 1', async () => {
    const story = await startStream('/page', 'data')
    const { form } = story
    await form.method('Page Increment')
    await form.field('Start From Page').fill('1')
    await form.injection('page size').field('Field name').fill('per_page')
    await form.field('Inject Page Number on First Request').check()
    await assertEveryRecord(story)
  })

  test('Page Increment that counts from 0', async () => {
    const story = await startStream('/page0', 'data')
    const { form } = story
    await form.method('Page Increment')
    await form.injection('page size').field('Field name').fill('per_page')
    await assertEveryRecord(story)
  })

  test('Cursor Pagination, from the response', async () => {
    const story = await startStream('/cursor', 'data')
    const { form } = story
    await form.method('Cursor Pagination')
    await form.field('Cursor property').fill('meta.next_token')
    await assertEveryRecord(story)
  })

  test('Cursor Pagination, from the headers', async () => {
    const story = await startStream('/cursor-header', 'data')
    const { form } = story
    await form.method('Cursor Pagination')
    await form.field('Next page cursor type').selectOption('headers')
    await form.field('Cursor property').fill('X-Next-Cursor')
    await assertEveryRecord(story)
  })

  test('Cursor Pagination, a Link header as the next address', async () => {
    const story = await startStream('/link', '')
    const { form } = story
    await form.method('Cursor Pagination')
    await form.field('Next page cursor type').selectOption('headers')
    await form.field('Cursor property').fill('link.next.url')
    await form.injection('cursor').field('Inject into').selectOption('path')
    await form.injection('page size').field('Field name').fill('per_page')
    await assertEveryRecord(story)
  })

  test('Cursor Pagination, a template with a stop condition', async () => {
    const story = await startStream('/after', 'data')
    const { form } = story
    await form.method('Cursor Pagination')
    await form.field('Next page cursor type').selectOption('custom')
    await form.field('Cursor value').fill('{{ last_record.id }}')
    await form.field('Stop condition').fill('{{ response.has_more is false }}')
    await form.injection('cursor').field('Field name').fill('after')
    await assertEveryRecord(story)
  })

  test('Cursor Pagination, the next address in the response', async () => {
    const story = await startStream('/next-url', 'data')
    const { form, page } = story
    await form.method('Cursor Pagination')
    await form.field('Cursor property').fill('links.next')
    await form.injection('cursor').field('Inject into').selectOption('path')
    await page.getByRole('region', { name: 'First requests' }).getByText('‹link from page 2›').waitFor()
    await assertEveryRecord(story)
  })

  test('Cursor Pagination, nested in a JSON body', async () => {
    const story = await startStream('/search', 'results')
    const { form, page } = story
    await section(page, 'Request').getByLabel('Method', { exact: true }).selectOption('POST')
    await form.method('Cursor Pagination')
    await form.field('Cursor property').fill('page.next_cursor')
    await form.injection('cursor').field('Inject into').selectOption('body_json')
    await form.injection('cursor').field('Field name').fill('page.cursor')
    await form.injection('page size').field('Inject into').selectOption('body_json')
    await form.injection('page size').field('Field name').fill('page.size')
    await assertEveryRecord(story)
  })

  test('Cursor Pagination, in a form', async () => {
    const story = await startStream('/form', 'items')
    const { form, page } = story
    await section(page, 'Request').getByLabel('Method', { exact: true }).selectOption('POST')
    await form.method('Cursor Pagination')
    await form.field('Cursor property').fill('next_cursor')
    await form.injection('cursor').field('Inject into').selectOption('body_data')
    await form.injection('page size').field('Inject into').selectOption('body_data')
    await form.injection('page size').field('Field name').fill('size')
    await assertEveryRecord(story)
  })

  test('Custom Pagination Strategy, a class in the connector’s folder', async () => {
    const story = await startStream('/page', 'data')
    const { form, name } = story
    const folder = join(builder.home, 'connectors', name, 'source_story')
    mkdirSync(folder)
    writeFileSync(
      join(folder, 'paging.ts'),
      `import { PaginationStrategy } from 'turnleaf'
export class Pages extends PaginationStrategy {
  get pageSize() { return 100 }
  nextPageToken({ lastPageSize, token }) { return lastPageSize < 100 ? null : (token ?? 1) + 1 }
}
`,
    )
    await form.method('Custom Pagination Strategy')
    await form.field('Class Name').fill('source_story.paging.Pages')
    await form.injection('cursor').field('Field name').fill('page')
    await form.injection('page size').field('Field name').fill('per_page')
    await assertEveryRecord(story)
  })

  test('injected by hand: two values in one parameter', async () => {
    const story = await startStream('/range', 'data')
    const { form, page } = story
    await form.toggle('offset').uncheck()
    await form.toggle('limit').uncheck()
    const request = section(page, 'Request')
    await request.getByRole('button', { name: 'Add parameter' }).click()
    await page.keyboard.type('range')
    await request.getByLabel('Value of range').fill("{{ next_page_token['next_page_token'] or '0' }},100")
    await assertEveryRecord(story)
  })
})

type Form = {
  field(label: string): Locator
  method(label: string): Promise<void>
  toggle(word: string): Locator
  injection(word: string): { field(label: string): Locator }
}

function formOf(page: Page): Form {
  const pagination = section(page, 'Pagination')
  const injectionOf = (word: string) => `Inject ${word} into outgoing HTTP request`
  return {
    field: (label) => pagination.getByLabel(label, { exact: true }),
    method: async (label) =>
      void (await pagination.getByLabel('Pagination method', { exact: true }).selectOption({ label })),
    toggle: (word) => pagination.getByRole('switch', { name: injectionOf(word) }),
    injection: (word) => ({
      field: (label) => pagination.getByRole('group', { name: injectionOf(word) }).getByLabel(label, { exact: true }),
    }),
  }
}

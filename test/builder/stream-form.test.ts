/** The form of a stream: over what others wrote, by keyboard, on every screen. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { parse, stringify } from 'yaml'
import { assertReadable } from '../helpers/axe.ts'
import { hasValue } from '../helpers/has-value.ts'
import { noBrowser, type OpenedPage, type RunningBuilder, startBuilder } from './browser.ts'
import { section } from './form.ts'
import { statusOf } from './panel-story.ts'

/** Three streams that share a paginator; comments, older spellings and unknown keys. */
const shared = (lab: string) => `version: 6.0.0
type: DeclarativeSource
definitions:
  paginator: # used by all
    type: DefaultPaginator
    pagination_strategy:
      type: OffsetIncrement
      page_size: "50" # in quotes
      mood: calm
    page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: offset }
    page_size_option: { type: RequestOption, inject_into: request_parameter, field_name: limit }
check: { type: CheckStream, stream_names: [first] }
streams:
${['first', 'second', 'third']
  .map(
    (name) => `  - type: DeclarativeStream
    name: ${name}
    primary_key: id
    retriever:
      type: SimpleRetriever
      requester:
        type: HttpRequester
        url_base: ${lab}
        path: /offset
        request_parameters:
          sort: id # stable
          state: open
      record_selector:
        type: RecordSelector
        extractor: { type: DpathExtractor, field_path: [] }
      paginator: { $ref: "#/definitions/paginator" }
`,
  )
  .join('')}`

/** A stream that is asked with POST, and has no body yet. */
const graphql = (lab: string) => `version: 6.0.0
type: DeclarativeSource
check: { type: CheckStream, stream_names: [records] }
streams:
  - type: DeclarativeStream
    name: records
    retriever:
      type: SimpleRetriever
      requester: { type: HttpRequester, url_base: ${lab}, path: /graphql, http_method: POST }
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [] } }
`

describe('the form of a stream', { skip: noBrowser }, () => {
  let builder: RunningBuilder
  let connectors = 0
  before(async () => void (builder = await startBuilder()))
  afterEach(() => builder.closeTabs())
  after(() => builder[Symbol.asyncDispose]())

  async function openForm(text: string, options?: BrowserContextOptions): Promise<OpenedPage & { name: string }> {
    const name = `form-${++connectors}`
    await builder.create(name, text)
    const opened = await builder.open(`/connectors/${name}`, options)
    await section(opened.page, 'Request').waitFor()
    return { ...opened, name }
  }

  async function saved(page: Page, name: string): Promise<string> {
    await page.keyboard.press('Control+s')
    await page.getByText('Saved', { exact: true }).waitFor()
    return readFileSync(join(builder.home, 'connectors', name, 'manifest.yaml'), 'utf8')
  }

  test('a secret typed into a header becomes an input on request, and leaves the text', async () => {
    const { page, name, complaints } = await openForm(shared(builder.lab))
    const request = section(page, 'Request')
    await request.getByRole('button', { name: 'Add header' }).click()
    await page.keyboard.type('X-Api-Key')
    await request.getByLabel('Value of X-Api-Key').fill('hush-4711-hush')
    await request.getByText('This looks like a secret').waitFor()
    await request.getByRole('button', { name: 'Make it an input' }).click()
    await request.getByText('This looks like a secret').waitFor({ state: 'detached' })
    const text = await saved(page, name)
    assert.ok(text.includes(`X-Api-Key: "{{ config['x_api_key'] }}"`), text)
    assert.ok(text.includes('airbyte_secret: true'))
    assert.ok(!text.includes('hush'))
    assert.deepEqual(complaints, [])
  })

  test('a definition that streams share says so, and is changed for one of them on request', async () => {
    const { page, name, complaints } = await openForm(shared(builder.lab))
    const pagination = section(page, 'Pagination')
    await pagination.getByText('Shared by 3 streams').waitFor()
    await pagination.getByRole('button', { name: 'Change only here' }).click()
    await pagination.getByText('Shared by 3 streams').waitFor({ state: 'detached' })
    await pagination.getByLabel('Limit', { exact: true }).fill('75')
    const text = await saved(page, name)
    const manifest = parse(text)
    assert.equal(manifest.definitions.paginator.pagination_strategy.page_size, '50')
    assert.equal(
      manifest.streams[0].retriever.paginator.pagination_strategy.page_size,
      '75',
      'digits in quotes stay so',
    )
    assert.deepEqual(manifest.streams[1].retriever.paginator, { $ref: '#/definitions/paginator' })
    assert.match(text, /paginator: # used by all/)
    assert.match(text, /page_size: "50" # in quotes/)
    assert.deepEqual(complaints, [])
  })

  test('what the form has no field for is named and kept', async () => {
    const { page, name } = await openForm(shared(builder.lab))
    const pagination = section(page, 'Pagination')
    await pagination.getByText('mood is set in the manifest too.').waitFor()
    await pagination.getByLabel('Pagination method', { exact: true }).selectOption('PageIncrement')
    const { definitions } = parse(await saved(page, name))
    assert.deepEqual(definitions.paginator.pagination_strategy, {
      type: 'PageIncrement',
      page_size: '50',
      mood: 'calm',
    })
    assert.equal(definitions.paginator.page_token_option.field_name, 'page')
  })

  test('pagination that is switched off goes for this stream alone, and comes back as it was', async () => {
    const original = shared(builder.lab)
    const { page, name } = await openForm(original)
    const toggle = section(page, 'Pagination').getByRole('switch', { name: 'Pagination on' })
    await toggle.uncheck()
    await section(page, 'Pagination').getByText('one request per slice').waitFor()
    const off = await saved(page, name)
    assert.equal(parse(off).streams[0].retriever.paginator ?? null, null)
    assert.deepEqual(parse(off).streams[1], parse(original).streams[1])
    await toggle.check()
    assert.deepEqual(parse(await saved(page, name)), parse(original))
  })

  test('a cursor template that is emptied to write another stays a template', async () => {
    const text = shared(builder.lab).replace(
      `type: OffsetIncrement
      page_size: "50" # in quotes`,
      `type: CursorPagination
      cursor_value: "{{ last_record['id'] + 1 }}"`,
    )
    const { page, name } = await openForm(text)
    const cursor = section(page, 'Pagination').getByLabel('Cursor value', { exact: true })
    await cursor.fill('')
    await cursor.fill('{{ last_record.id }}')
    const { paginator } = parse(await saved(page, name)).definitions
    assert.equal(paginator.pagination_strategy.cursor_value, '{{ last_record.id }}')
  })

  test('a method that is tried and changed back leaves no trace', async () => {
    const { page, name } = await openForm(shared(builder.lab))
    const method = section(page, 'Pagination').getByLabel('Pagination method', { exact: true })
    await method.selectOption('CursorPagination')
    await section(page, 'Pagination').getByLabel('Cursor property', { exact: true }).fill('next')
    await method.selectOption('CustomPaginationStrategy')
    await method.selectOption('OffsetIncrement')
    const { paginator } = parse(await saved(page, name)).definitions
    assert.deepEqual(paginator, parse(shared(builder.lab)).definitions.paginator)
  })

  test('parameters are added, named, moved and removed by keyboard; comments next to them stay', async () => {
    const { page, name, complaints } = await openForm(shared(builder.lab))
    const request = section(page, 'Request')
    await request.getByRole('button', { name: 'Add parameter' }).focus()
    await page.keyboard.press('Enter')
    await request.getByText('Enter a name for the parameter').waitFor()
    await page.keyboard.type('state')
    await request.getByText('Another parameter has this name.').waitFor()
    await page.keyboard.type('_of')
    await request.getByText('Another parameter has this name.').waitFor({ state: 'detached' })
    await page.keyboard.press('Tab')
    await page.keyboard.type('{{ config')
    assert.match(await saved(page, name), /sort: id # stable\n {10}state: open\n {10}state_of: "\{\{ config/)
    await request.getByLabel('Name of state_of').focus()
    await page.keyboard.press('Alt+ArrowUp')
    assert.equal(await request.locator('input:focus').getAttribute('aria-label'), 'Name of state_of')
    const { request_parameters: moved } = parse(await saved(page, name)).streams[0].retriever.requester
    assert.deepEqual(Object.keys(moved), ['sort', 'state_of', 'state'])
    await request.getByRole('button', { name: 'Remove state_of' }).click()
    const text = await saved(page, name)
    assert.deepEqual(parse(text).streams[0], parse(shared(builder.lab)).streams[0])
    assert.match(text, /sort: id # stable/)
    assert.deepEqual(complaints, [])
  })

  test('the records are picked from the response, and their key from what differs', async () => {
    const { page, name, complaints } = await openForm(shared(builder.lab))
    const records = section(page, 'Records')
    assert.ok(await records.getByRole('button', { name: 'Pick', exact: true }).isDisabled())
    await page.keyboard.press('Control+Enter')
    await records.getByRole('button', { name: 'Pick', exact: true }).click()
    await records.getByRole('button', { name: 'Use data, list of' }).click()
    await hasValue(records.getByLabel('Field path', { exact: true }), 'data')
    await page.keyboard.press('Control+Enter')
    await records.getByRole('button', { name: 'email', exact: true }).click()
    await hasValue(records.getByLabel('Primary key', { exact: true }), 'id, email')
    const [stream] = parse(await saved(page, name)).streams
    assert.deepEqual(stream.retriever.record_selector.extractor, { type: 'DpathExtractor', field_path: ['data'] })
    assert.deepEqual(stream.primary_key, ['id', 'email'])
    assert.deepEqual(complaints, [])
  })

  for (const file of ['source-hubspot', 'source-monday', 'source-gitlab', 'source-gong', 'source-zendesk-chat']) {
    test(`opens ${file} and every stream of it without changing a letter`, async () => {
      const { page, complaints } = await openForm(readFileSync(`test/manifests/${file}.yaml`, 'utf8'))
      const streams = await page.getByRole('navigation').getByRole('button').allInnerTexts()
      for (const stream of streams.slice(-4)) {
        await page.goto(`${page.url().split('?')[0]}?part=${encodeURIComponent(stream.trim())}`)
        await section(page, 'Pagination').waitFor()
      }
      assert.equal(await page.getByText('Saved', { exact: true }).count(), 1)
      assert.deepEqual(complaints, [])
    })
  }

  test('a GraphQL query gets its variables, and its pagination is found', async () => {
    const { page, name, complaints } = await openForm(graphql(builder.lab))
    const request = section(page, 'Request')
    await request.getByLabel('Body', { exact: true }).selectOption('graphql')
    const query = 'query($first: Int!, $after: String) { records(first: $first, after: $after) { id } }'
    await request.getByLabel('Query', { exact: true }).fill(query)
    const variables = request.getByLabel('Variables', { exact: true })
    await variables.fill('{"first": 5, "where": {"state": ["open"')
    await request.getByText('This is not valid JSON yet').waitFor()
    await variables.fill('{"first": 5, "where": {"state": ["open"]}}')
    const bodyIn = (text: string) => parse(text).streams[0].retriever.requester.request_body.value
    assert.deepEqual(bodyIn(await saved(page, name)), {
      type: 'RequestBodyGraphQlQuery',
      query,
      variables: { first: 5, where: { state: ['open'] } },
    })
    await variables.fill('{"first": 5}')
    await page.getByRole('button', { name: 'Detect pagination' }).click()
    await page.getByRole('button', { name: 'Use this' }).first().click()
    await statusOf(page).getByText('250 records').waitFor()

    await variables.fill('')
    assert.deepEqual(Object.keys(bodyIn(await saved(page, name))), ['type', 'query'], 'emptied, the key goes')
    assert.deepEqual(complaints, [])
  })

  test('a query of several lines is a block in the text, and pagination starts in its variables', async () => {
    const inBlocks = stringify(parse(graphql(builder.lab)))
    const { page, name, complaints } = await openForm(inBlocks)
    const request = section(page, 'Request')
    await request.getByLabel('Body', { exact: true }).selectOption('graphql')
    const query = request.getByLabel('Query', { exact: true })
    await query.focus()
    const lines = ['query($limit: Int) {', '  records(first: $limit) { id }', '}']
    await page.keyboard.type(lines.join('\n'))
    await hasValue(query, lines.join('\n'))
    await section(page, 'Pagination').getByRole('switch', { name: 'Pagination' }).click()
    await section(page, 'Pagination').getByLabel('Pagination method', { exact: true }).waitFor()
    const text = await saved(page, name)
    assert.match(text, /query: \|-\n( +)query\(\$limit: Int\) \{\n\1 {2}records\(first: \$limit\) \{ id \}\n\1\}\n/)
    const { page_token_option: token } = parse(text).streams[0].retriever.paginator
    assert.deepEqual(token, { type: 'RequestOption', inject_into: 'body_json', field_path: ['variables', 'offset'] })
    assert.deepEqual(complaints, [])
  })

  test('what a slice sends starts in the variables of a query too, and is shown there', async () => {
    const query = 'query($state: String, $since: String) { records(state: $state, since: $since) { id } }'
    const body = `request_body_json: { query: "${query}" }`
    const text = graphql(builder.lab).replace('http_method: POST', `http_method: POST, ${body}`)
    const { page, name, complaints } = await openForm(text)
    const parts = section(page, 'Partitioning')
    await parts.getByRole('switch', { name: 'Partitioning on' }).check()
    await parts.getByLabel('Values', { exact: true }).fill('open')
    await parts.getByLabel('Partition field', { exact: true }).fill('state')
    await parts.getByRole('switch', { name: 'Inject value into outgoing HTTP request' }).check()
    const time = section(page, 'Incremental sync')
    await time.getByRole('switch', { name: 'Incremental sync on' }).check()
    await time.getByRole('textbox', { name: 'Cursor field', exact: true }).fill('updated_at')
    await time.getByRole('switch', { name: 'Inject start time into outgoing HTTP request' }).check()
    // Only the author knows its name: the help says where it belongs.
    await time.getByText('A dot leads into an object: variables.cursor.').waitFor()
    await time.getByLabel('Field name', { exact: true }).fill('variables.since')
    const preview = time.getByRole('region', { name: 'First window' })
    await preview.getByText('"since": "2024-01-01T00:00:00Z"').and(preview.getByText('"state": "open"')).waitFor()
    // A path that has no place to break but its dots does not widen a phone.
    const pagination = section(page, 'Pagination')
    await pagination.getByRole('switch', { name: 'Pagination on' }).check()
    await pagination.getByLabel('Pagination method', { exact: true }).selectOption('CursorPagination')
    await pagination
      .getByLabel('Cursor property', { exact: true })
      .fill('data.organization.repositories.pageInfo.endCursor')
    await pagination.getByText('Stops when response.data.organization').waitFor()
    await page.setViewportSize({ width: 390, height: 800 })
    const form = page.getByRole('main')
    assert.equal(await form.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), true)
    const { retriever, incremental_sync: cursor } = parse(await saved(page, name)).streams[0]
    const into = { type: 'RequestOption', inject_into: 'body_json' }
    assert.deepEqual(retriever.partition_router.request_option, { ...into, field_path: ['variables', 'state'] })
    assert.deepEqual(cursor.start_time_option, { ...into, field_path: ['variables', 'since'] })
    assert.deepEqual(complaints, [])
  })

  test('nothing to object to, on a phone too', async () => {
    const { page, complaints } = await openForm(shared(builder.lab), { viewport: { width: 390, height: 900 } })
    await section(page, 'Pagination').getByLabel('Pagination method', { exact: true }).selectOption('CursorPagination')
    await section(page, 'Request').getByLabel('Body', { exact: true }).selectOption('json')
    await section(page, 'Request').getByRole('button', { name: 'Add header' }).click()
    await section(page, 'Pagination').getByRole('region', { name: 'First requests' }).waitFor()
    await assertReadable(page, 'the form', [390, 1440])
    assert.deepEqual(complaints, [])
  })
})

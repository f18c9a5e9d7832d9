/** Several streams in one editor: each has its own form, its own test, and its own place on the page. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, assertFits } from '../helpers/axe.ts'
import { hasValue } from '../helpers/has-value.ts'
import { noBrowser, type RunningBuilder, startBuilder } from './browser.ts'
import { section } from './form.ts'
import { readConnector, smallManifest, writeConnector } from './manifests.ts'
import { panelOf, statusOf } from './panel-story.ts'

describe('the streams of a connector', { skip: noBrowser }, () => {
  let builder: RunningBuilder
  before(async () => {
    builder = await startBuilder()
    writeConnector(builder.home, 'two', smallManifest(builder.lab, ['offset', 'cursor']))
    writeConnector(builder.home, 'made', templated(builder.lab))
  })
  afterEach(() => builder.closeTabs())
  after(() => builder[Symbol.asyncDispose]())

  const goToStream = (page: Page, name: string) =>
    page.getByRole('navigation').getByRole('link', { name, exact: true }).click()

  test('a test, the page that templates are tried with, and the scroll position belong to one stream', async () => {
    const { page, complaints } = await builder.open('/connectors/two?part=offset')
    await panelOf(page).getByRole('button', { name: 'Test offset' }).click()
    await statusOf(page).getByText('Ended: 1 page').waitFor()
    await page.locator('.middle').evaluate((middle) => (middle.scrollTop = 40))

    await goToStream(page, 'cursor')
    await panelOf(page).getByRole('button', { name: 'Test cursor' }).waitFor()
    assert.equal(await statusOf(page).innerText(), '')
    assert.equal(await page.locator('.middle').evaluate(({ scrollTop }) => scrollTop), 0)
    await page.getByRole('button', { name: 'try Path' }).click()
    await page.getByRole('region', { name: 'Playground' }).getByText('No page was read yet.').waitFor()

    await goToStream(page, 'offset')
    await statusOf(page).getByText('Ended: 1 page').waitFor()
    assert.equal(await page.locator('.middle').evaluate(({ scrollTop }) => scrollTop), 40)
    await page.getByRole('button', { name: 'try Path' }).click()
    await page.getByRole('region', { name: 'Playground' }).getByLabel('Page of offset').waitFor()
    await page.getByRole('link', { name: 'Inputs' }).click()
    await panelOf(page).getByRole('button', { name: 'Test offset' }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('undo in a text box works after a completion', async () => {
    const { page } = await builder.open('/connectors/two?part=offset')
    const path = page.getByRole('textbox', { name: 'Path', exact: true })
    await path.press('End')
    await page.keyboard.type('/{{ conf')
    await page.getByRole('listbox').getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await hasValue(path, '/offset/{{ config')
    await page.keyboard.press('Control+z')
    await hasValue(path, '/offset/{{ conf')
  })

  test('a template of streams has the form of the template, and says that it is one', async () => {
    const { page, complaints } = await builder.open('/connectors/made?part=dynamic+stream+1')
    await page.getByRole('note').getByText('one stream is made for each record').waitFor()
    const path = section(page, 'Request').getByRole('textbox', { name: 'Path', exact: true })
    await hasValue(path, '/offset')
    await path.fill('/cursor')
    await page.keyboard.press('Control+s')
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal(
      readConnector(builder.home, 'made'),
      templated(builder.lab).replace('path: /offset\n', 'path: /cursor\n'),
    )
    await panelOf(page).getByText('are made when the connector runs').waitFor()
    await assertAccessible(page, 'a template of streams')
    assert.deepEqual(complaints, [])
  })

  for (const [width, height] of [
    [1440, 600],
    [390, 844],
  ] as const) {
    test(`the document never scrolls, ${width} by ${height}`, async () => {
      const { page } = await builder.open('/connectors/two?part=offset', { viewport: { width, height } })
      await page.getByRole('switch', { name: 'Pagination on' }).click()
      await page.getByLabel('Limit', { exact: true }).waitFor()
      const screens = ['', '&view=yaml', '.inputs', '.authentication', '.base-url', '.versions', '.sync', 'offset']
      for (const screen of screens) {
        if (screen.startsWith('.')) await page.goto(`${builder.url}/connectors/two?part=${screen}`)
        else if (screen !== '') await page.goto(`${builder.url}/connectors/two?part=offset${screen}`)
        await page.locator('.middle').waitFor()
        await page.locator('.middle').evaluate((middle) => (middle.scrollTop = middle.scrollHeight))
        const over = Number(await page.evaluate('document.scrollingElement.scrollHeight - innerHeight'))
        assert.ok(over <= 0, `${screen}: ${over} pixels too long`)
        await assertFits(page, screen)
      }
    })
  }
})

/** Streams that are made of the records of a response. */
function templated(baseUrl: string): string {
  const plain = smallManifest(baseUrl, ['offset'])
  const [head = '', stream = ''] = plain.split('streams:\n')
  const [written = '', spec = ''] = stream.split('spec:\n')
  const template = written.replace('  - ', '    ').replaceAll(/^/gm, '    ').trimEnd()
  return `${head}dynamic_streams:
  - type: DynamicDeclarativeStream
    components_resolver:
      type: HttpComponentsResolver
      retriever:
        type: SimpleRetriever
        requester: { $ref: "#/definitions/requester", path: /offset }
        record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [data] } }
      components_mapping:
        - { type: ComponentMappingDefinition, field_path: [name], value: "{{ components_values.name }}" }
    stream_template:
${template}
spec:
${spec}`
}

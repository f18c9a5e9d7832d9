/** From anything to a connector, and what is done with one as a whole: classes, another name, names of versions. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { loadManifest, readRecords } from '../../src/index.ts'
import { collect } from '../helpers/collect.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { assertAccessible, assertFits } from '../helpers/axe.ts'
import { hasValue } from '../helpers/has-value.ts'
import { noBrowser, type RunningBuilder, startBuilder } from './browser.ts'
import { section } from './form.ts'
import { manifestPath, readConnector, smallManifest, writeConnector } from './manifests.ts'
import { panelOf, statusOf } from './panel-story.ts'

const items = Array.from({ length: 25 }, (_, index) => ({ id: index + 1, name: `item ${index + 1}` }))

/** It says `page`; its API pages by offset. */
const description = (url: string) => `openapi: 3.0.0
info: { title: Shop, version: '1' }
servers: [{ url: ${url} }]
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
security: [{ key: [] }]
paths:
  /items:
    get:
      operationId: listItems
      parameters:
        - { name: page, in: query, schema: { type: integer } }
        - { name: per_page, in: query, schema: { type: integer } }
      responses:
        '200':
          description: some
          content:
            application/json:
              schema:
                type: object
                properties:
                  data: { type: array, items: { type: object, properties: { id: { type: integer } } } }
`

describe('starting from anything', { skip: noBrowser }, () => {
  const collection = mkdtempSync(join(tmpdir(), 'turnleaf-collection-'))
  let builder: RunningBuilder
  before(async () => {
    fillCollection(collection)
    builder = await startBuilder({ collection })
  })
  afterEach(() => builder.closeTabs())
  after(async () => {
    await builder[Symbol.asyncDispose]()
    rmSync(collection, { recursive: true, force: true })
  })

  test('a description by its URL: a stream is confirmed by asking the API, and what it shows is written', async () => {
    await using api = await serveApi({
      'GET /openapi.yaml': () => ({ text: description(api.url) }),
      'GET /items': (query, { headers }) => {
        if (headers['x-key'] !== 'k') return { status: 401, json: { error: 'no key' } }
        const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 10)]
        return { json: { total: items.length, offset, limit, data: items.slice(offset, offset + limit) } }
      },
    })
    const { page, complaints } = await builder.open()
    await page
      .getByRole('button', { name: /^(New connector|Import a file)/ })
      .first()
      .click()
    const way = page.getByRole('button', { name: /^Import a file/ })
    if ((await way.getAttribute('aria-expanded')) !== 'true') await way.click()
    await page.getByLabel('Manifest or description').fill(`${api.url}/openapi.yaml`)
    await page.getByRole('button', { name: 'Show its streams' }).click()
    const confirm = page.getByRole('button', { name: /^Confirm / })
    await confirm.first().waitFor()
    const proposed = await page.locator('.described-streams .paging').first().innerText()
    await confirm.first().click()
    await page.getByText('Enter X key above, and confirm again.').waitFor()
    await assertAccessible(page, 'needed inputs', '.described-streams')
    await page.getByLabel('X key').fill('k')
    await confirm.first().click()
    const outcome = page.locator('.described-streams .outcome')
    await outcome.getByText('Replaced:').waitFor()
    assert.match(await outcome.innerText(), /offset/)
    await page.getByRole('button', { name: 'Confirm again' }).waitFor()
    await page.getByText('Authentication: ').waitFor()
    assert.ok(!/offset/.test(proposed), proposed)
    await assertAccessible(page, 'a confirmed stream', '.described-streams')
    await page.getByLabel('Name', { exact: true }).fill('confirmed')
    await page.getByRole('button', { name: 'Import 1 stream' }).click()
    await section(page, 'Pagination').waitFor()
    // The inputs came along: the first test needs nothing.
    await panelOf(page)
      .getByRole('button', { name: /^Test / })
      .click()
    await statusOf(page).getByText('Read to the end').waitFor()
    const text = readConnector(builder.home, 'confirmed')
    assert.match(text, /# Pagination corrected by asking the API/)
    const manifest = loadManifest(text)
    const [stream = { name: '' }] = manifest.streams
    const records = await collect(readRecords(manifest, { stream: String(stream.name), config: { x_key: 'k' } }))
    assert.equal(records.length, items.length)
    assert.deepEqual(complaints, [])
  })

  test('a public connector is found, and copied with its licence; without a collection the page says how', async () => {
    const { page, complaints } = await builder.open()
    await page
      .getByRole('button', { name: /^(New connector|Public connectors)/ })
      .first()
      .click()
    const way = page.getByRole('button', { name: /^Public connectors/ })
    if ((await way.getAttribute('aria-expanded')) !== 'true') await way.click()
    await page.getByText('2 of 2 connectors').waitFor()
    await page.getByLabel('Name or title').fill('shop')
    await page.getByText('1 of 2 connectors').waitFor()
    await assertAccessible(page, 'public connectors')
    await page.getByRole('button', { name: 'Start from Shop API' }).click()
    await page.getByRole('link', { name: 'offset' }).waitFor()
    assert.match(readFileSync(join(dirname(manifestPath(builder.home, 'shop')), 'README.md'), 'utf8'), /ELv2/)
    assert.deepEqual(complaints, [])

    await using plain = await startBuilder()
    const { page: other } = await plain.open('/', { viewport: { width: 390, height: 844 } })
    await other.getByRole('button', { name: /^Public connectors/ }).click()
    await other.getByText('serve --collection').waitFor()
    await assertAccessible(other, 'no collection')
    await assertFits(other, 'no collection')
  })

  test('a custom class is created from the form, and the stream is read with it at once', async () => {
    const selector = `
        type: RecordSelector
        extractor: { type: DpathExtractor, field_path: [data] }`
    const shared = smallManifest(builder.lab, ['offset', 'page'])
      .replaceAll(selector, ' { $ref: "#/definitions/selector" }')
      .replace('definitions:', `definitions:\n  selector:${selector}`)
    writeConnector(builder.home, 'own-class', shared)
    const { page, complaints } = await builder.open('/connectors/own-class?part=offset')
    await page.getByRole('switch', { name: 'Pagination on' }).click()
    await page.getByLabel('Pagination method').selectOption('CustomPaginationStrategy')
    await section(page, 'Pagination').getByRole('button', { name: 'Create a custom class' }).click()
    await section(page, 'Pagination').getByText('Created source_own_class/components.ts').waitFor()
    const name = section(page, 'Pagination').getByLabel('Class Name')
    await hasValue(name, 'source_own_class.components.OwnClassPaginationStrategy')
    await assertAccessible(page, 'a created class', '.section[data-title="Pagination"]')

    // A class that is named first gets its file, in the file that is there.
    await section(page, 'Records').getByRole('button', { name: 'Extract with a custom class' }).click()
    await section(page, 'Records').getByLabel('Class name').waitFor()
    await section(page, 'Records').getByText('2 streams share this part and use the class: offset, page.').waitFor()
    await section(page, 'Records').getByText('Shared by 2 streams (offset, page)').waitFor()
    const file = join(builder.home, 'connectors/own-class/source_own_class/components.ts')
    await section(page, 'Records').getByText(file).waitFor()
    await panelOf(page).getByRole('button', { name: 'Test offset' }).click()
    await statusOf(page).getByText('Read to the end: 4 pages, 250 records').waitFor()
    await name.fill('source_own_class.other.Named')
    await section(page, 'Pagination').getByRole('button', { name: 'Create its file' }).click()
    await section(page, 'Pagination').getByText('Created source_own_class/other.ts').waitFor()
    assert.ok(existsSync(join(builder.home, 'connectors/own-class/source_own_class/other.ts')))
    assert.deepEqual(complaints, [])
  })

  test('a connector gets another name, its unsaved text and other tabs follow, and a taken name is refused', async () => {
    writeConnector(builder.home, 'taken', smallManifest(builder.lab, ['offset']))
    writeConnector(builder.home, 'before', smallManifest(builder.lab, ['offset']))
    const { page, complaints } = await builder.open('/connectors/before?part=offset')
    const { page: other } = await builder.open('/connectors/before?part=offset')
    const path = section(page, 'Request').getByRole('textbox', { name: 'Path', exact: true })
    await path.fill('/cursor')
    await section(other, 'Request').waitFor()
    await page.getByRole('button', { name: 'before', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    const field = page.getByLabel('New name of before')
    await field.fill('taken')
    await page.keyboard.press('Enter')
    await page.getByText('A connector "taken" already exists.').waitFor()
    await assertAccessible(page, 'a refused name', 'header')
    await field.fill('Afterwards')
    await page.keyboard.press('Enter')
    await page.waitForURL(/connectors\/afterwards\?part=offset/)
    await page.getByText('Unsaved').waitFor()
    await hasValue(path, '/cursor')
    await other.waitForURL(/connectors\/afterwards/)
    await other.getByText('before is called afterwards now.').waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.match(readConnector(builder.home, 'afterwards'), /path: \/cursor/)
    assert.ok(!existsSync(manifestPath(builder.home, 'before')))

    // Its versions are there; one gets a name, is found by it, and loses it.
    await page.getByRole('link', { name: 'Versions' }).click()
    const versions = page.locator('.versions-page li')
    await versions.nth(1).waitFor()
    await versions
      .nth(1)
      .getByRole('button', { name: /^Add label to the version/ })
      .click()
    await page.keyboard.type('works with API v2')
    await page.keyboard.press('Enter')
    await versions.nth(1).getByText('works with API v2').waitFor()
    await page.getByLabel('Search versions').fill('api V2')
    await page.getByText('1 version', { exact: true }).waitFor()
    assert.equal(await versions.count(), 1)
    await assertAccessible(page, 'versions with labels', 'main')
    await versions
      .first()
      .getByRole('button', { name: /^Change label of the version/ })
      .click()
    await page.keyboard.press('Delete')
    await page.keyboard.press('Enter')
    await page.getByText('0 versions', { exact: true }).waitFor()

    // From the list, too.
    await page.getByRole('link', { name: 'All connectors' }).click()
    await page.getByRole('button', { name: 'Actions for afterwards' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByLabel('New name of afterwards').fill('at-last')
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await page.getByRole('link', { name: /^at-last/ }).waitFor()
    assert.deepEqual(
      complaints.filter((one) => !one.includes('409')),
      [],
    )
  })
})

function fillCollection(folder: string): void {
  const manifest = smallManifest('https://shop.example', ['offset'])
  const files = {
    'source-shop/manifest.yaml': manifest,
    'source-shop/metadata.yaml': 'data:\n  name: Shop API\n  license: ELv2\n',
    'source-bills/manifest.yaml': manifest,
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

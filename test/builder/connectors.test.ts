import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { loadManifest } from '../../src/index.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { assertAccessible, assertReadable } from '../helpers/axe.ts'
import { hasValue } from '../helpers/has-value.ts'
import { noBrowser, type RunningBuilder, startBuilder } from './browser.ts'
import { manifestPath, readConnector, smallManifest, writeConnector } from './manifests.ts'

describe('the list of connectors', { skip: noBrowser }, () => {
  let builder: RunningBuilder
  before(async () => {
    builder = await startBuilder()
  })
  afterEach(() => builder.closeTabs())
  after(() => builder[Symbol.asyncDispose]())

  test('where there is none, offers five ways to the first', async () => {
    const { page, complaints } = await builder.open()
    await page.getByRole('heading', { name: 'Make a connector' }).waitFor()
    for (const way of [
      'Try the sample API',
      'Import a file',
      'Paste a cURL',
      'Public connectors',
      'Start from scratch',
    ]) {
      assert.ok(await page.getByRole('button', { name: way }).isVisible(), way)
    }
    assert.equal(await page.title(), 'Connectors · Turnleaf')
    assert.deepEqual(complaints, [])
  })

  test('opens the sample, which can be tested at once, offline', async () => {
    const { page, complaints } = await builder.open()
    await page.getByRole('button', { name: 'Try the sample API' }).click()
    await page.getByRole('link', { name: 'customers' }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/connectors/sample')
    await page
      .getByRole('complementary', { name: 'Test' })
      .getByRole('button', { name: /^Test / })
      .click()
    await page
      .getByRole('complementary', { name: 'Test' })
      .getByText(/records/)
      .first()
      .waitFor()
    assert.deepEqual(complaints, [])
  })

  test('starts from a base URL, with a name proposed from it, and leads to the first stream', async () => {
    const { page, complaints } = await builder.open()
    await page.getByRole('button', { name: 'New connector' }).click()
    await page.getByRole('button', { name: 'Start from scratch' }).click()
    await page.getByLabel('Base URL').fill('https://api.invoices.example/v3')
    await hasValue(page.getByLabel('Name'), 'invoices')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Add the first stream' }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/connectors/invoices')
    assert.match(readConnector(builder.home, 'invoices'), /url_base: https:\/\/api\.invoices\.example\/v3/)
    assert.deepEqual(complaints, [])
  })

  test('imports a manifest as it is, from a file and from the clipboard', async () => {
    const { page, complaints } = await builder.open()
    const text = `# kept\r\n${smallManifest('https://files.example', ['things'])}`
    await page.getByRole('button', { name: 'New connector' }).click()
    await page.getByRole('button', { name: 'Import a file' }).click()
    const file = { name: 'source-files.yaml', mimeType: 'text/yaml', buffer: Buffer.from(text) }
    await page.getByLabel('Choose a file').setInputFiles(file)
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('link', { name: 'things' }).waitFor()
    assert.equal(readConnector(builder.home, 'files').replaceAll('\r\n', '\n'), text.replaceAll('\r\n', '\n'))

    await page.goto(`${builder.url}/`)
    await page.getByRole('button', { name: 'New connector' }).click()
    await page.getByRole('button', { name: 'Import a file' }).click()
    await page.getByLabel('Manifest').fill('streams: [broken')
    await page.getByLabel('Name').fill('?')
    assert.ok(await page.getByRole('button', { name: 'Import', exact: true }).isDisabled())
    await page.getByLabel('Name').fill('half-done')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('button', { name: 'half-done' }).waitFor()
    assert.equal(readConnector(builder.home, 'half-done'), 'streams: [broken')
    assert.deepEqual(complaints, [])
  })

  test('a file that is dropped anywhere opens the import with it, and text that is dragged stays text', async () => {
    const { page, complaints } = await builder.open()
    await page.getByRole('button', { name: 'New connector' }).waitFor()
    const dragged = (content: string | null) =>
      page.locator('main h1').evaluateHandle((heading, text) => {
        const { DataTransfer, File } = heading.ownerDocument.defaultView
        const transfer = new DataTransfer()
        if (text === null) transfer.setData('text/plain', 'words')
        else transfer.items.add(new File([text], 'source-dropped.yaml', { type: 'text/yaml' }))
        return transfer
      }, content)
    const words = await dragged(null)
    await page.dispatchEvent('main h1', 'dragover', { dataTransfer: words })
    const here = page.getByText('Drop the file to import it')
    assert.equal(await here.count(), 0)

    const text = smallManifest('https://dropped.example', ['things'])
    const file = await dragged(text)
    await page.dispatchEvent('main h1', 'dragover', { dataTransfer: file })
    await here.waitFor()
    await assertAccessible(page, 'a file over the page')
    await page.dispatchEvent('main h1', 'dragleave', { dataTransfer: file })
    await here.waitFor({ state: 'detached' })
    await page.dispatchEvent('main h1', 'dragover', { dataTransfer: file })
    await page.dispatchEvent('main h1', 'drop', { dataTransfer: file })
    await here.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Import', exact: true, disabled: false }).waitFor()
    await hasValue(page.getByLabel('Manifest or description'), text)
    await hasValue(page.getByLabel('Name'), 'dropped')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('link', { name: 'things' }).waitFor()
    assert.equal(readConnector(builder.home, 'dropped'), text)
    assert.deepEqual(complaints, [])
  })

  test('makes a connector of the ticked streams of an OpenAPI document, from a file and from a URL', async () => {
    const { page, complaints } = await builder.open()
    const document = readFileSync('test/import/shop.openapi.yaml', 'utf8')
    await page.getByRole('button', { name: 'New connector' }).click()
    await page.getByRole('button', { name: 'Import a file' }).click()
    await page.getByLabel('Manifest or description').fill('just words')
    await page.getByRole('button', { name: 'Show its streams' }).click()
    await page.getByRole('alert').waitFor()

    const file = { name: 'openapi.yaml', mimeType: 'text/yaml', buffer: Buffer.from(document) }
    await page.getByLabel('Choose a file').setInputFiles(file)
    await page.getByRole('button', { name: 'Show its streams' }).click()
    const streams = page.getByRole('group')
    const boxes = streams.getByRole('checkbox')
    await boxes.first().waitFor()
    assert.ok((await boxes.count()) > 2)
    await assertAccessible(page, 'described streams')
    await page.getByRole('button', { name: 'Untick all' }).click()
    assert.ok(await page.getByRole('button', { name: 'Import 0 streams' }).isDisabled())
    await page.getByLabel('Filter streams').fill('orders')
    await boxes.first().check()
    const chosen = await streams.getByRole('listitem').first().locator('label').innerText()
    await page.getByLabel('Name').fill('described')
    await page.getByRole('button', { name: 'Import 1 stream' }).click()
    await page.getByRole('link', { name: chosen, exact: true }).waitFor()
    const saved = loadManifest(readConnector(builder.home, 'described'))
    assert.ok(saved.streams.some(({ name }) => name === chosen))
    assert.deepEqual(
      complaints.filter((one) => !one.includes('422')),
      [],
    )

    await using api = await serveApi({ 'GET /openapi.yaml': () => ({ text: document }) })
    await page.goto(`${builder.url}/`)
    await page.getByRole('button', { name: 'New connector' }).click()
    await page.getByRole('button', { name: 'Import a file' }).click()
    await page.getByLabel('Manifest or description').fill(`${api.url}/openapi.yaml`)
    await page.getByRole('button', { name: 'Show its streams' }).click()
    await boxes.first().waitFor()
  })

  test('says what a mistyped address is, what the columns are, and where a base URL comes from', async () => {
    const fromInputs = smallManifest('"https://{{ config.shop }}.example"', ['orders'])
    writeConnector(builder.home, 'by-input', fromInputs)
    const { page } = await builder.open('/connector/by-input')
    await page.getByRole('heading', { name: 'There is no page at this address' }).waitFor()
    await assertAccessible(page, 'an unknown address')
    await page.getByRole('link', { name: 'Show all connectors' }).click()
    const row = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'by-input' }) })
    await row.getByText('base URL from inputs').waitFor()
    for (const heading of ['Name', 'Base URL', 'Streams', 'Changed']) {
      await page.locator('.connector-list .headings').getByText(heading, { exact: true }).waitFor()
    }
    await page.getByRole('button', { name: 'New connector' }).click()
    await page.getByRole('button', { name: 'Start from scratch' }).click()
    await page.getByLabel('Name').pressSequentially('My Shop API')
    await hasValue(page.getByLabel('Name'), 'my-shop-api')
  })

  test('makes a connector from a cURL, whose secret is only in the memory of the tab', async () => {
    const { page, complaints } = await builder.open()
    const secret = 'tok_Q9x7ZpL2mN4v'
    await page.getByRole('button', { name: 'New connector' }).click()
    await page.getByRole('button', { name: 'Paste a cURL' }).click()
    const command = `curl '${builder.lab}/offset?limit=5' -H 'Authorization: Bearer ${secret}' -H 'Cookie: sid=${secret}'`
    await page.getByLabel('cURL command').fill('curl')
    await page.getByText('The command has no URL.').waitFor()
    await page.getByLabel('cURL command').fill(command)
    await page.getByText('taken out: api_token, cookie').waitFor()
    await page.getByText('limit may set the page').waitFor()
    await page.getByLabel('Name').fill('pasted')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('link', { name: 'offset' }).waitFor()
    assert.ok(!readConnector(builder.home, 'pasted').includes(secret))
    assert.ok(!(await page.content()).includes(secret))
    const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])')
    assert.ok(!String(stored).includes(secret))
    assert.deepEqual(complaints, [])
  })

  test('is searched with a slash, and browsed with arrow keys', async () => {
    for (const name of ['alpha', 'beta', 'gamma']) {
      writeConnector(builder.home, name, smallManifest(`https://${name}.example`, ['one', `only_${name}`]))
    }
    const { page, complaints } = await builder.open()
    await page.getByRole('link', { name: /^alpha/ }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('only_')
    assert.equal(await page.getByRole('main').getByRole('link').count(), 3)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'only_beta' }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/connectors/beta')
    await page.goBack()
    await page.getByRole('heading', { name: 'Connectors' }).waitFor()
    await page.getByLabel('Search connectors').fill('nowhere')
    await page.getByText('No connector has “nowhere”').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('duplicates, and deletes with a way back', async () => {
    writeConnector(builder.home, 'precious', smallManifest('https://precious.example', ['one']))
    writeFileSync(join(builder.home, 'connectors/precious/paging.ts'), 'class')
    const { page, complaints } = await builder.open()
    const menu = page.getByRole('button', { name: 'Actions for precious', exact: true })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await page.getByRole('link', { name: /^precious-copy/ }).waitFor()
    await menu.click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('Deleted precious.').waitFor()
    await menu.waitFor({ state: 'hidden' })
    assert.ok(!existsSync(manifestPath(builder.home, 'precious')))
    assert.ok(existsSync(join(builder.home, 'connectors', '.trash')))
    await page.getByRole('button', { name: 'Undo' }).click()
    await menu.waitFor()
    assert.match(readConnector(builder.home, 'precious'), /^# written by hand/)
    assert.ok(existsSync(join(builder.home, 'connectors/precious/paging.ts')))
    assert.deepEqual(complaints, [])
  })

  test('shows what happens on disk', async () => {
    const { page, complaints } = await builder.open()
    await page.getByRole('link', { name: /^alpha/ }).waitFor()
    writeConnector(builder.home, 'appeared', smallManifest('https://new.example', ['one']))
    await page.getByRole('link', { name: /^appeared/ }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('is accessible and fits, on a phone too', async () => {
    const { page, complaints } = await builder.open('/', { viewport: { width: 390, height: 900 } })
    await page.getByRole('button', { name: 'New connector' }).click()
    for (const way of ['Start from scratch', 'Import a file', 'Paste a cURL']) {
      await page.getByRole('button', { name: way }).click()
      await page.getByLabel('Name').waitFor()
      await assertReadable(page, way, [1440, 390])
    }
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Keys' }).click()
    await page.getByRole('dialog').waitFor()
    await assertReadable(page, 'keys', [390, 1440])
    assert.deepEqual(complaints, [])
  })

  test('keeps the chosen theme', async () => {
    const { page, complaints } = await builder.open()
    await page.getByRole('button', { name: 'Dark' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Dark', pressed: true }).waitFor()
    assert.equal(await page.evaluate('getComputedStyle(document.documentElement).colorScheme'), 'dark')
    assert.deepEqual(complaints, [])
  })
})

import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { parse } from 'yaml'
import { startApi } from '../server/start-api.ts'
import { testServices } from '../server/services.ts'
import { assertAccessible, assertFits, assertReadable } from '../helpers/axe.ts'
import { hasValue } from '../helpers/has-value.ts'
import { noBrowser, type RunningBuilder, startBuilder } from './browser.ts'
import { readConnector, smallManifest, writeConnector } from './manifests.ts'

const text = smallManifest('https://api.example', ['orders', 'customers', 'invoices'])

/** By what the focused element shows. */
const focusIsOn = (page: Page, shown: string) => page.locator(':focus', { hasText: shown }).waitFor()

describe('the editor', { skip: noBrowser }, () => {
  let builder: RunningBuilder
  before(async () => {
    builder = await startBuilder()
  })
  afterEach(() => builder.closeTabs())
  after(() => builder[Symbol.asyncDispose]())

  const opened = async (name: string, options = {}, manifest = text) => {
    writeConnector(builder.home, name, manifest)
    const tab = await builder.open(`/connectors/${name}`, options)
    await tab.page.getByRole('button', { name, exact: true }).waitFor()
    return tab
  }
  const savedStreams = async (page: Page, name: string) => {
    await page.keyboard.press('ControlOrMeta+s')
    await page
      .getByRole('status')
      .filter({ hasText: /^Saved$/ })
      .waitFor({ state: 'attached' })
    const { streams, check } = parse(readConnector(builder.home, name)) as Saved
    return { names: streams.map((stream) => stream.name), checked: check.stream_names }
  }

  test('shows which of many streams is open, and the whole of a long name', async () => {
    const long = 'n'.repeat(200)
    const names = [...Array.from({ length: 80 }, (_, index) => `stream_${index}`), long]
    writeConnector(builder.home, 'many', smallManifest('https://api.example', names))
    const { page, complaints } = await builder.open(`/connectors/many?part=${long}`)
    const row = page.locator('.outline [aria-current]')
    await row.waitFor()
    const { top, room } = await row.evaluate((element) => ({
      top: element.getBoundingClientRect().top,
      room: element.ownerDocument.defaultView.innerHeight,
    }))
    assert.ok(top > 0 && top < room, `at ${top} of ${room}`)
    const panel = page.getByRole('complementary', { name: 'Test' }).locator('.scroll')
    const { needs, has } = await panel.evaluate((element) => ({ needs: element.scrollWidth, has: element.clientWidth }))
    assert.ok(needs <= has, `${needs} in ${has}`)
    assert.equal(await row.getByTitle(long).count(), 1, 'what is cut can be read')
    assert.deepEqual(complaints, [])
  })

  test('adds a stream by name and path, and opens it', async () => {
    const { page, complaints } = await opened('adding')
    await page.getByRole('button', { name: 'Add a stream' }).click()
    await page.keyboard.type('orders')
    await page.getByText('A stream with that name exists.').waitFor()
    await page.keyboard.type('_archive')
    await hasValue(page.getByLabel('New stream').getByLabel('Path'), '/orders_archive')
    await page.getByLabel('New stream').getByLabel('Name').fill('/orders_archive')
    await hasValue(page.getByLabel('New stream').getByLabel('Path'), '/orders_archive')
    await page.getByLabel('New stream').getByLabel('Name').fill('orders_archive')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'orders_archive' }).waitFor()
    assert.equal(await page.title(), 'orders_archive · adding · Turnleaf')
    const { names } = await savedStreams(page, 'adding')
    assert.deepEqual(names, ['orders', 'customers', 'invoices', 'orders_archive'])
    const { streams } = parse(readConnector(builder.home, 'adding')) as Saved
    assert.deepEqual(streams[3]?.retriever.requester, { $ref: '#/definitions/requester', path: '/orders_archive' })
    assert.match(readConnector(builder.home, 'adding'), /^# written by hand/)
    assert.deepEqual(complaints, [])
  })

  test('an empty connector offers to add its first stream, in the middle', async () => {
    const { page, complaints } = await opened('empty', {}, smallManifest('https://api.example', []))
    await page.getByRole('heading', { name: 'Add the first stream' }).waitFor()
    await page.keyboard.type('things')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'things' }).waitFor()
    await focusIsOn(page, 'things')
    assert.deepEqual(await savedStreams(page, 'empty'), { names: ['things'], checked: ['things'] })
    assert.deepEqual(complaints, [])
  })

  test('a name that another stream has is refused with the reason', async () => {
    const { page, complaints } = await opened('taken')
    await page.getByRole('link', { name: 'orders' }).press('F2')
    const field = page.getByLabel('New name of orders')
    await field.fill('customers')
    const why = page.getByRole('alert').getByText('There is a stream customers already. Choose another name.')
    await why.waitFor()
    await assertAccessible(page, 'a taken name')
    await field.press('Enter')
    assert.equal(await field.inputValue(), 'customers', 'what was typed stays')
    await field.fill('customers_2')
    await why.waitFor({ state: 'detached' })
    await field.press('Enter')
    await focusIsOn(page, 'customers_2')
    assert.deepEqual(complaints, [])
  })

  test('a file that is dropped is offered for import, and the connector stays', async () => {
    const { page, complaints } = await opened('dropped-on')
    /** Whether the page took it: otherwise the browser would open the file in place of the page. */
    const drop = async (file: string, on: string) => {
      const dataTransfer = await page.evaluateHandle(
        `{
          const dataTransfer = new DataTransfer()
          dataTransfer.items.add(new File([${JSON.stringify(file)}], 'dropped-in.yaml'))
          addEventListener('drop', (event) => { globalThis.isTaken = event.defaultPrevented }, { once: true })
          dataTransfer
        }`,
      )
      await page.locator(on).dispatchEvent('drop', { dataTransfer })
      return page.evaluate('isTaken')
    }
    const dropped = smallManifest('https://other.example', ['parcels'])
    assert.equal(await drop(dropped, 'main'), true)
    await page.getByText('dropped-in.yaml can become a connector of its own. dropped-on stays as it is.').waitFor()
    await page.getByRole('button', { name: 'Import it' }).click()
    await hasValue(page.getByLabel('Manifest or description'), dropped)
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('link', { name: 'parcels' }).waitFor()

    await page.getByRole('button', { name: 'YAML', exact: true }).click()
    await page.locator('.cm-content').waitFor()
    assert.equal(await drop('# from the file\n', '.cm-content'), true)
    await page.locator('.cm-content').getByText('# from the file').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Import it' }).count(), 0)
    assert.deepEqual(complaints, [])
  })

  test('renames, moves, copies and deletes streams by keyboard alone', async () => {
    const { page, complaints } = await opened('keys')
    await page.getByRole('link', { name: 'orders' }).focus()
    await page.keyboard.press('F2')
    await page.getByLabel('New name of orders').waitFor()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('Escape')
    await focusIsOn(page, 'orders')
    // Before the next frame is drawn: the next key may follow at once.
    const focused = await page.evaluate(`(async () => {
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'F2', bubbles: true }))
      await null
      return document.activeElement.ariaLabel
    })()`)
    assert.equal(focused, 'New name of orders')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('sales')
    await page.keyboard.press('Enter')
    await focusIsOn(page, 'sales')
    await page.keyboard.press('Alt+ArrowDown')
    assert.deepEqual(await savedStreams(page, 'keys'), {
      names: ['customers', 'sales', 'invoices'],
      checked: ['sales'],
    })
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'sales')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Delete')
    await page.getByText('Deleted the stream invoices.').waitFor()
    await focusIsOn(page, 'sales')
    assert.deepEqual((await savedStreams(page, 'keys')).names, ['customers', 'sales'])
    await page.getByRole('button', { name: 'Undo' }).last().click()
    assert.deepEqual((await savedStreams(page, 'keys')).names, ['customers', 'sales', 'invoices'])
    await page.getByRole('button', { name: 'Actions for sales' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Duplicate' }).press('Enter')
    await page.getByRole('link', { name: 'sales_copy' }).waitFor()
    assert.deepEqual((await savedStreams(page, 'keys')).names, ['customers', 'sales', 'sales_copy', 'invoices'])
    await page.getByRole('button', { name: 'Add a stream' }).press('Enter')
    await page.getByLabel('New stream').waitFor()
    await page.keyboard.press('Escape')
    await focusIsOn(page, 'Add a stream')
    await page.keyboard.press('Enter')
    await page.keyboard.type('refunds')
    await page.keyboard.press('Enter')
    await focusIsOn(page, 'refunds')
    assert.deepEqual(complaints, [])
  })

  test('columns are resized by pointer and by keyboard, and remembered', async () => {
    const { page, complaints } = await opened('columns')
    const outline = page.getByRole('separator', { name: 'Width of the outline' })
    const usual = Number(await outline.getAttribute('aria-valuenow'))
    await outline.press('ArrowRight')
    await outline.press('ArrowRight')
    assert.equal(Number(await outline.getAttribute('aria-valuenow')), usual + 32)
    const panel = page.getByRole('separator', { name: 'Width of the test panel' })
    const box = (await panel.boundingBox()) ?? assert.fail('no line')
    await page.mouse.move(box.x, 400)
    await page.mouse.down()
    await page.mouse.move(box.x + 100, 420, { steps: 4 })
    await page.mouse.up()
    const width = Number(await panel.getAttribute('aria-valuenow'))
    await page.reload()
    await outline.waitFor()
    assert.equal(Number(await outline.getAttribute('aria-valuenow')), usual + 32)
    assert.equal(Number(await panel.getAttribute('aria-valuenow')), width)
    await panel.dblclick()
    assert.equal(Number(await panel.getAttribute('aria-valuenow')), width + 100)
    assert.deepEqual(complaints, [])
  })

  test('on a phone the outline is a menu, and editing and testing are two panes', async () => {
    const { page, complaints } = await opened('phone', { viewport: { width: 390, height: 844 } })
    await page.getByRole('button', { name: 'orders' }).click()
    await page.getByRole('link', { name: 'customers' }).click()
    await page.getByRole('button', { name: 'customers', exact: true }).waitFor()
    await page.getByRole('link', { name: 'orders' }).waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Test', exact: true }).first().click()
    await page.getByRole('main', { name: 'Test' }).waitFor()
    assert.equal(await page.getByRole('main').count(), 1, 'the form is away')
    assert.deepEqual(complaints, [])
  })

  test('on a phone the whole of a usual name is shown, and a short one takes no line of its own', async () => {
    const viewport = { width: 390, height: 844 }
    for (const [name, isOnOwnLine] of [
      ['quarterly-invoices', true],
      ['abc', false],
    ] as const) {
      const { page } = await opened(name, { viewport })
      const shown = page.locator('.connector-name .text')
      await shown.waitFor()
      assert.equal(await shown.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), true, name)
      const [above, below] = await Promise.all([
        shown.boundingBox(),
        page.getByRole('button', { name: 'YAML', exact: true }).boundingBox(),
      ])
      assert.equal((below?.y ?? 0) > (above?.y ?? 0) + (above?.height ?? 0), isOnOwnLine, name)
    }
  })

  test('where there is one pane, what is chosen to be edited takes the place of the test', async () => {
    const { page, complaints } = await opened('one-pane', { viewport: { width: 390, height: 844 } })
    const toTest = page.getByRole('button', { name: 'Test', exact: true }).first()
    await toTest.click()
    await page.getByRole('button', { name: 'orders', exact: true }).click()
    await page.getByRole('link', { name: 'Base URL' }).click()
    await page.getByRole('textbox', { name: 'API base URL' }).waitFor()

    await toTest.click()
    await page.getByRole('button', { name: 'Base URL', exact: true }).click()
    await page.getByRole('link', { name: 'customers' }).click()
    await page.getByRole('main', { name: 'Test' }).getByRole('heading', { name: 'Test customers' }).waitFor()
    await page.getByRole('button', { name: 'YAML', exact: true }).click()
    await page.locator('.cm-content').waitFor()

    await toTest.click()
    await page.getByRole('button', { name: 'customers', exact: true }).click()
    await page.getByRole('button', { name: 'Add a stream' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('items')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('textbox', { name: 'Path', exact: true }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('offers to undo a deletion only while Undo takes that back', async () => {
    const { page, complaints } = await opened('undone')
    const notice = page.getByText('Deleted the stream invoices.')
    const remove = async () => {
      await page.getByRole('link', { name: 'invoices' }).press('Delete')
      await notice.waitFor()
    }
    await remove()
    await page.keyboard.press('ControlOrMeta+z')
    await page.getByRole('link', { name: 'invoices' }).waitFor()
    await notice.waitFor({ state: 'detached', timeout: 2000 })
    await remove()
    await page.getByRole('textbox', { name: 'Path', exact: true }).fill('/typed')
    await notice.waitFor({ state: 'detached', timeout: 2000 })
    assert.deepEqual(complaints, [])
  })

  test('what is open is in the address: back, forward and links lead there', async () => {
    const { page, complaints } = await opened('places')
    await page.getByRole('link', { name: 'invoices' }).click()
    await page.getByRole('link', { name: 'Authentication' }).click()
    await page.getByRole('button', { name: 'YAML', exact: true }).click()
    assert.equal(page.url(), `${builder.url}/connectors/places?part=.authentication&view=yaml`)
    await page.goBack()
    await page.goBack()
    assert.equal(await page.getByRole('link', { name: 'invoices' }).getAttribute('aria-current'), 'true')
    assert.deepEqual(complaints, [])
  })

  test('exports the text as it is seen, saved or not', async () => {
    const { page, complaints } = await opened('exported')
    await page.getByRole('textbox', { name: /^Path/ }).fill('/unsaved')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export YAML' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'exported.yaml')
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    assert.equal(Buffer.concat(chunks).toString(), text.replace('path: /orders', 'path: /unsaved'))
    assert.deepEqual(complaints, [])
  })

  test('exports a program, or says what is in its way', async () => {
    const { page } = await opened('program')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export TypeScript program' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'program.ts')
    await builder.close(page)

    const { page: broken } = await opened('broken', {}, 'streams: 5')
    await broken.getByRole('button', { name: 'Export', exact: true }).click()
    await broken.getByRole('menuitem', { name: 'Export TypeScript program' }).click()
    await broken.getByRole('button', { name: 'Close' }).waitFor()
  })

  test('shows its keys, and closes them with Esc', async () => {
    const { page, complaints } = await opened('helped')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    assert.deepEqual(complaints, [])
  })

  test('a connector that does not exist is said to, with the way out', async () => {
    const { page } = await builder.open('/connectors/nowhere')
    await page.getByRole('heading', { name: 'There is no connector nowhere' }).waitFor()
    await assertAccessible(page, 'no connector')
    await page.getByRole('button', { name: 'All connectors' }).click()
    await page.getByRole('heading', { name: 'Connectors' }).waitFor()
  })

  test('the skip link leads past the header', async () => {
    const { page } = await opened('skipped')
    await page.getByRole('link', { name: 'Skip to content' }).focus()
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate('document.activeElement.id'), 'content')
  })

  test('is accessible, and fits at any width', async () => {
    const widths = [390, 800, 1440]
    const long = 'a_stream_with_a_name_that_is_far_too_long_for_any_column_of_the_outline'
    const { page, complaints } = await opened('axe', {}, smallManifest('https://api.example', ['orders', long]))
    await assertReadable(page, 'form', widths)
    // Above 1280 px nothing is arranged otherwise: what is accessible there stays so.
    await page.setViewportSize({ width: 1920, height: 900 })
    await assertFits(page, 'form at 1920 px')
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      await page.getByRole('button', { name: 'axe', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor()
      await assertAccessible(page, `menu at ${width} px`)
      await page.keyboard.press('Escape')
    }
    await page.getByRole('button', { name: 'Add a stream' }).click()
    await assertReadable(page, 'outline', [800, 1440])
    await page.goto(`${builder.url}/connectors/axe?part=.versions`)
    await page.getByRole('main').getByRole('listitem').first().getByRole('button').first().click()
    await page.getByText('Nothing differs.').waitFor()
    await assertReadable(page, 'versions', [1440, 800, 390])
    await page.goto(`${builder.url}/connectors/axe`)
    await page.getByRole('button', { name: 'orders' }).click()
    await page.getByRole('button', { name: 'Add a stream' }).click()
    await assertReadable(page, 'outline', [390])
    assert.deepEqual(complaints, [])
  })
})

type Saved = {
  streams: { name: string; retriever: { requester: unknown } }[]
  check: { stream_names: string[] }
}

test('a server with a token asks for it, and keeps it for the tab', { skip: noBrowser }, async () => {
  await using builder = await startBuilder()
  using services = testServices({ token: 'open-sesame' })
  await using api = await startApi({ baseUrl: 'http://127.0.0.1:1', version: '0.1.0', services })
  const page = await builder.browser.newPage()
  await page.goto(api.url)
  await page.getByText('This server requires the token').waitFor()
  // All refusals of the wrong token but the first come when the right one is in use.
  let letRefuse = () => {}
  const rightIsUsed = new Promise<void>((resolve) => (letRefuse = resolve))
  const wrong: Request[] = []
  await page.route('**/v1/**', async (route) => {
    const isWrong = route.request().headers().authorization === 'Bearer wrong'
    if (isWrong && wrong.push(route.request()) > 1) await rightIsUsed
    await route.continue()
  })
  await page.getByLabel('Token').fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByLabel('Token').fill('open-sesame')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Make a connector' }).waitFor()
  letRefuse()
  assert.ok(wrong.length > 1)
  for (const request of wrong) assert.equal((await request.response())?.status(), 401)
  assert.equal(await page.getByText('This server requires the token').count(), 0)
  await page.reload()
  await page.getByRole('heading', { name: 'Make a connector' }).waitFor()

  await page.evaluate('sessionStorage.clear()')
  await page.goto(`${api.url}/#token=open-sesame`)
  await page.reload()
  await page.getByRole('heading', { name: 'Make a connector' }).waitFor()
  assert.equal(await page.evaluate('location.hash'), '')
  await page.close()
})

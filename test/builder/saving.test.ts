import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, type RunningBuilder, startBuilder } from './browser.ts'
import { manifestPath, readConnector, smallManifest, writeConnector } from './manifests.ts'
import { hasValue } from '../helpers/has-value.ts'

const text = smallManifest('https://api.example', ['orders', 'customers'])

describe('saving', { skip: noBrowser }, () => {
  let builder: RunningBuilder
  before(async () => {
    builder = await startBuilder()
  })
  afterEach(() => builder.closeTabs())
  after(() => builder[Symbol.asyncDispose]())

  const opened = async (name: string) => {
    writeConnector(builder.home, name, text)
    const tab = await builder.open(`/connectors/${name}`)
    await pathField(tab.page).waitFor()
    return tab
  }
  const onDisk = (name: string) => readConnector(builder.home, name)

  test('says what is saved and what is not, and saves by key with nothing else changed', async () => {
    const { page, complaints } = await opened('plain')
    await saysState(page, 'Saved')
    await pathField(page).fill('/orders/all')
    await saysState(page, 'Unsaved')
    assert.equal(onDisk('plain'), text)
    await page.keyboard.press('ControlOrMeta+s')
    await saysState(page, 'Saved')
    assert.equal(onDisk('plain'), text.replace('path: /orders', 'path: /orders/all'))
    assert.deepEqual(complaints, [])
  })

  test('undo and redo go step by step, and back to what is saved is saved', async () => {
    const { page, complaints } = await opened('steps')
    await pathField(page).fill('/one')
    await page.getByRole('link', { name: 'customers' }).click()
    await pathField(page).fill('/two')
    await page.getByRole('button', { name: 'Undo' }).click()
    await hasValue(pathField(page), '/customers')
    // Outside of a text, by key.
    await page.getByRole('link', { name: 'orders' }).focus()
    await page.keyboard.press('ControlOrMeta+z')
    await saysState(page, 'Saved')
    await page.keyboard.press('ControlOrMeta+Shift+z')
    await saysState(page, 'Unsaved')
    await page.keyboard.press('ControlOrMeta+z')
    await saysState(page, 'Saved')
    assert.deepEqual(complaints, [])
  })

  test('leaving with unsaved changes asks, in place, and can save on the way', async () => {
    const { page, complaints } = await opened('leaving')
    await pathField(page).fill('/left')
    await page.getByRole('link', { name: 'All connectors' }).click()
    await page.getByText('leaving has unsaved changes.').waitFor()
    await page.getByRole('button', { name: 'Stay' }).click()
    await hasValue(pathField(page), '/left')
    await page.getByRole('link', { name: 'All connectors' }).click()
    await page.getByRole('button', { name: 'Save and leave' }).click()
    await page.getByRole('heading', { name: 'Connectors' }).waitFor()
    assert.match(onDisk('leaving'), /path: \/left/)
    assert.deepEqual(complaints, [])
  })

  test('the back button asks too, and what was left without saving is gone', async () => {
    const { page, complaints } = await builder.open()
    writeConnector(builder.home, 'going-back', text)
    await page.getByRole('link', { name: /^going-back/ }).click()
    await pathField(page).fill('/lost')
    await page.goBack()
    await page.getByText('going-back has unsaved changes.').waitFor()
    assert.equal(new URL(page.url()).pathname, '/connectors/going-back')
    await page.getByRole('button', { name: 'Leave without saving' }).click()
    await page.getByRole('link', { name: /^going-back/ }).click()
    await saysState(page, 'Saved')
    await hasValue(pathField(page), '/orders')
    assert.equal(await page.getByText('were not saved').count(), 0)
    assert.deepEqual(complaints, [])
  })

  test('closing the tab asks, but only when something would be lost', async () => {
    const { page } = await opened('closing')
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.accept()
    })
    await page.reload()
    assert.deepEqual(asked, [])
    await pathField(page).fill('/x')
    await saysState(page, 'Unsaved')
    await page.reload()
    assert.deepEqual(asked, ['beforeunload'])
  })

  test('a tab that crashed gives back what was typed', async () => {
    const { page } = await opened('crashed')
    await pathField(page).fill('/typed')
    await becomesTrue(page, "Object.values(localStorage).some((value) => value.includes('/typed'))")
    const context = page.context()
    // Another tab that types and saves leaves it alone.
    const other = await context.newPage()
    await other.goto(`${builder.url}/connectors/crashed`)
    await other.getByRole('button', { name: 'Discard' }).click()
    await other.getByRole('link', { name: 'customers' }).click()
    await pathField(other).fill('/others')
    await becomesTrue(other, "Object.values(localStorage).some((value) => value.includes('/others'))")
    await other.keyboard.press('ControlOrMeta+s')
    await becomesTrue(other, "!Object.values(localStorage).some((value) => value.includes('/others'))")
    await page.close({ runBeforeUnload: false })
    const again = await context.newPage()
    await again.goto(`${builder.url}/connectors/crashed`)
    await again.getByText('changes to crashed that were not saved').waitFor()
    await again.getByRole('button', { name: 'Show the difference' }).click()
    await again.getByText('added: path: /typed').waitFor()
    await again.getByRole('button', { name: 'Restore them' }).click()
    await hasValue(pathField(again), '/typed')
    await saysState(again, 'Unsaved')
    // So does a reload right after the last key.
    again.on('dialog', (dialog) => void dialog.accept())
    await pathField(again).fill('/typed-last')
    await again.reload()
    await again.getByRole('button', { name: 'Restore them' }).click()
    await hasValue(pathField(again), '/typed-last')
  })

  test('a change on disk shows up, and nothing has to be decided while nothing of ours differs', async () => {
    const { page, complaints } = await opened('followed')
    writeConnector(builder.home, 'followed', text.replace('path: /orders', 'path: /from-disk'))
    await showsPath(page, '/from-disk')
    await saysState(page, 'Saved')
    assert.deepEqual(complaints, [])
  })

  test('two tabs with the same connector: the second to save sees the difference, and decides', async () => {
    const { page: first, complaints } = await opened('shared')
    const second = await first.context().newPage()
    await second.goto(`${builder.url}/connectors/shared`)
    await pathField(second).fill('/second')
    await pathField(first).fill('/first')
    await first.keyboard.press('ControlOrMeta+s')
    await saysState(first, 'Saved')

    await second.getByText('shared was changed elsewhere').waitFor()
    await second.getByRole('button', { name: 'Show the difference' }).click()
    await second.getByText('removed: path: /second').waitFor()
    await second.getByText('added: path: /first').waitFor()
    await second.getByRole('button', { name: 'Keep mine' }).click()
    await second.keyboard.press('ControlOrMeta+s')
    await saysState(second, 'Saved')
    assert.match(onDisk('shared'), /path: \/second/)

    // The first had nothing unsaved, so it follows.
    await showsPath(first, '/second')
    assert.deepEqual(complaints, [])
  })

  test('a change that its author reverts leaves nothing to decide', async () => {
    const { page, complaints } = await opened('taken-back')
    await pathField(page).fill('/mine')
    writeConnector(builder.home, 'taken-back', text.replace('path: /orders', 'path: /theirs'))
    const asked = page.getByText('taken-back was changed elsewhere')
    await asked.waitFor()
    writeConnector(builder.home, 'taken-back', text)
    await asked.waitFor({ state: 'detached' })
    await hasValue(pathField(page), '/mine')
    assert.deepEqual(complaints, [])
  })

  test('a save that is refused while the server goes away can be tried again', async () => {
    const { page } = await opened('refused')
    const address = '**/v1/connectors/refused'
    await page.route(address, (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 409, json: { type: 'about:blank', title: 'Conflict', status: 409, detail: 'No.' } })
        : route.abort(),
    )
    await pathField(page).fill('/kept')
    await page.keyboard.press('ControlOrMeta+s')
    await saysState(page, 'Not saved')
    await page.unroute(address)
    await page.getByRole('button', { name: 'Try again' }).click()
    await saysState(page, 'Saved')
    assert.match(onDisk('refused'), /path: \/kept/)
  })

  test('a save that is refused although nothing was changed elsewhere says why, and can be tried again', async () => {
    const { page } = await opened('refused-alone')
    const address = '**/v1/connectors/refused-alone'
    await page.route(address, (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 409, json: { type: 'about:blank', title: 'Conflict', status: 409, detail: 'No.' } })
        : route.continue(),
    )
    await pathField(page).fill('/kept')
    const found = page.waitForResponse(
      (response) => response.request().method() === 'GET' && response.url().endsWith('/v1/connectors/refused-alone'),
    )
    await page.keyboard.press('ControlOrMeta+s')
    await (await found).finished()
    await saysState(page, 'Not saved')
    await page.unroute(address)
    await page.getByRole('button', { name: 'Try again' }).click()
    await saysState(page, 'Saved')
    assert.match(onDisk('refused-alone'), /path: \/kept/)
  })

  test('taking theirs can be undone', async () => {
    const { page, complaints } = await opened('theirs')
    await pathField(page).fill('/mine')
    writeConnector(builder.home, 'theirs', text.replace('path: /orders', 'path: /theirs'))
    await page.getByRole('button', { name: 'Take theirs' }).press('Enter')
    await page.locator('#content:focus').waitFor()
    await hasValue(pathField(page), '/theirs')
    await saysState(page, 'Saved')
    await page.getByRole('button', { name: 'Undo' }).click()
    await hasValue(pathField(page), '/mine')
    assert.deepEqual(complaints, [])
  })

  test('a connector deleted elsewhere can be saved again', async () => {
    const { page } = await opened('gone')
    await pathField(page).fill('/still-here')
    rmSync(dirname(manifestPath(builder.home, 'gone')), { recursive: true })
    await page.getByText('gone was deleted elsewhere').waitFor()
    await page.getByRole('button', { name: 'Save it again' }).click()
    await saysState(page, 'Saved')
    assert.match(onDisk('gone'), /path: \/still-here/)
  })

  test('a server that restarts loses nothing: typing continues, and the save waits for it', async () => {
    const { page } = await opened('restarted')
    await builder.stopServer()
    await page.getByText('The server does not answer.').waitFor()
    await pathField(page).fill('/typed-meanwhile')
    await page.keyboard.press('ControlOrMeta+s')
    await saysState(page, 'Saves when the server is back')
    await builder.startServer()
    await saysState(page, 'Saved')
    assert.equal(await page.getByText('The server does not answer.').count(), 0)
    await hasValue(pathField(page), '/typed-meanwhile')
    assert.match(onDisk('restarted'), /path: \/typed-meanwhile/)
    // And changes are reported again.
    writeConnector(builder.home, 'restarted', text)
    await showsPath(page, '/orders')
  })

  test('past versions are shown as a difference, and come back as an edit', async () => {
    const { page, complaints } = await opened('versions')
    await pathField(page).fill('/newer')
    await page.keyboard.press('ControlOrMeta+s')
    await saysState(page, 'Saved')
    await page.getByRole('link', { name: 'Versions' }).click()
    const rows = page.getByRole('main').getByRole('listitem')
    await rows.nth(1).getByRole('button').first().click()
    await page.getByText('removed: path: /newer').waitFor()
    await page.getByRole('button', { name: 'Restore this version' }).click()
    await saysState(page, 'Unsaved')
    await page.keyboard.press('ControlOrMeta+s')
    await saysState(page, 'Saved')
    assert.equal(onDisk('versions'), text)
    assert.deepEqual(complaints, [])
  })
})

function pathField(page: Page) {
  return page.getByRole('textbox', { name: /^Path/ })
}

async function saysState(page: Page, words: string): Promise<void> {
  await page
    .getByRole('status')
    .filter({ hasText: new RegExp(`^${words}$`) })
    .waitFor({ state: 'attached' })
}

async function showsPath(page: Page, path: string): Promise<void> {
  while ((await pathField(page).inputValue()) !== path) await nextFrame(page)
}

async function becomesTrue(page: Page, claim: string): Promise<void> {
  while (!(await page.evaluate<boolean>(claim))) await nextFrame(page)
}

/** The page's policy forbids what Playwright's own waiting for a function does. */
async function nextFrame(page: Page): Promise<void> {
  await page.evaluate('new Promise(requestAnimationFrame)')
}

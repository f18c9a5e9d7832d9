/** From a connector that loses records to one that reads them all: what is wrong is found, shown, and fixed by a click. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertReadable } from '../helpers/axe.ts'
import { hasValue } from '../helpers/has-value.ts'
import { noBrowser, type RunningBuilder, startBuilder } from './browser.ts'
import { readConnector, writeConnector } from './manifests.ts'
import { giveKey, offsetManifest, panelOf, rowsOf, statusOf } from './panel-story.ts'

describe('diagnosis in the test panel', { skip: noBrowser }, () => {
  let builder: RunningBuilder
  before(async () => {
    builder = await startBuilder()
    const streams = {
      capped: { path: '/faults/capped-size/offset', pageSize: 500 },
      healthy: { path: '/offset', pageSize: 100 },
      sliced: { path: '/offset', pageSize: 100, values: ['north', 'south'] },
      gone: { path: '/nothing-here', pageSize: 100 },
    }
    writeConnector(builder.home, 'shop', offsetManifest(builder.lab, streams))
  })
  afterEach(() => builder.closeTabs())
  after(() => builder[Symbol.asyncDispose]())

  const viewOf = (page: Page) => panelOf(page).getByRole('region', { name: 'Diagnosis' })

  /** The stream, tested once. */
  async function openTested(stream: string, width = 1440) {
    const opened = await builder.open(`/connectors/shop?part=${stream}`, { viewport: { width, height: 900 } })
    const { page } = opened
    // Where there is room for one pane only, the panel is the other one.
    if (width < 700) await page.getByRole('group', { name: 'What to do' }).getByText('Test').click()
    await giveKey(page)
    await statusOf(page)
      .getByText(/Read to the end|Ended|Failed/)
      .waitFor()
    return opened
  }

  test('a read that loses records is fixed by one click, which is one step to undo', async () => {
    const { page, complaints } = await openTested('capped')
    await panelOf(page).getByText('Incomplete:').first().waitFor()
    await panelOf(page).getByRole('button', { name: 'Find out why' }).click()
    const view = viewOf(page)
    await view.getByRole('heading', { name: 'The API sends smaller pages than requested' }).waitFor()
    await view.getByText('With it: 250 records').waitFor()
    assert.match(await view.locator('.difference').innerText(), /page_size: 500/)

    await view.getByRole('button', { name: 'Apply and test' }).click()
    await statusOf(page).getByText('Read to the end: 6 pages, 250 records').waitFor()
    await view.getByRole('button', { name: 'Applied' }).waitFor()
    await view.getByRole('heading', { name: 'Fixed: The API sends smaller pages than requested' }).waitFor()
    await hasValue(page.getByLabel('Limit', { exact: true }), '50')
    await panelOf(page).getByRole('tab', { name: 'Receipt' }).click()
    await panelOf(page).getByText('Complete: what was read agrees').waitFor()

    await page.getByRole('button', { name: 'Undo' }).click()
    await hasValue(page.getByLabel('Limit', { exact: true }), '500')
    assert.match(readConnector(builder.home, 'shop'), /page_size: 500/)
    assert.deepEqual(complaints, [])
  })

  test('evidence leads to the page that shows it', async () => {
    const { page } = await openTested('capped')
    await panelOf(page).getByRole('button', { name: 'Find out why' }).click()
    await viewOf(page).getByRole('button', { name: 'page 1' }).first().click()
    await panelOf(page).getByRole('tab', { name: 'Response', selected: true }).waitFor()
    assert.equal(await rowsOf(page).first().getAttribute('aria-selected'), 'true')
  })

  test('the requests that were sent to find out are listed, folded', async () => {
    const { page } = await openTested('capped')
    await panelOf(page).getByRole('button', { name: 'Find out why' }).click()
    const summary = viewOf(page).getByText(/\d+ requests? sent to find out/)
    await summary.click()
    const probes = viewOf(page).getByRole('list', { name: 'Requests sent to find out' }).getByRole('listitem')
    assert.equal(`${await probes.count()} requests sent to find out`, await summary.innerText())
  })

  test('of a healthy stream it says that nothing was found, and what was looked at', async () => {
    const { page, complaints } = await openTested('healthy')
    await panelOf(page).getByRole('tab', { name: 'Diagnosis' }).click()
    await viewOf(page).getByRole('button', { name: 'Find out what is wrong' }).click()
    await viewOf(page).locator('.sum').getByText('Nothing wrong was found').waitFor()
    await viewOf(page).getByText('Read 3 pages with 250 records.').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('by keys alone, from the menu to the fixed connector', async () => {
    const { page } = await openTested('capped')
    await panelOf(page).getByRole('button', { name: 'More tests' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Find out what is wrong' }).waitFor()
    await page.keyboard.press('Enter')
    const apply = viewOf(page).getByRole('button', { name: 'Apply and test' })
    await apply.waitFor()
    await apply.focus()
    await page.keyboard.press('Enter')
    await statusOf(page).getByText('Read to the end: 6 pages, 250 records').waitFor()
    // The focus is still where the button was.
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Applied')
  })

  test('a read that failed offers it too', async () => {
    const { page } = await openTested('gone')
    await panelOf(page).getByRole('alert').getByRole('button', { name: 'Find out why' }).click()
    await viewOf(page).getByRole('button', { name: 'Diagnose again' }).waitFor()
    await viewOf(page).getByText(/404/).first().waitFor()
  })

  test('the receipt has what the API said, and a row for each slice', async () => {
    const { page, complaints } = await openTested('sliced')
    await panelOf(page).getByRole('tab', { name: 'Receipt' }).click()
    const receipt = panelOf(page).getByRole('region', { name: 'Receipt' })
    await receipt.getByRole('region', { name: 'What the API says' }).getByText('in total').first().waitFor()
    const grid = receipt.getByRole('grid', { name: 'Receipts of slices' })
    assert.equal(await grid.getAttribute('aria-rowcount'), '3')
    await grid.getByText('shop north').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('axe objects to nothing and nothing is too wide, on a phone too', async () => {
    const { page } = await openTested('capped', 390)
    await panelOf(page).getByRole('button', { name: 'Find out why' }).click()
    await viewOf(page).getByRole('button', { name: 'Apply and test' }).waitFor()
    await viewOf(page)
      .getByText(/sent to find out/)
      .click()
    await assertReadable(page, 'findings', [1440, 390])
    await panelOf(page).getByRole('tab', { name: 'Receipt' }).click()
    await assertReadable(page, 'the receipt', [390, 1440])
  })
})

/** The sync page in a real browser: a real database, the real lab, and an API that can be held. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sampleText } from '../../src/server/sample.ts'
import { assertAccessible } from './axe.ts'
import { noBrowser, type RunningBuilder, startBuilder } from './browser.ts'
import { writeConnector } from './manifests.ts'

describe('the sync page', { skip: noBrowser }, () => {
  let builder: RunningBuilder
  before(async () => {
    builder = await startBuilder()
  })
  after(() => builder[Symbol.asyncDispose]())

  const opened = async (name: string, text: string, options = {}) => {
    writeConnector(builder.home, name, text)
    const tab = await builder.open(`/connectors/${name}?part=.sync`, options)
    await tab.page.getByRole('heading', { name: 'Sync', exact: true }).waitFor()
    return tab
  }
  const rowOf = (page: Page, stream: string) => page.getByRole('row').filter({ has: checkbox(page, stream) })
  const checkbox = (page: Page, stream: string) => page.getByRole('checkbox', { name: stream, exact: true })
  const sync = (page: Page) => page.getByRole('button', { name: 'Sync', exact: true }).last()

  test('lands the sample, says what proves it, and answers how many records there are', async () => {
    const { page, complaints } = await opened('sample', sampleText(builder.lab))
    await page.getByText('None yet. The first sync makes one for each stream.').waitFor()
    await sync(page).click()
    await page.getByText('1,000 records of 4 streams landed').waitFor()
    assert.deepEqual(await cells(rowOf(page, 'customers')), ['250', '6', 'empty page', 'complete (total 250)'])

    await page.getByRole('button', { name: 'customers 250 rows' }).click()
    assert.equal(await page.getByLabel('SQL').inputValue(), 'select * from "customers" limit 100')
    await page.getByText(/^100 rows/).waitFor()
    await page.getByLabel('Columns').getByText('email').waitFor()
    await page.getByLabel('SQL').fill('select count(*) as n, max(big_id) as big from customers')
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByText(/^1 row,/).waitFor()
    const [n, big] = await page.getByRole('gridcell').allTextContents()
    assert.equal(n, '250')
    assert.match(big ?? '', /^\d{19}$/, 'every digit')
    await assertAccessible(page, 'after a sync')
    assert.deepEqual(complaints, [])
    await page.close()
  })
})

/** What a row says, without the rate, which nobody can foresee. */
async function cells(row: ReturnType<Page['getByRole']>): Promise<string[]> {
  const [records = '', pages = '', , ...rest] = await row.getByRole('cell').allTextContents()
  return [records, pages, ...rest]
}

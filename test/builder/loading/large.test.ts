/** A manifest of a megabyte in the builder: opened, edited in form and text, broken and fixed; a part that cannot be loaded. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { stringify } from 'yaml'
import { referringManifest } from '../../../benchmarks/manifests.ts'
import { noBrowser, type RunningBuilder, startBuilder } from '../browser.ts'
import { hasValue } from '../../helpers/has-value.ts'

describe('a large manifest', { skip: noBrowser }, () => {
  let builder: RunningBuilder
  before(async () => {
    builder = await startBuilder()
    await builder.create('large', stringify(referringManifest(300)))
  })
  afterEach(() => builder.closeTabs())
  after(() => builder[Symbol.asyncDispose]())

  test('is edited in the form and in the text, and says when its text cannot be read', async () => {
    const { page, complaints } = await builder.open('/connectors/large?part=items_150')
    const path = page.getByLabel('Path', { exact: true })
    await path.fill('/renamed')
    await hasValue(path, '/renamed')
    await page.getByRole('button', { name: 'Actions for items_150', exact: true }).press('Enter')
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await page.getByRole('link', { name: 'items_150_copy', exact: true }).waitFor()
    await hasValue(path, '/renamed')

    await page.getByRole('button', { name: 'YAML', exact: true }).click()
    const text = page.locator('.cm-content')
    await text.click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('no member\n')
    await page
      .getByText(/cannot be read|not readable/i)
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'items_3', exact: true }).click()
    await page.getByText('The YAML cannot be read at line').waitFor()
    assert.equal(await path.isDisabled(), true)
    await page.getByRole('button', { name: 'Go back to the last readable version' }).click()
    await page.getByText('The YAML cannot be read at line').waitFor({ state: 'hidden' })
    await hasValue(path, '/items_3')
    assert.equal(await path.isDisabled(), false)
    await page.keyboard.press('Control+s')
    await page.getByText('Saved', { exact: true }).waitFor()
    const saved = await savedText()
    assert.ok(saved.includes('name: items_150_copy') && !saved.includes('no member'))
    assert.deepEqual(complaints, [])
  })

  test('a part that cannot be loaded says so, and is loaded later', async () => {
    const { page } = await builder.open('/')
    await page.route(/sync-page/, (route) => route.abort())
    await page.goto(`${builder.url}/connectors/large?part=.sync`)
    await page.getByText('This part of the builder could not be loaded').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Reload the page' }).isVisible(), true)
    await page.unroute(/sync-page/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Sync', exact: true }).waitFor()
  })

  async function savedText(): Promise<string> {
    const { text } = (await (await fetch(`${builder.url}/v1/connectors/large`)).json()) as { text: string }
    return text
  }
})

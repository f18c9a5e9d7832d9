/** Template fields and their playground, by keyboard, against a page that was really read. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../helpers/axe.ts'
import { hasValue } from '../helpers/has-value.ts'
import { noBrowser, type RunningBuilder, startBuilder } from './browser.ts'
import { writeConnector } from './manifests.ts'
import { offsetManifest } from './panel-story.ts'
import { cursorManifest } from './text-story.ts'

const fieldOf = (page: Page) => page.getByRole('textbox', { name: /^Cursor value/ })
const playgroundOf = (page: Page) => page.getByRole('region', { name: 'Playground' })
const options = (page: Page) => page.getByRole('listbox').getByRole('option')

async function readPages(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Test / }).click()
  // In the panel: the form has a word with "stop" in it from the start.
  await page
    .getByRole('complementary', { name: 'Test' })
    .getByText(/records/)
    .first()
    .waitFor()
}

describe('a template field', { skip: noBrowser }, () => {
  let builder: RunningBuilder
  before(async () => {
    builder = await startBuilder()
  })
  afterEach(() => builder.closeTabs())
  after(() => builder[Symbol.asyncDispose]())

  const open = async (name: string) => {
    writeConnector(builder.home, name, cursorManifest(builder.lab))
    const opened = await builder.open(`/connectors/${name}`)
    await fieldOf(opened.page).waitFor()
    return opened
  }

  test('offers inputs of the spec, and what is chosen is written, all by keyboard', async () => {
    const { page, complaints } = await open('inputs')
    await fieldOf(page).press('Control+a')
    await page.keyboard.type('{{ conf')
    await options(page).filter({ hasText: 'config' }).first().waitFor()
    await page.keyboard.press('Enter')
    await hasValue(fieldOf(page), '{{ config')
    await page.keyboard.type('[')
    await options(page).filter({ hasText: 'api_key' }).waitFor()
    assert.match(await options(page).filter({ hasText: 'api_key' }).innerText(), /secret/)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await hasValue(fieldOf(page), "{{ config['api_key']")
    await page.keyboard.type(' | low')
    await options(page).filter({ hasText: 'lower' }).waitFor()
    await page.keyboard.press('Escape')
    await options(page).first().waitFor({ state: 'detached' })
    await hasValue(fieldOf(page), "{{ config['api_key'] | low")
    assert.deepEqual(complaints, [])
  })

  test('offers what the manifest says about slices before anything was read', async () => {
    writeConnector(builder.home, 'sliced', offsetManifest(builder.lab, { shops: { values: ['north', 'south'] } }))
    const { page, complaints } = await builder.open('/connectors/sliced')
    const path = page.getByRole('textbox', { name: /^Path/ })
    await path.press('Control+a')
    await page.keyboard.type('/{{ stream_par')
    await options(page).filter({ hasText: 'stream_partition' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('.')
    await options(page).filter({ hasText: 'shop' }).waitFor()
    assert.match(await options(page).innerText(), /shop\s+str\s+"north"/)
    await page.keyboard.press('Enter')
    await hasValue(path, '/{{ stream_partition.shop')
    assert.deepEqual(complaints, [])
  })

  test('is a text box to a screen reader, and names the list while that is open', async () => {
    const { page, complaints } = await open('spoken')
    await fieldOf(page).press('Control+a')
    await page.keyboard.type('{{ res')
    await options(page).first().waitFor()
    assert.equal(await fieldOf(page).getAttribute('aria-autocomplete'), 'list')
    assert.ok(await fieldOf(page).getAttribute('aria-activedescendant'))
    await assertAccessible(page, 'completion')
    assert.deepEqual(complaints, [])
  })

  test('offers keys of the page that was read, once there is one', async () => {
    const { page, complaints } = await open('captured')
    await readPages(page)
    await fieldOf(page).press('Control+a')
    await page.keyboard.type('{{ response.meta.')
    await options(page).filter({ hasText: 'next_token' }).waitFor()
    await page.keyboard.press('Enter')
    await hasValue(fieldOf(page), '{{ response.meta.next_token')
    assert.deepEqual(complaints, [])
  })

  test('is tried against that page as one types: value, type, and Python’s spelling', async () => {
    const { page, complaints } = await open('tried')
    await readPages(page)
    await page.getByRole('button', { name: 'try Cursor value' }).press('Enter')
    const draft = playgroundOf(page).getByRole('textbox', { name: 'Template to try' })
    await draft.fill('{{ response.data | length }}')
    await playgroundOf(page).locator('.outcome .type', { hasText: 'int' }).waitFor()
    await draft.fill('{{ response.data[0] }}')
    await playgroundOf(page).locator('.outcome .type', { hasText: 'dict' }).waitFor()
    await draft.fill("{{ 'a' ~ 1 ~ none }}")
    await playgroundOf(page).locator('.repr', { hasText: "'a1None'" }).waitFor()
    await playgroundOf(page).getByRole('button', { name: 'Use' }).click()
    await hasValue(fieldOf(page), "{{ 'a' ~ 1 ~ none }}")
    assert.equal(await playgroundOf(page).count(), 0)
    assert.deepEqual(complaints, [])
  })

  test('what is wrong is said in words, with its place marked; Esc leaves the field as it was', async () => {
    const { page, complaints } = await open('mistaken')
    await page.getByRole('button', { name: 'try Cursor value' }).click()
    await playgroundOf(page).getByRole('textbox', { name: 'Template to try' }).fill('{{ response | lowr }}')
    await playgroundOf(page).locator('mark', { hasText: 'lowr' }).waitFor()
    assert.match(await playgroundOf(page).locator('.wrong').innerText(), /lower/)
    await page.keyboard.press('Escape')
    await playgroundOf(page).waitFor({ state: 'detached' })
    await hasValue(fieldOf(page), "{{ response.meta.next_token or '' }}")
    // The browser itself notes that a request was refused; nothing else went wrong.
    assert.deepEqual(
      complaints.filter((one) => !/status of 4\d\d/.test(one)),
      [],
    )
  })

  test('what is wrong is said with its place in the form, and in the text with its line', async () => {
    const { page } = await open('placed')
    const path = page.getByRole('textbox', { name: /^Path/ })
    await path.fill('/{{ config. }}')
    await page.getByText('Character 13: expected a name after').waitFor()
    await path.press('Control+Enter')
    const failed = page.getByRole('alert', { name: 'What went wrong' })
    await failed.getByText('orders › Request › path, character 13: expected a name after').waitFor()
    assert.doesNotMatch(await failed.innerText(), /line \d/)
    await page.getByRole('button', { name: 'YAML', exact: true }).click()
    await failed.getByText(/Correct the template at line 15, column \d+/).waitFor()
  })

  test('names are a tree for arrow keys, and Enter inserts the path', async () => {
    const { page, complaints } = await open('tree')
    await readPages(page)
    await page.getByRole('button', { name: 'try Cursor value' }).click()
    const draft = playgroundOf(page).getByRole('textbox', { name: 'Template to try' })
    await draft.fill('')
    const tree = playgroundOf(page).getByRole('tree')
    const response = tree.getByRole('treeitem', { name: /^response/ }).first()
    await response.press('ArrowRight')
    await tree.getByRole('treeitem', { name: /^meta/ }).waitFor()
    await tree.getByRole('treeitem', { name: /^meta/ }).press('Enter')
    await hasValue(draft, '{{ response.meta }}')
    assert.deepEqual(complaints, [])
  })

  test('is accessible with its playground open', async () => {
    const { page, complaints } = await open('axe')
    await readPages(page)
    await page.getByRole('button', { name: 'try Cursor value' }).click()
    await playgroundOf(page).locator('.outcome .type').waitFor()
    await assertAccessible(page, 'playground')
    assert.deepEqual(complaints, [])
  })
})

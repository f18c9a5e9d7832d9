/** One's way in a connector of two hundred streams: the palette, the filter, and the same place in form and text. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, assertFits } from '../helpers/axe.ts'
import { hasValue } from '../helpers/has-value.ts'
import { noBrowser, type RunningBuilder, startBuilder } from './browser.ts'
import { section } from './form.ts'
import { smallManifest, writeConnector } from './manifests.ts'
import { panelOf, statusOf } from './panel-story.ts'

const many = Array.from({ length: 200 }, (_, index) => `stream_${String(index).padStart(3, '0')}`)

describe('finding one’s way', { skip: noBrowser }, () => {
  let builder: RunningBuilder
  before(async () => {
    builder = await startBuilder()
    writeConnector(builder.home, 'large', smallManifest(builder.lab, ['offset', ...many]))
  })
  afterEach(() => builder.closeTabs())
  after(() => builder[Symbol.asyncDispose]())

  const paletteOf = (page: Page) => page.getByRole('dialog', { name: 'Find anything' })
  /** Waits until the focus is there. */
  const focused = (page: Page, selector: string) => page.locator(`${selector}:focus`).waitFor()
  const openPalette = async (page: Page, words: string) => {
    await page.keyboard.press('Control+k')
    await paletteOf(page).getByRole('combobox').fill(words)
  }

  test('the palette finds streams, sections, actions and docs by the keyboard, what was used lately first', async () => {
    const { page, complaints } = await builder.open('/connectors/large?part=offset')
    await section(page, 'Request').waitFor()
    await page.keyboard.press('Control+k')
    const palette = paletteOf(page)
    await palette.getByRole('option', { name: 'Save' }).waitFor()
    await assertAccessible(page, 'palette', '.palette')

    // A section of a stream that is not open.
    await palette.getByRole('combobox').fill('150 pag')
    await palette.getByRole('option', { name: 'stream_150 › Pagination' }).waitFor()
    await page.keyboard.press('Enter')
    await palette.waitFor({ state: 'hidden' })
    await page.waitForURL(/part=stream_150/)
    await focused(page, '[aria-label="Pagination on"]')

    // The text opens at the section, too.
    await openPalette(page, '151 req')
    await palette.getByRole('option', { name: 'stream_151 › Request' }).waitFor()
    await page.keyboard.press('Enter')
    await focused(page, '.section[data-title="Request"] .fold')
    await page.getByRole('button', { name: 'YAML', exact: true }).click()
    const place = page.locator('.yaml-editor .cm-place')
    await place.filter({ hasText: 'path: /stream_151' }).waitFor()
    assert.equal(await place.filter({ hasText: 'name: stream_151' }).count(), 0)
    await page.getByRole('button', { name: 'Form', exact: true }).click()

    // A section by what it does, and the docs about it.
    await openPalette(page, 'retry')
    await palette.getByRole('option', { name: 'Retries', exact: false }).waitFor()
    const options = await palette.getByRole('option').allInnerTexts()
    assert.match(options[0] ?? '', /^Error handling/)
    assert.match(options[1] ?? '', /^Retries/)
    await page.keyboard.press('Escape')

    // Down and Enter: the second result.
    await openPalette(page, 'stream_01')
    await palette.getByRole('option', { name: 'stream_010', exact: false }).first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/part=stream_011/)

    // What had the focus is gone with its form: the next Tab still starts near.
    await section(page, 'Request').getByRole('textbox', { name: 'Path' }).focus()
    await openPalette(page, 'versions')
    await page.keyboard.press('Enter')
    await focused(page, '#content')
    await openPalette(page, 'authentication')
    await page.keyboard.press('Enter')
    await focused(page, '.settings-page select')
    await openPalette(page, 'stream_012')
    await page.keyboard.press('Enter')
    await focused(page, 'a.entry[aria-current]')

    // Actions: dark, a new stream with the focus in its form, a test.
    await openPalette(page, 'dark')
    await page.keyboard.press('Enter')
    await page.locator('html[data-theme="dark"]').waitFor()
    await openPalette(page, 'new stream')
    await page.keyboard.press('Enter')
    await focused(page, '[placeholder="orders"]')
    await page.keyboard.press('Escape')
    await openPalette(page, 'offset')
    await page.keyboard.press('Enter')
    await panelOf(page).getByRole('button', { name: 'Test offset' }).waitFor()
    await openPalette(page, 'test')
    await page.keyboard.press('Enter')
    await statusOf(page).getByText('Ended').waitFor()

    // What was used is first when it opens again, and a button opens it, too.
    await page.getByRole('button', { name: 'Find anything' }).click()
    const recent = palette.getByRole('group', { name: 'Recent' }).getByRole('option')
    assert.match(await recent.first().innerText(), /Test offset/)
    await palette.getByRole('combobox').fill('zzzz')
    await palette.getByText('Nothing matches “zzzz”').waitFor()
    await assertAccessible(page, 'palette without results', '.palette')
    await palette.getByRole('combobox').fill('cursor pagination')
    const docs = palette.getByRole('group', { name: 'Docs' }).getByRole('option')
    await docs.first().waitFor()
    const opened = page.waitForEvent('popup')
    await docs.first().click()
    const popup = await opened
    assert.match(popup.url() || 'about:blank', /\/docs\/|about:blank/)
    await popup.close()

    // Esc closes it, and the focus is where it was.
    await page.getByRole('button', { name: 'Find anything' }).click()
    await palette.waitFor()
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'hidden' })
    await focused(page, 'button[aria-label="Find anything"]')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Find a stream, an action').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('the filter finds streams, counts them, keeps what is open, and Esc shows all again', async () => {
    const { page, complaints } = await builder.open('/connectors/large?part=offset')
    const nav = page.getByRole('navigation', { name: 'Settings and streams' })
    const rows = nav.locator('.stream a')
    // Long lists are drawn in parts.
    await rows.nth(200).waitFor()
    assert.equal(await rows.count(), 201)
    await page.keyboard.press('/')
    await page.keyboard.type('_19')
    await nav.getByText('10 of 201').waitFor()
    assert.equal(await rows.count(), 10)
    await section(page, 'Request').waitFor()
    assert.match(page.url(), /part=offset/)
    await assertAccessible(page, 'a filtered outline', 'nav')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/part=stream_191/)
    // The open one moves within the whole list, and keeps the focus.
    await page.keyboard.press('Alt+ArrowUp')
    await focused(page, 'a:has-text("stream_191")')
    await page.keyboard.press('/')
    await page.keyboard.type('nothing')
    await nav.getByText('No stream matches.').waitFor()
    await page.keyboard.press('Escape')
    assert.equal(await rows.count(), 201)
    assert.ok(await nav.locator('a[aria-current]', { hasText: 'stream_191' }).isVisible())
    assert.deepEqual(complaints, [])
  })

  test('the text opens at what the form shows, and the form at the cursor', async () => {
    const { page, complaints } = await builder.open('/connectors/large?part=stream_120')
    const view = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const lines = page.locator('.yaml-editor .cm-line')
    await section(page, 'Request').waitFor()
    await view('YAML')
    await page.locator('.yaml-editor .cm-place', { hasText: 'name: stream_120' }).waitFor()
    assert.ok(await lines.filter({ hasText: 'name: stream_120' }).first().isVisible())

    // The cursor in another stream: the form opens that, at the section.
    await lines.filter({ hasText: 'path: /stream_121' }).click()
    await view('Form')
    await page.waitForURL(/part=stream_121/)
    const path = section(page, 'Request').getByRole('textbox', { name: 'Path', exact: true })
    await page.locator('.section[data-title="Request"] :focus').waitFor()
    await hasValue(path, '/stream_121')
    assert.ok(await path.evaluate((element) => element === element.ownerDocument.activeElement))

    // A section that has the focus, and then settings.
    await section(page, 'Schema').getByRole('button', { name: 'Schema', exact: true }).focus()
    await view('YAML')
    await page.locator('.yaml-editor .cm-place', { hasText: 'schema_loader' }).first().waitFor()
    await view('Form')
    await page.getByRole('link', { name: 'Base URL' }).click()
    await view('YAML')
    await page.locator('.yaml-editor .cm-place', { hasText: 'url_base' }).waitFor()
    await view('Form')
    await page.waitForURL(/part=\.base-url/)
    assert.deepEqual(complaints, [])
  })

  test('on a phone, too', async () => {
    const { page, complaints } = await builder.open('/connectors/large?part=offset', {
      viewport: { width: 390, height: 844 },
    })
    await page.getByRole('button', { name: 'Find anything' }).click()
    await paletteOf(page).getByRole('option', { name: 'Save' }).waitFor()
    await assertFits(page, 'palette')
    await paletteOf(page).getByRole('combobox').fill('stream_007')
    await paletteOf(page).getByRole('option').first().click()
    await page.waitForURL(/part=stream_007/)
    assert.deepEqual(complaints, [])
  })
})

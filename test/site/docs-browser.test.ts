/** The docs in a real browser: search by keyboard, copy buttons, the switch, small and large screens. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { assertAccessible, assertReadable } from '../helpers/axe.ts'
import { executablePath } from '../helpers/chromium.ts'
import { sharedBrowser } from '../helpers/tabs.ts'
import { hasValue } from '../helpers/has-value.ts'
import { type Running, startBoth } from './running.ts'

describe('the docs in a browser', { skip: existsSync(executablePath) ? false : 'no Chromium here' }, () => {
  let running: Running
  let browser: Browser
  before(async () => {
    running = await startBoth()
    browser = await sharedBrowser()
  })
  after(() => running[Symbol.asyncDispose]())

  async function open(path: string, options: Parameters<Browser['newContext']>[0] = {}) {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => void complaints.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(running.baseUrl)) complaints.push(request.url())
    })
    await page.goto(running.baseUrl + path, { waitUntil: 'load' })
    return { page, complaints, [Symbol.asyncDispose]: () => context.close() }
  }

  for (const path of ['/docs', '/docs/sync', '/docs/cli']) {
    test(path, async () => {
      await using opened = await open(path, { viewport: { width: 390, height: 900 } })
      const { page, complaints } = opened
      await assertReadable(page, path, [390, 1440])
      assert.deepEqual(complaints, [])
    })
  }

  test('on a phone, each operation of the API is next to what it does', async () => {
    await using opened = await open('/docs/api', { viewport: { width: 390, height: 900 } })
    const table = opened.page.getByRole('table').first()
    const { scroll, width } = await table
      .locator('..')
      .evaluate((frame) => ({ scroll: frame.scrollWidth, width: frame.clientWidth }))
    assert.equal(scroll, width)
    // A browser finds and copies the path as it is written.
    assert.match(await table.innerText(), /GET \/v1\/test-reads\/\{id\}\/comparison/)
  })

  test('search: nothing is loaded before it is used; the keyboard finds, chooses and opens', async () => {
    await using opened = await open('/docs')
    const { page, complaints } = opened
    const loaded: string[] = []
    page.on('request', (request) => void loaded.push(new URL(request.url()).pathname))
    await page.keyboard.press('/')
    const field = page.getByRole('combobox', { name: 'Search the docs' })
    assert.equal(await field.evaluate((element) => element === element.ownerDocument.activeElement), true)
    await field.pressSequentially('cursor pagination')
    await page.getByRole('option').first().waitFor()
    assert.deepEqual(loaded.filter((path) => path !== '/favicon.svg').toSorted(), [
      '/docs/search.json',
      '/site/search.js',
    ])
    assert.equal(await page.getByRole('option').first().getAttribute('aria-selected'), 'true')
    await page.keyboard.press('ArrowDown')
    assert.equal(await page.getByRole('option').nth(1).getAttribute('aria-selected'), 'true')
    assert.equal(await field.getAttribute('aria-activedescendant'), 'found-1')
    await assertAccessible(page, 'what was found')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/pagination#cursor*')
    assert.deepEqual(complaints, [])
  })

  test('search: words that are nowhere, then Escape', async () => {
    await using opened = await open('/docs/sync')
    const { page } = opened
    const field = page.getByRole('combobox', { name: 'Search the docs' })
    await field.fill('zzzzqqqq')
    await page.getByText('Nothing found for “zzzzqqqq”').waitFor()
    await field.press('Escape')
    await hasValue(field, '')
    assert.equal(await page.getByRole('option').count(), 0)
  })

  test('search: an index that cannot be loaded is reported', async () => {
    await using opened = await open('/docs/sync')
    const { page } = opened
    await page.route('**/docs/search.json', (route) => route.abort())
    await page.getByRole('combobox', { name: 'Search the docs' }).fill('cursor')
    await page.getByText('The search could not be loaded. Reload the page to try again.').waitFor()
  })

  test('without scripts there is no search field, no button that does nothing, and every page is readable', async () => {
    await using opened = await open('/docs/sync', { javaScriptEnabled: false })
    assert.equal(await opened.page.getByRole('heading', { level: 1 }).textContent(), 'Sync')
    assert.equal(await opened.page.getByRole('combobox').count(), 0)
    assert.equal(await opened.page.getByRole('button', { name: 'Copy' }).count(), 0)
  })

  test('a button copies its code', async () => {
    await using opened = await open('/docs/get-started', { permissions: ['clipboard-read', 'clipboard-write'] })
    const { page } = opened
    const expected = await page.locator('.code code').first().textContent()
    await page.locator('.code').first().hover()
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), expected?.trimEnd())
  })

  test('of a terminal session a button copies the commands, without prompts and output', async () => {
    await using opened = await open('/docs/recorded-tests', { permissions: ['clipboard-read', 'clipboard-write'] })
    const { page } = opened
    const session = page.locator('.code').first()
    assert.match(String(await session.textContent()), /^\$ npx turnleaf record.*\nrecorded orders/)
    await session.hover()
    await session.getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    assert.deepEqual((await page.evaluate<string>('navigator.clipboard.readText()')).split('\n'), [
      'npx turnleaf record --manifest-path shop --config config.json',
      'npx turnleaf test shop',
    ])
  })

  test('the switch is remembered from page to page, also on the homepage', async () => {
    await using opened = await open('/docs', { colorScheme: 'light' })
    const { page } = opened
    const scheme = () => page.evaluate<string>('getComputedStyle(document.documentElement).colorScheme')
    await page.getByTitle('Dark').click()
    assert.equal(await scheme(), 'dark')
    for (const path of ['/docs/sync', '/']) {
      await page.goto(running.baseUrl + path)
      assert.equal(await scheme(), 'dark', path)
    }
    await page.getByTitle('System', { exact: true }).click()
    await page.goto(`${running.baseUrl}/docs`)
    assert.equal(await scheme(), 'light dark')
  })

  test('a heading has a link to itself', async () => {
    await using opened = await open('/docs/sync')
    await opened.page.getByRole('link', { name: 'Link to “Modes”' }).click()
    assert.equal(new URL(opened.page.url()).hash, '#modes')
  })
})

/** The homepage in a real browser: no error, no foreign request, nothing axe objects to, nothing wider than the screen. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, suite, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { type Listening, listen } from '../../src/site/listen.ts'
import { createSite, siteListener } from '../../src/site/site.ts'
import { peerFigures } from '../../src/site/homepage/peer-figures.ts'
import { chartFile } from '../../src/site/homepage/peer-picture.ts'
import { assertReadable } from '../helpers/axe.ts'
import { executablePath } from '../helpers/chromium.ts'
import { sharedBrowser } from '../helpers/tabs.ts'
import { siteFiles } from './running.ts'

suite('the homepage in a browser', () => {
  let browser: Browser | undefined
  let site: Listening

  before(async () => {
    assert.ok(
      existsSync(executablePath),
      'No Chromium: run `apt-get install chromium-headless-shell`, or set CHROMIUM to its path.',
    )
    site = await listen({})
    const facts = { baseUrl: site.url, apiUrl: 'http://127.0.0.1:9', version: '0.1.0' }
    site.serve(siteListener(createSite(facts, siteFiles)))
    browser = await sharedBrowser()
  })
  after(() => site?.[Symbol.asyncDispose]())

  async function open(options: Parameters<Browser['newPage']>[0]) {
    assert.ok(browser)
    const page = await browser.newPage({ reducedMotion: 'reduce', ...options })
    const errors: string[] = []
    const asked: string[] = []
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    page.on('pageerror', (error) => errors.push(error.message))
    page.on('request', (request) => asked.push(new URL(request.url()).origin))
    await page.goto(site.url, { waitUntil: 'load' })
    return { page, errors, asked, [Symbol.asyncDispose]: () => page.close() }
  }

  test('is accessible and fits, on a phone too', async () => {
    await using opened = await open({ viewport: { width: 390, height: 900 } })
    const { page, errors, asked } = opened
    await assertReadable(page, 'the homepage', [390, 1440])
    assert.deepEqual(errors, [])
    assert.deepEqual(new Set(asked), new Set([site.url]))
  })

  test('nothing is wider than a screen of 320 or of 1920 px', async () => {
    for (const width of [320, 768, 1920]) {
      await using opened = await open({ viewport: { width, height: 900 } })
      const overflow = await opened.page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      assert.ok(overflow <= 0, `${overflow} px wider than ${width}`)
    }
  })

  test('without scripts the commands are there and no button pretends to work', async () => {
    await using opened = await open({ javaScriptEnabled: false })
    assert.equal(await opened.page.getByText('npm ci && npm start').isVisible(), true)
    assert.equal(await opened.page.getByRole('button', { name: 'Copy' }).count(), 0)
  })

  test('a button copies its command', async () => {
    await using opened = await open({ permissions: ['clipboard-read', 'clipboard-write'] })
    await opened.page.getByRole('button', { name: 'Copy' }).nth(1).click()
    await opened.page.getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(await opened.page.evaluate('navigator.clipboard.readText()'), 'npm ci && npm test')
  })

  test('of each chart one picture is shown, for the colours of the page, and its text is at least 12 px high on a phone', async () => {
    await using opened = await open({ colorScheme: 'light', viewport: { width: 390, height: 900 } })
    const { page } = opened
    const shown = async () => {
      const visible = page.locator('.charts img:visible')
      await visible.last().scrollIntoViewIfNeeded()
      return visible.evaluateAll((images) =>
        images.map((image) => ({
          name: String(image.getAttribute('src')),
          scale: Number(image.clientWidth) / Number(image.getAttribute('width')),
        })),
      )
    }
    const files = (scheme: 'light' | 'dark') => peerFigures.charts.map((chart) => `/${chartFile(chart, scheme)}`)
    const light = await shown()
    assert.deepEqual(
      light.map(({ name }) => name),
      files('light'),
    )
    for (const { scale } of light) assert.ok(15 * scale >= 12, `scaled by ${scale}`)
    await page.getByTitle('Dark').click()
    assert.deepEqual(
      (await shown()).map(({ name }) => name),
      files('dark'),
    )
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.getByTitle('Light').click()
    assert.deepEqual(
      (await shown()).map(({ name }) => name),
      files('light'),
    )
  })

  test('shows the builder, in the colours of the page, and a button that opens it', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await using opened = await open({ colorScheme, viewport: { width: 1440, height: 900 } })
      const shown = opened.page.locator('.shot img:visible')
      assert.equal(await shown.getAttribute('src'), `/pictures/builder-${colorScheme}.webp`)
      await shown.scrollIntoViewIfNeeded()
      assert.ok(await shown.evaluate((image) => image.decode().then(() => image.naturalWidth > 1000)))
      const door = opened.page.getByRole('link', { name: 'Open the builder' })
      assert.equal(await door.getAttribute('href'), 'http://127.0.0.1:9')
    }
  })

  for (const [width, most] of [
    [1440, 3500],
    [390, 5700],
  ] as const) {
    test(`is at most ${most} px long on a screen of ${width}: half of what it was`, async () => {
      await using opened = await open({ viewport: { width, height: 900 } })
      const height = await opened.page.evaluate<number>('document.documentElement.scrollHeight')
      assert.ok(height <= most, `${height} px`)
      console.log(`homepage at ${width} px: ${height} px`)
    })
  }

  test('printed, it takes hardly more sheets than its content is long', async () => {
    await using opened = await open({ viewport: { width: 794, height: 1123 } })
    const { page } = opened
    await page.emulateMedia({ media: 'print' })
    const height = await page.evaluate<number>('document.documentElement.scrollHeight')
    const pdf = await page.pdf({ width: '794px', height: '1123px', printBackground: true })
    const sheets = [...pdf.toString('latin1').matchAll(/\/Type \/Page\b/g)].length
    assert.ok(sheets <= Math.ceil(height / 1123) + 1, `${sheets} sheets for ${height} px`)
  })

  test('the switch turns the page dark and back', async () => {
    await using opened = await open({ colorScheme: 'light' })
    const scheme = () => opened.page.evaluate<string>('getComputedStyle(document.documentElement).colorScheme')
    await opened.page.getByTitle('Dark').click()
    assert.equal(await scheme(), 'dark')
    await opened.page.getByTitle('System', { exact: true }).click()
    assert.equal(await scheme(), 'light dark')
  })
})

/** What the headers do in a real browser; the page itself is looked at in homepage-browser.test.ts. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { executablePath } from '../helpers/chromium.ts'
import { sharedBrowser } from '../helpers/tabs.ts'
import { listen } from '../../src/site/listen.ts'
import { type Running, startBoth } from './running.ts'

/** Source text: the tests are compiled without the types of a browser. */
const intruders = `
  const put = (name, change) => document.body.append(Object.assign(document.createElement(name), change))
  put('script', { textContent: 'window.ran = true' })
  put('style', { textContent: 'body { color: red }' })
  put('img', { src: 'https://elsewhere.example/x.png' })
`

describe('the headers, to a real browser', { skip: existsSync(executablePath) ? false : 'no Chromium here' }, () => {
  let running: Running
  let browser: Browser
  before(async () => {
    running = await startBoth()
    browser = await sharedBrowser()
  })
  after(() => running[Symbol.asyncDispose]())

  for (const javaScriptEnabled of [true, false]) {
    test(`the policy lets everything on the page through, and nothing leaves the site; scripts ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
      const context = await browser.newContext({ javaScriptEnabled })
      const page = await context.newPage()
      const complaints: string[] = []
      const asked: string[] = []
      page.on('console', (message) => void complaints.push(message.text()))
      page.on('pageerror', (error) => void complaints.push(error.message))
      page.on('requestfailed', (request) => void complaints.push(request.url()))
      page.on('request', (request) => void asked.push(request.url()))
      const response = await page.goto(`${running.baseUrl}/`, { waitUntil: 'networkidle' })
      assert.equal(response?.status(), 200)
      assert.match(String(response?.headers()['content-type']), /^text\/html/)
      assert.deepEqual(complaints, [])
      assert.deepEqual(
        asked.filter((url) => !url.startsWith(`${running.baseUrl}/`)),
        [],
      )
      assert.deepEqual(await context.cookies(), [])
      // A style that the policy had blocked would leave the browser's own typeface.
      if (javaScriptEnabled)
        assert.doesNotMatch(String(await page.evaluate('getComputedStyle(document.body).fontFamily')), /^"?Times/)
      await context.close()
    })
  }

  test('the policy stops a script, a style and a picture that are not of the page', async () => {
    const page = await browser.newPage()
    const blocked: string[] = []
    page.on('console', (message) => void blocked.push(message.text()))
    await page.goto(`${running.baseUrl}/`)
    await page.evaluate(intruders)
    await page.waitForTimeout(200)
    assert.equal(await page.evaluate(`'ran' in window`), false)
    assert.equal(blocked.filter((text) => /Content.Security.Policy/.test(text)).length, 3, blocked.join('\n'))
    await page.close()
  })

  test('a page of another origin may read the probe, its header too', async () => {
    const page = await browser.newPage()
    await using elsewhere = await listen({})
    elsewhere.serve((_request, response) => void response.end('<!DOCTYPE html><title>elsewhere</title>'))
    await page.goto(elsewhere.url)
    const read = await page.evaluate(async (url) => {
      const response = await fetch(url, {
        headers: { 'PAYMENT-SIGNATURE': 'x', 'X-PAYMENT': 'x', 'Access-Control-Expose-Headers': 'x' },
      })
      return { status: response.status, header: response.headers.get('payment-required'), body: await response.text() }
    }, `${running.baseUrl}/api/x402`)
    assert.equal(read.status, 402)
    assert.equal(Buffer.from(String(read.header), 'base64').toString(), read.body)
    await page.close()
  })
})

/** The builder as a person has it: a real server with a home of its own, the lab, and a real browser. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { executablePath } from '../helpers/chromium.ts'
import { giveBack, sharedBrowser, takeTab } from '../helpers/tabs.ts'
import { startLab } from '../../src/lab/lab.ts'
import { startApi } from '../server/start-api.ts'
import type { Services } from '../../src/server/services.ts'
import { testServices } from '../server/services.ts'

/** For `describe(…, { skip: noBrowser })`: the test command finds or installs Chromium, and says so where it cannot. */
export const noBrowser = existsSync(executablePath) ? false : 'no Chromium here'

export type RunningBuilder = {
  readonly url: string
  /** TURNLEAF_HOME. */
  readonly home: string
  /** The address of the sample API. */
  readonly lab: string
  readonly browser: Browser
  /** Makes a connector as the page would. */
  create(name: string, text: string): Promise<void>
  /** A tab with storage of its own; fails the test later if the page complained or talked to anybody else. */
  open(path?: string, options?: BrowserContextOptions): Promise<OpenedPage>
  /** Closes a tab before the end of its test. */
  close(page: Page): Promise<void>
  /** Closes every tab that is open: for after each test. */
  closeTabs(): Promise<void>
  /** Ends the server, as a crash or an update would; what was opened stays open. */
  stopServer(): Promise<void>
  /** Starts it again, at the same address with the same home. */
  startServer(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export type OpenedPage = {
  readonly page: Page
  /** What the page wrote to the console as an error, threw, or asked of anybody but the server. */
  readonly complaints: readonly string[]
}

export async function startBuilder(changes: Partial<Services> = {}): Promise<RunningBuilder> {
  const lab = await startLab()
  const services = testServices({ lab: lab.url, ...changes })
  const begin = (port: number) => startApi({ port, baseUrl: 'http://127.0.0.1:1', version: '0.1.0', services })
  let api = await begin(0)
  const { url, port } = api
  const browser = await sharedBrowser()
  const opened = new Map<Page, BrowserContextOptions>()
  const close = async (page: Page) => {
    const options = opened.get(page)
    // Nothing is at this address: an answer without a script.
    if (opened.delete(page)) await giveBack(page, options ?? {}, url, `${url}/v1/nothing`)
  }
  const closeTabs = async () => {
    for (const page of opened.keys()) await close(page)
  }
  return {
    url,
    home: services.home,
    lab: lab.url,
    browser,
    async create(name, text) {
      const created = await fetch(`${api.url}/v1/connectors`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name, text }),
      })
      assert.equal(created.status, 201)
    },
    async open(path = '/', options = {}) {
      const page = await takeTab(options)
      opened.set(page, options)
      const complaints: string[] = []
      page.on('pageerror', (error) => void complaints.push(error.message))
      page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())))
      page.on('request', (request) => {
        if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url())) complaints.push(request.url())
      })
      await page.goto(url + path)
      return { page, complaints }
    },
    close,
    closeTabs,
    stopServer: () => api.close(),
    async startServer() {
      api = await begin(port)
    },
    async [Symbol.asyncDispose]() {
      await closeTabs()
      await api.close()
      await lab.close()
      await services[Symbol.asyncDispose]()
    },
  }
}

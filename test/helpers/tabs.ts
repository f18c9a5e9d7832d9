/**
 * One browser for all files that a test process runs, and tabs that are used again: a new one costs a process, and
 * compiles every script anew. A tab is handed out as if it were new; one that cannot be made so is closed.
 */
import { after } from 'node:test'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { executablePath, quiet } from './chromium.ts'

let launched: Promise<Browser> | undefined
const free: Page[] = []

/** The browser of this process; it ends after the last test. A test that wants a context of its own makes one here. */
export async function sharedBrowser(): Promise<Browser> {
  const browser = await (launched ??= chromium.launch({ executablePath, args: quiet }))
  if (browser.isConnected()) return browser
  launched = undefined
  free.length = 0
  return sharedBrowser()
}

after(async () => (await launched)?.close())

/** What can be set anew on a tab that was used; a test that wants more gets a new one. */
type Looks = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'reducedMotion'>

const usual = { viewport: { width: 1440, height: 900 }, colorScheme: 'light', reducedMotion: 'reduce' } as const

/** A tab with storage of its own. */
export async function takeTab(options: BrowserContextOptions = {}): Promise<Page> {
  const wanted = { ...usual, ...options }
  const browser = await sharedBrowser()
  for (let page = reusable(options); page !== undefined; page = reusable(options)) {
    try {
      await changeLooks(page, wanted)
      page.setDefaultTimeout(30_000)
      return page
    } catch {
      // The browser has closed it: another one will do.
    }
  }
  if (!isOnlyLooks(options)) return (await browser.newContext(wanted)).newPage()
  // The usual looks for the context: a tab that a later test opens next to it gets them.
  const page = await (await browser.newContext(usual)).newPage()
  await changeLooks(page, wanted)
  return page
}

async function changeLooks(page: Page, { viewport, colorScheme = null, reducedMotion = null }: Looks): Promise<void> {
  if (viewport) await page.setViewportSize(viewport)
  await page.emulateMedia({ media: null, colorScheme, reducedMotion, forcedColors: null, contrast: null })
}

function reusable(options: BrowserContextOptions): Page | undefined {
  return isOnlyLooks(options) ? free.pop() : undefined
}

/**
 * Takes a tab back, unless something about it cannot be undone: options of its context, a second tab beside it.
 * Init scripts, exposed functions and a faked clock cannot be seen here: a test with these makes a context of its own.
 * @param origin where its pages came from
 * @param resting an address there with no script: within one site the browser keeps the process, and what it has compiled
 */
export async function giveBack(page: Page, options: BrowserContextOptions, origin: string, resting: string) {
  const context = page.context()
  const isAlone = context.pages().length === 1 && !page.isClosed()
  if (!isOnlyLooks(options) || !isAlone) return context.close()
  try {
    forgetListeners(page)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    // It ends what the page was doing, and answers a question whether to leave with yes.
    await page.goto(resting)
    await page.mouse.move(-1, -1)
    await page.evaluate('sessionStorage.clear()')
    const session = await context.newCDPSession(page)
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
    await session.send('Page.resetNavigationHistory')
    await session.detach()
    await context.clearCookies()
    free.push(page)
  } catch {
    // Its server is gone, say.
    await context.close()
  }
}

function isOnlyLooks(options: BrowserContextOptions): options is Looks {
  return Object.keys(options).every((name) => name in usual)
}

/** Playwright itself listens for the end of a tab. */
function forgetListeners(page: Page): void {
  const events = ['console', 'dialog', 'download', 'pageerror', 'popup', 'request', 'requestfailed', 'requestfinished']
  for (const event of [...events, 'response', 'websocket']) (page as EventTarget).removeAllListeners(event)
}

type EventTarget = { removeAllListeners(event: string): void }

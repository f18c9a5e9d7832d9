/** A tab that is used again shows nothing of the test before. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { suite, test } from 'node:test'
import { executablePath } from './chromium.ts'
import { serveApi } from './serve-api.ts'
import { giveBack, takeTab } from './tabs.ts'

const html = {
  headers: { 'content-type': 'text/html' },
  text: '<!doctype html><title>page</title><button>here</button>',
}
const routes = { 'GET /': () => html, 'GET /next': () => html, 'GET /resting': () => ({ text: '' }) }

/** Source text: the tests are compiled without the types of a browser. */
const leaveTraces = `
  localStorage.setItem('draft', 'typed')
  sessionStorage.setItem('token', 'hush')
  document.cookie = 'sid=1'
  addEventListener('beforeunload', (event) => event.preventDefault())
  addEventListener('pagehide', () => localStorage.setItem('last', 'word'))
  setInterval(() => { console.error('late'); localStorage.setItem('late', 'word') }, 1)
  new Promise((resolve) => { indexedDB.open('base').onsuccess = resolve }).then(() => 0)
`
const traces = `indexedDB.databases().then((databases) => JSON.stringify([
  { ...localStorage }, { ...sessionStorage }, document.cookie, databases, history.length,
  innerWidth, innerHeight, matchMedia('(prefers-color-scheme: dark)').matches, matchMedia('print').matches,
  matchMedia('(prefers-reduced-motion: reduce)').matches, document.querySelector('button').matches(':hover'),
]))`

suite('a tab', { skip: existsSync(executablePath) ? false : 'no Chromium here' }, () => {
  test('that was used is as a new one', async () => {
    await using api = await serveApi(routes)
    const fresh = await takeTab({ locale: 'en-GB' })
    await fresh.goto(api.url)
    const expected = await fresh.evaluate(traces)
    await fresh.context().close()

    const looks = { viewport: { width: 390, height: 844 }, colorScheme: 'dark', reducedMotion: 'reduce' } as const
    const used = await takeTab(looks)
    const next = await used.context().newPage()
    assert.deepEqual(next.viewportSize(), { width: 1440, height: 900 }, 'a tab next to it has the usual size')
    await next.close()
    const heard: string[] = []
    used.on('console', (message) => void heard.push(message.text()))
    await used.route('**/*', (route) => route.continue())
    await used.goto(`${api.url}/next`)
    await used.goto(api.url)
    await used.emulateMedia({ media: 'print' })
    await used.getByRole('button').click()
    await used.evaluate(leaveTraces)
    assert.notEqual(await used.evaluate(traces), expected)
    await giveBack(used, looks, api.url, `${api.url}/resting`)
    const before = heard.length

    const again = await takeTab()
    assert.equal(again, used)
    const complaints: string[] = []
    again.on('console', (message) => void complaints.push(message.text()))
    await again.route('**/next', (route) => route.abort())
    await again.goto(api.url)
    assert.equal(await again.evaluate(traces), expected)
    assert.deepEqual(complaints, [])
    assert.equal(heard.length, before)
    await giveBack(again, {}, api.url, `${api.url}/resting`)

    const third = await takeTab()
    assert.equal((await third.goto(`${api.url}/next`))?.status(), 200)
    await giveBack(third, {}, api.url, `${api.url}/resting`)
  })

  test('is not used again with special options, with a second one beside it, or once its server is gone', async () => {
    await using api = await serveApi(routes)
    const give = (page: Awaited<ReturnType<typeof takeTab>>, options = {}, url = api.url) =>
      giveBack(page, options, url, `${url}/resting`)
    const special = await takeTab({ locale: 'de' })
    await give(special, { locale: 'de' })
    const doubled = await takeTab()
    await doubled.context().newPage()
    await give(doubled)
    const lost = await takeTab()
    await give(lost, {}, 'http://127.0.0.1:1')
    for (const page of [special, doubled, lost]) assert.ok(page.isClosed())
  })

  test('has storage of its own', async () => {
    await using api = await serveApi(routes)
    const [one, other] = [await takeTab(), await takeTab()]
    for (const page of [one, other]) await page.goto(api.url)
    await one.evaluate(`localStorage.setItem('draft', 'typed')`)
    assert.equal(await other.evaluate(`localStorage.getItem('draft')`), null)
    for (const page of [one, other]) await giveBack(page, {}, api.url, `${api.url}/resting`)
  })
})

/** Named test configs: in the tab, kept in an encrypted store, and with environment variables. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { type ServedApi, serveApi } from '../helpers/serve-api.ts'
import { assertAccessible, assertFits } from '../helpers/axe.ts'
import { until } from '../helpers/until.ts'
import { hasValue } from '../helpers/has-value.ts'
import { noBrowser, type RunningBuilder, startBuilder } from './browser.ts'
import { smallManifest } from './manifests.ts'
import { panelOf } from './panel-story.ts'

const secret = 'tl-4f9-never-shown-e27'
const passphrase = 'correct horse battery'
const variable = 'TURNLEAF_TEST_BUILDER_TOKEN'

const manifest = (api: string) => `version: 6.0.0
type: DeclarativeSource
check: { type: CheckStream, stream_names: [orders] }
streams:
  - type: DeclarativeStream
    name: orders
    retriever:
      type: SimpleRetriever
      requester:
        type: HttpRequester
        url_base: ${api}
        path: /orders
        authenticator: { type: BearerAuthenticator, api_token: "{{ config['api_token'] }}" }
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [] } }
spec:
  type: Spec
  connection_specification:
    type: object
    required: [api_token]
    properties:
      api_token: { type: string, title: API token, airbyte_secret: true }
      region: { type: string, title: Region }
`

describe('test configs', { skip: noBrowser }, () => {
  let builder: RunningBuilder
  let api: ServedApi
  before(async () => {
    process.env[variable] = secret
    builder = await startBuilder()
    api = await serveApi({
      'GET /orders': (_, { headers }) =>
        headers.authorization === `Bearer ${secret}` ? { json: [{ id: 1 }, { id: 2 }] } : { status: 401, json: {} },
    })
    await builder.create('shop', manifest(api.url))
  })
  afterEach(() => builder.closeTabs())
  after(async () => {
    delete process.env[variable]
    await builder[Symbol.asyncDispose]()
    await api[Symbol.asyncDispose]()
  })

  /** Everything that the server answers to the page. */
  function listen(page: Page): { all: () => Promise<string> } {
    const answers: Promise<string>[] = []
    page.on('response', (response) => {
      if (response.url().includes('/v1/changes')) return
      answers.push(response.text().catch(() => ''))
    })
    return { all: async () => (await Promise.all(answers)).join('\n') }
  }

  const bar = (page: Page) => page.getByRole('region', { name: 'Test config', exact: true })
  const token = (page: Page) => page.getByLabel('API token', { exact: true })

  async function works(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Check connection' }).click()
    await page.getByText('The API answers, and these values work.').waitFor()
  }

  test('credentials that the API refuses lead to Authentication', async () => {
    const { page } = await builder.open('/connectors/shop?part=orders')
    await panelOf(page).locator('input[type=password]').fill('wrong')
    await page.getByRole('button', { name: 'Use and test' }).click()
    const problem = page.getByRole('alert', { name: 'What went wrong' })
    await problem.getByText('Check the authentication method and the values of its inputs.').waitFor()
    // A slow network: the page is opened before it is there.
    await page.route(/authentication-page/, async (route) => {
      await setTimeout(500)
      await route.continue()
    })
    await problem.getByRole('button', { name: 'Go to Authentication' }).click()
    await page.locator('select:focus', { hasText: 'Bearer' }).waitFor()
  })

  test('and also where there is no authentication yet: the focus is on its method, and is not lost', async () => {
    await builder.create('open-shop', smallManifest(api.url, ['orders']))
    const { page } = await builder.open('/connectors/open-shop?part=orders')
    await page.getByRole('button', { name: 'Test orders' }).click()
    const problem = page.getByRole('alert', { name: 'What went wrong' })
    const toAuthentication = problem.getByRole('button', { name: 'Go to Authentication' })
    await toAuthentication.press('Enter')
    await page.locator('select:focus', { hasText: 'Bearer' }).waitFor()
    await toAuthentication.focus()
    await page.keyboard.press('Control+Enter')
    await page.locator('#content:focus').waitFor()
  })

  test('the result of a check counts for the same values, also where they were given again meanwhile', async () => {
    const { page, complaints } = await builder.open('/connectors/shop?part=.inputs')
    await token(page).fill(secret)
    const region = page.getByLabel('Region', { exact: true })
    await region.fill('north')
    let letGo = () => {}
    const over = new Promise<void>((resolve) => (letGo = resolve))
    await page.route('**/v1/checks', async (route) => {
      await over
      await route.continue()
    })
    await page.getByRole('button', { name: 'Check connection' }).click()
    await page.getByText('Asking the API…').waitFor()
    for (const value of ['south', 'north']) {
      await region.fill(value)
      await region.blur()
    }
    letGo()
    await page.getByText('The API answers, and these values work.').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('a config with a secret is kept behind a passphrase, survives a reload, and never comes back to the page', async () => {
    const { page, complaints } = await builder.open('/connectors/shop?part=.inputs')
    const answers = listen(page)
    await bar(page).getByRole('button', { name: 'New test config' }).click()
    await bar(page).getByLabel('Name of the new test config').fill('sandbox')
    await bar(page).getByRole('button', { name: 'Add', exact: true }).click()
    await token(page).fill(secret)
    await page.getByLabel('Region', { exact: true }).fill('north')
    await works(page)

    await bar(page).getByRole('button', { name: 'Keep on this machine' }).click()
    const address = bar(page).getByLabel('Secrets may be sent to')
    assert.equal(
      await until('the address is filled in', async () => (await address.inputValue()) || undefined),
      api.url,
    )
    await bar(page).getByLabel('Passphrase', { exact: true }).fill(passphrase)
    await bar(page).getByLabel('Passphrase again', { exact: true }).fill(passphrase)
    await assertAccessible(page, 'keeping a test config')
    await bar(page).getByRole('button', { name: 'Create the store and keep “sandbox”' }).click()
    await bar(page).getByText('Kept on this machine, encrypted.').waitFor()
    await hasValue(token(page), 'Stored on this machine')
    await works(page)
    assert.ok(!readFileSync(join(builder.home, '.test-configs/store.json'), 'utf8').includes(secret))

    // The store is locked as after a start of the server.
    await bar(page).getByRole('button', { name: 'Lock the store' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Unlock under Inputs' }).waitFor()
    await bar(page).getByLabel('Passphrase', { exact: true }).fill('correct horse buttery')
    await bar(page).getByRole('button', { name: 'Unlock' }).click()
    await bar(page).getByText('The passphrase is wrong.').waitFor()
    await assertAccessible(page, 'a locked store')
    await bar(page).getByLabel('Passphrase', { exact: true }).fill(passphrase)
    await bar(page).getByLabel('Passphrase', { exact: true }).press('Enter')
    await bar(page).getByText('Kept on this machine, encrypted.').waitFor()
    await hasValue(bar(page).getByLabel('Test config', { exact: true }), 'sandbox')
    await hasValue(page.getByLabel('Region', { exact: true }), 'north')
    await works(page)
    await page.keyboard.press('Control+Enter')
    await page.getByText('2 records').first().waitFor()

    // A reload with an unlocked store needs nothing.
    await page.reload()
    await bar(page).getByText('Kept on this machine, encrypted.').waitFor()
    await works(page)

    const dom = await page.content()
    const stored = String(await page.evaluate('JSON.stringify([localStorage, sessionStorage])'))
    for (const shown of [dom, stored, await answers.all()]) {
      assert.ok(!shown.includes(secret) && !shown.includes(passphrase), shown)
    }
    // The wrong passphrase is refused with 403, which the browser reports as well.
    assert.deepEqual(
      complaints.filter((one) => !one.includes('403')),
      [],
    )
  })

  test('a reload keeps names and what is no secret, and asks for the secrets again', async () => {
    const { page, complaints } = await builder.open('/connectors/shop?part=.inputs')
    await bar(page).getByRole('button', { name: 'New test config' }).click()
    await bar(page).getByLabel('Name of the new test config').fill('staging')
    await page.keyboard.press('Enter')
    await bar(page).getByText('secrets until it is reloaded').waitFor()
    await token(page).fill(secret)
    await page.getByLabel('Region', { exact: true }).fill('south')
    await page.reload()
    await bar(page).getByText('Type again: API token.').waitFor()
    await hasValue(bar(page).getByLabel('Test config', { exact: true }), 'staging')
    await hasValue(page.getByLabel('Region', { exact: true }), 'south')
    await hasValue(token(page), '')
    assert.ok(!String(await page.evaluate('JSON.stringify(sessionStorage)')).includes(secret))
    await assertAccessible(page, 'after a reload')
    await token(page).fill(secret)
    await bar(page).getByText('Type again').waitFor({ state: 'detached' })
    await works(page)
    assert.deepEqual(complaints, [])
  })

  test('an environment variable is used once its address is allowed; configs are copied, renamed and deleted', async () => {
    const { page, complaints } = await builder.open('/connectors/shop?part=.inputs')
    const answers = listen(page)
    const choice = bar(page).getByLabel('Test config', { exact: true })
    await bar(page).getByRole('button', { name: 'New test config' }).click()
    await bar(page).getByLabel('Name of the new test config').pressSequentially('from env')
    await page.keyboard.press('Enter')
    await token(page).fill('${TURNLEAF_NO_SUCH_VARIABLE}')
    await page.getByText('The environment variable TURNLEAF_NO_SUCH_VARIABLE is not set for the server.').waitFor()
    await token(page).fill(`\${${variable}}`)
    await page.getByText('may be sent to no address yet.').waitFor()
    await page.getByRole('button', { name: 'Check connection' }).click()
    await page.getByText('but may be sent to no address yet').waitFor()
    await page.getByRole('button', { name: `Allow ${api.url}` }).click()
    await page.getByText(`may be sent to ${api.url} only.`).waitFor()
    await works(page)
    await assertAccessible(page, 'a variable')

    const act = async (name: string, action: string) => {
      await bar(page)
        .getByRole('button', { name: `Actions for ${name}` })
        .click()
      await page.getByRole('menuitem', { name: action }).click()
    }
    await act('from env', 'Duplicate')
    await hasValue(choice, 'from env copy')
    await act('from env copy', 'Rename')
    await bar(page).getByLabel('New name of from env copy').fill('production')
    await page.keyboard.press('Enter')
    await token(page).fill('other')
    await choice.selectOption('from env')
    await hasValue(token(page), `\${${variable}}`)
    await choice.selectOption('production')
    await hasValue(token(page), 'other')
    await act('production', 'Delete')
    await bar(page).getByRole('button', { name: 'Delete', exact: true }).click()
    const left = await choice.locator('option').allTextContents()
    assert.ok(!left.includes('production') && left.includes('from env'), left.join(', '))
    await page.setViewportSize({ width: 390, height: 844 })
    await assertFits(page, 'the inputs on a phone')
    assert.ok(!(await answers.all()).includes(secret))
    assert.deepEqual(complaints, [])
  })
})

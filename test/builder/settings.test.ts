/** The settings of a connector: where its API is, how requests are authenticated, the inputs of a run. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Handler, serveApi, type ServedApi } from '../helpers/serve-api.ts'
import { assertAccessible, assertFits } from '../helpers/axe.ts'
import { until } from '../helpers/until.ts'
import { hasValue } from '../helpers/has-value.ts'
import { noBrowser, type RunningBuilder, startBuilder } from './browser.ts'

const secret = 'tl-4f9-never-shown-e27'

const manifest = (api: string) => `version: 6.0.0
type: DeclarativeSource
definitions:
  requester:
    type: HttpRequester
    url_base: ${api} # where the shop is
check: { type: CheckStream, stream_names: [orders] }
streams:
  - type: DeclarativeStream
    name: orders
    retriever:
      type: SimpleRetriever
      requester: { $ref: "#/definitions/requester", path: /orders }
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [] } }
`

/** Every request of a stream gets two orders; what else is asked is up to the story. */
const shop: Record<string, Handler> = {
  'GET /orders': () => ({ json: [{ id: 1 }, { id: 2 }] }),
  'POST /token': () => ({ json: { access_token: 'fresh-token', expires_in: 3600 } }),
  'POST /login': () => ({ json: { session: { id: 'session-7' } } }),
}

describe('settings of a connector', { skip: noBrowser }, () => {
  let builder: RunningBuilder
  let api: ServedApi
  let connectors = 0
  before(async () => {
    builder = await startBuilder()
    api = await serveApi(shop)
  })
  afterEach(() => builder.closeTabs())
  after(async () => {
    await builder[Symbol.asyncDispose]()
    await api[Symbol.asyncDispose]()
  })

  async function openSettings(part: string, text = manifest(api.url)) {
    const name = `settings-${++connectors}`
    await builder.create(name, text)
    const { page, complaints } = await builder.open(`/connectors/${name}?part=.${part}`)
    await page.getByRole('form', { name: labels[part] as string, exact: true }).waitFor()
    return { page, complaints, name, folder: join(builder.home, 'connectors', name) }
  }

  const labels: Record<string, string> = {
    'base-url': 'Base URL',
    authentication: 'Authentication',
    inputs: 'Inputs',
  }

  async function check(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Check connection' }).click()
    await page.getByText('The API answers, and these values work.').waitFor()
  }

  async function save(page: Page): Promise<void> {
    await page.keyboard.press('Control+s')
    await page.getByText('Saved', { exact: true }).waitFor()
  }

  const method = (page: Page) => page.getByLabel('Authentication method', { exact: true }).first()
  const field = (page: Page, label: string) =>
    page.getByRole('form', { name: 'Authentication', exact: true }).getByLabel(label, { exact: true })
  /** The labels of the fields of the method that are not called optional. */
  const needed = (page: Page) =>
    page
      .getByRole('form', { name: 'Authentication', exact: true })
      .locator('.field:has([aria-required]) > label:not([data-optional])')
      .filter({ hasNotText: 'Authentication method' })
      .allInnerTexts()
  const lastOrders = () => api.requests.filter(({ path }) => path === '/orders').at(-1)

  test('a base URL that streams share is changed where it is written', async () => {
    const { page, complaints, folder } = await openSettings('base-url', manifest('http://127.0.0.1:1'))
    await assertAccessible(page, 'base URL')
    await page.getByLabel('API base URL', { exact: true }).fill(api.url)
    await save(page)
    assert.equal(readFileSync(join(folder, 'manifest.yaml'), 'utf8'), manifest(api.url))
    assert.deepEqual(complaints, [])
  })

  test('a base URL that is no address is said to be none; one being typed and a template are not', async () => {
    const { page, complaints } = await openSettings('base-url', manifest('http://127.0.0.1:1'))
    const address = page.getByLabel('API base URL', { exact: true })
    const fault = page.getByText('This is not a whole address')
    for (const wrong of ['api.example.com/v1', 'shop', 'ftp://example.com', '/v1']) {
      await address.fill(wrong)
      await fault.waitFor()
      assert.equal(await address.getAttribute('aria-invalid'), 'true')
    }
    for (const right of ['http', 'https://', 'https://a', 'http://127.0.0.1:8080/v1', '{{ config["url"] }}/v1']) {
      await address.fill(right)
      await fault.waitFor({ state: 'detached' })
    }
    assert.deepEqual(complaints, [])
  })

  test('a connector without any requester gets one from its base URL', async () => {
    const { page, folder } = await openSettings('base-url', 'version: 6.0.0\ntype: DeclarativeSource\nstreams: []\n')
    await page.getByLabel('API base URL', { exact: true }).pressSequentially('https://a')
    await save(page)
    const text = readFileSync(join(folder, 'manifest.yaml'), 'utf8')
    assert.match(text, /requester:\s+type: HttpRequester\s+url_base: "https:\/\/a"\n/)
  })

  test('an API key is sent where the form says, and its value is in nothing else', async () => {
    const { page, complaints, folder } = await openSettings('authentication')
    await method(page).selectOption({ label: 'API key' })
    await field(page, 'Inject into').selectOption('request_parameter')
    await field(page, 'Field name').fill('key')
    await field(page, 'API key').fill(secret)
    await assertAccessible(page, 'API key')
    await check(page)
    assert.equal(lastOrders()?.query.get('key'), secret)
    await save(page)
    await page.getByRole('link', { name: 'Inputs' }).click()
    await hasValue(page.getByLabel('API key', { exact: true }), secret)
    await page.getByRole('link', { name: 'orders' }).click()
    await page.keyboard.press('Control+Enter')
    await page
      .getByText(/2 records/)
      .first()
      .waitFor()

    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })) {
      if (file.isFile()) assert.doesNotMatch(readFileSync(join(file.parentPath, file.name), 'utf8'), new RegExp(secret))
    }
    assert.doesNotMatch(await page.content(), new RegExp(secret))
    const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')
    assert.doesNotMatch(String(stored), new RegExp(secret))
    assert.match(readFileSync(join(folder, 'manifest.yaml'), 'utf8'), /\{\{ config\['api_key'\] \}\}/)
    assert.deepEqual(complaints, [])
  })

  test('a bearer token', async () => {
    const { page } = await openSettings('authentication')
    await method(page).selectOption({ label: 'Bearer' })
    await field(page, 'Token').fill(secret)
    await check(page)
    assert.equal(lastOrders()?.headers.authorization, `Bearer ${secret}`)
  })

  test('a name and a password', async () => {
    const { page } = await openSettings('authentication')
    await method(page).selectOption({ label: 'Basic' })
    await field(page, 'Username').fill('ada')
    await field(page, 'Password').fill(secret)
    await check(page)
    const sent = lastOrders()?.headers.authorization?.replace('Basic ', '') ?? ''
    assert.equal(Buffer.from(sent, 'base64').toString(), `ada:${secret}`)
  })

  test('OAuth fetches a token with the refresh token', async () => {
    const { page } = await openSettings('authentication')
    await method(page).selectOption({ label: 'OAuth' })
    await field(page, 'Token endpoint').fill(`${api.url}/token`)
    await field(page, 'Client ID').fill('client-1')
    await field(page, 'Client secret').fill(secret)
    await field(page, 'Refresh token').fill('refresh-1')
    await field(page, 'Scopes').fill('read:orders\nread:items')
    assert.deepEqual(await needed(page), ['Token endpoint', 'Client ID', 'Client secret', 'Refresh token'])
    await assertAccessible(page, 'OAuth')
    await check(page)
    const asked = api.requests.filter(({ path }) => path === '/token').at(-1)?.body ?? ''
    for (const part of ['client-1', secret, 'refresh-1', 'refresh_token']) assert.ok(asked.includes(part), part)
    assert.equal(lastOrders()?.headers.authorization, 'Bearer fresh-token')
  })

  test('OAuth with the credentials of a client asks for no refresh token', async () => {
    const { page, folder } = await openSettings('authentication')
    await method(page).selectOption({ label: 'OAuth' })
    await field(page, 'Token endpoint').fill(`${api.url}/token`)
    await field(page, 'Grant type').selectOption('client_credentials')
    await field(page, 'Refresh token').waitFor({ state: 'detached' })
    assert.equal(await page.getByText('Refresh token works only once').count(), 0)
    assert.deepEqual(await needed(page), ['Token endpoint', 'Client ID', 'Client secret'])
    await field(page, 'Client ID').fill('client-1')
    await field(page, 'Client secret').fill(secret)
    const height = 600
    await page.setViewportSize({ width: 1440, height })
    await check(page)
    await until('what came of the check is in view', async () => {
      const box = await page.getByText('The API answers, and these values work.').boundingBox()
      return box !== null && box.y + box.height <= height
    })
    const asked = api.requests.filter(({ path }) => path === '/token').at(-1)?.body ?? ''
    assert.ok(asked.includes('client_credentials') && !asked.includes('refresh'), asked)
    await save(page)
    assert.doesNotMatch(readFileSync(join(folder, 'manifest.yaml'), 'utf8'), /refresh_token:/)
  })

  test('a session token from a login request', async () => {
    const { page } = await openSettings('authentication')
    await method(page).selectOption({ label: 'Session token' })
    await field(page, 'Login base URL').fill(api.url)
    await field(page, 'Username').fill('ada')
    await field(page, 'Password').fill(secret)
    await field(page, 'Session token path').fill('session.id')
    await field(page, 'Send the token as').selectOption({ label: 'API key' })
    await assertAccessible(page, 'session token')
    await check(page)
    const login = api.requests.filter(({ path }) => path === '/login').at(-1)
    assert.deepEqual(JSON.parse(login?.body ?? ''), { username: 'ada', password: secret })
    assert.equal(lastOrders()?.headers['x-session-token'], 'session-7')
  })

  test('a JWT that is signed with the key', async () => {
    const { page } = await openSettings('authentication')
    await method(page).selectOption({ label: 'JWT' })
    await field(page, 'Secret key').fill(secret)
    await field(page, 'Issuer (iss)').fill('turnleaf')
    await assertAccessible(page, 'JWT')
    await check(page)
    const [head, payload, signature] = lastOrders()?.headers.authorization?.replace('Bearer ', '').split('.') ?? []
    assert.equal(JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()).iss, 'turnleaf')
    assert.equal(signature, createHmac('sha256', secret).update(`${head}.${payload}`).digest('base64url'))
  })

  test('another method and back brings back what was there; one undo takes the method and its inputs away', async () => {
    const { page, folder } = await openSettings('authentication')
    await method(page).selectOption({ label: 'API key' })
    await field(page, 'Field name').fill('X-Shop-Key')
    await method(page).selectOption({ label: 'Bearer' })
    await method(page).selectOption({ label: 'API key' })
    await hasValue(field(page, 'Field name'), 'X-Shop-Key')
    // Back, Bearer, the name of the field, the first method.
    for (let steps = 0; steps < 4; steps++) await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal(readFileSync(join(folder, 'manifest.yaml'), 'utf8'), manifest(api.url))
  })

  test('a secret that is written in the manifest is flagged, and moves to the inputs', async () => {
    const written = manifest(api.url).replace(
      '# where the shop is',
      `# where the shop is\n    authenticator: { type: BearerAuthenticator, api_token: ${secret} }`,
    )
    const { page, folder } = await openSettings('authentication', written)
    await page.getByText('The value itself is written in the manifest').waitFor()
    assert.doesNotMatch(await page.content(), new RegExp(secret))
    await page.getByRole('button', { name: 'Move to inputs' }).click()
    await check(page)
    assert.equal(lastOrders()?.headers.authorization, `Bearer ${secret}`)
    await save(page)
    assert.doesNotMatch(readFileSync(join(folder, 'manifest.yaml'), 'utf8'), new RegExp(secret))
  })

  test('authenticators that the form cannot show are named, and stay as they are', async () => {
    const selective = manifest(api.url).replace(
      '# where the shop is',
      `# where the shop is
    authenticator:
      type: SelectiveAuthenticator
      authenticator_selection_path: [kind]
      authenticators: { token: { type: NoAuth } } # ours`,
    )
    const { page, complaints } = await openSettings('authentication', selective)
    await page.getByText('chooses one of several authenticators by an input').waitFor()
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('a check that fails says what the API said', async () => {
    const { page } = await openSettings('authentication', manifest(api.url).replace('path: /orders', 'path: /nothing'))
    await page.getByRole('button', { name: 'Check connection' }).click()
    await page.getByRole('status').filter({ hasText: '404' }).waitFor()
  })

  test('an input is added, described, renamed with the templates that use it, and deleted after a warning', async () => {
    const { page, complaints, folder } = await openSettings(
      'inputs',
      manifest(api.url).replace('path: /orders }', `path: "/{{ config['list'] }}" }`),
    )
    const inputs = page.getByRole('form', { name: 'Inputs', exact: true })
    await inputs.getByLabel('Name', { exact: true }).fill('list')
    await inputs.getByRole('button', { name: 'Add input' }).click()
    await inputs.getByRole('button', { name: 'Edit List' }).click()
    await inputs.getByLabel('Title', { exact: true }).fill('Which list')
    await inputs.getByLabel('Allowed values', { exact: true }).fill('orders\nitems')
    await inputs.getByLabel('Which list', { exact: true }).selectOption('orders')
    await assertAccessible(page, 'inputs')
    await check(page)
    const name = inputs.getByRole('listitem').getByLabel('Name', { exact: true })
    await name.fill('shop_list')
    await name.press('Enter')
    await inputs.getByText('shop_list').first().waitFor()
    await hasValue(inputs.getByLabel('Which list', { exact: true }), 'orders')
    await check(page)
    await save(page)
    const text = readFileSync(join(folder, 'manifest.yaml'), 'utf8')
    assert.match(text, /path: "\/\{\{ config\['shop_list'\] \}\}"/)
    assert.doesNotMatch(text, /\['list'\]|^ +list:/m)

    await inputs.getByRole('button', { name: 'Delete Which list' }).click()
    await inputs.getByText('Used in one place').waitFor()
    await inputs.getByRole('button', { name: 'Delete anyway' }).click()
    await inputs.getByText('No inputs yet').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('inputs of every type take values of that type', async () => {
    const spec = `spec:
  type: Spec
  connection_specification:
    type: object
    properties:
      count: { type: integer }
      exact: { type: boolean }
      parts: { type: object, properties: { a: { type: string } } }
`
    const text = manifest(api.url).replace(
      'path: /orders }',
      `path: /orders, request_parameters: { n: "{{ config['count'] + 1 }}", e: "{{ config['exact'] is true }}", a: "{{ config['parts']['a'] }}" } }`,
    )
    const { page } = await openSettings('inputs', text + spec)
    const inputs = page.getByRole('form', { name: 'Inputs', exact: true })
    await inputs.getByLabel('count', { exact: true }).fill('4x')
    await inputs.getByText('This is not a whole number.').waitFor()
    await inputs.getByLabel('count', { exact: true }).fill('41')
    await inputs.getByLabel('exact', { exact: true }).selectOption('true')
    await inputs.getByLabel('parts', { exact: true }).fill('{ "a": ')
    await inputs.getByText('This is not JSON yet.').waitFor()
    await inputs.getByLabel('parts', { exact: true }).fill('{ "a": "b" }')
    await check(page)
    assert.equal(lastOrders()?.query.toString(), 'n=42&e=True&a=b')
  })

  test('every page of settings fits a phone', async () => {
    const { page, name } = await openSettings('authentication')
    await method(page).selectOption({ label: 'OAuth' })
    await save(page)
    await builder.close(page)
    for (const part of ['base-url', 'authentication', 'inputs']) {
      const opened = await builder.open(`/connectors/${name}?part=.${part}`, {
        viewport: { width: 390, height: 844 },
        colorScheme: 'dark',
      })
      await opened.page.getByRole('form', { name: labels[part] as string, exact: true }).waitFor()
      await assertAccessible(opened.page, part)
      await assertFits(opened.page, part)
      await builder.close(opened.page)
    }
  })
})

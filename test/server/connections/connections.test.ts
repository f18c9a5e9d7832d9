/** From what was chosen in the page to a schedule that runs: connections over HTTP. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ConnectorRuns } from '../../../src/server/wire/run.ts'
import type { WiredSchedule } from '../../../src/server/wire/schedule.ts'
import type { SyncRun } from '../../../src/server/wire/sync.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { until } from '../../helpers/until.ts'
import { openApi } from '../connectors/asking.ts'

const manifest = (url: string) => `version: 6.0.0
type: DeclarativeSource
check: { type: CheckStream, stream_names: [orders] }
streams:
  - type: DeclarativeStream
    name: orders
    primary_key: id
    schema_loader: { type: InlineSchemaLoader, schema: { type: object, properties: {} } }
    retriever:
      type: SimpleRetriever
      requester:
        type: HttpRequester
        url_base: ${url}
        path: /orders
        http_method: GET
        authenticator: { type: BearerAuthenticator, api_token: "{{ config['api_key'] }}" }
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [data] } }
spec:
  type: Spec
  connection_specification:
    type: object
    properties: { api_key: { type: string, airbyte_secret: true }, region: { type: string } }
`

async function openShop() {
  const tokens: string[] = []
  let gate: Promise<void> | null = null
  let release = () => {}
  const api = await serveApi({
    'GET /orders': async (_, { headers }) => {
      tokens.push(String(headers.authorization))
      await gate
      return { json: { data: [{ id: 1 }, { id: 2 }] } }
    },
  })
  return {
    url: api.url,
    tokens,
    close: () => {
      gate = new Promise((resolve) => (release = resolve))
    },
    open: () => release(),
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  }
}

const config = { api_key: 'sesame-open-1', region: 'eu' }

test('a connection with secrets in files is scheduled, runs, can be followed and stopped, and its runs are listed', async () => {
  await using shop = await openShop()
  await using api = openApi()
  await api.ask('POST', '/v1/connectors', { name: 'shop', text: manifest(shop.url) })
  const at = '/v1/connectors/shop/connections'
  assert.deepEqual((await api.ask('GET', at)).body, { connections: [] })
  const created = await api.ask('POST', at, { config, secrets: 'files', require: 'unproven' })
  assert.equal(created.status, 201, JSON.stringify(created.body))
  assert.deepEqual(created.body, {
    name: 'shop',
    file: 'connections/shop/connection.yaml',
    to: 'duckdb:turnleaf.duckdb',
    streams: null,
    require: 'unproven',
    isScheduled: false,
    missing: [],
  })
  const text = readFileSync(join(api.home, 'connections/shop/connection.yaml'), 'utf8')
  assert.ok(!text.includes(config.api_key), text)
  assert.equal(statSync(join(api.home, 'connections/shop/secrets/api_key')).mode & 0o077, 0)
  assert.equal((await api.ask('POST', at, { config })).status, 409)

  assert.equal((await api.ask('PUT', '/v1/schedules/shop', { every: '1d' })).status, 200)
  const { body: listed } = await api.ask('GET', '/v1/schedules')
  assert.deepEqual([listed.runner, listed.schedules.length], ['none', 1])
  shop.close()
  assert.equal((await api.ask('POST', '/v1/schedules/shop/run')).status, 202)
  const [running] = await untilSome<SyncRun>(async () => {
    const { syncs } = (await api.ask('GET', '/v1/syncs')).body
    return syncs.filter((one: { run: string | null }) => one.run !== null)
  })
  assert.deepEqual([running?.connector, running?.startedBy, running?.status], ['shop', 'schedule', 'running'])
  const second = await api.ask('POST', '/v1/syncs', { connector: 'shop', config })
  assert.equal(second.status, 429, 'the page writes to the same tables')
  const cancelling = api.ask('DELETE', `/v1/syncs/${running?.id}`)
  shop.open()
  assert.equal((await cancelling).body.status, 'interrupted')
  const stopped = await untilSome<WiredSchedule>(async () => {
    const { schedules } = (await api.ask('GET', '/v1/schedules')).body
    return schedules.filter((one: { last: { status: string } }) => one.last.status !== 'running')
  })
  assert.equal(stopped[0]?.last?.status, 'cancelled', 'not resumed at once')
  await api.ask('POST', '/v1/schedules/shop/run')
  const done = await untilSome(async () =>
    (await api.ask<ConnectorRuns>('GET', '/v1/connectors/shop/runs')).body.runs.filter(
      ({ status }) => status === 'complete',
    ),
  )
  assert.equal(done.length, 1, 'the place of the page and of the connection is one')
  assert.ok(shop.tokens.every((token) => token === `Bearer ${config.api_key}`))
})

test('secrets in the environment: the file has references, and what is missing is said', async () => {
  await using shop = await openShop()
  await using api = openApi()
  await api.ask('POST', '/v1/connectors', { name: 'shop', text: manifest(shop.url) })
  const { status, body } = await api.ask('POST', '/v1/connectors/shop/connections', {
    name: 'shop-eu',
    config,
    to: 'jsonl:data/eu',
    streams: ['orders'],
    mode: { orders: 'full_refresh_append' },
    schedule: { every: '15m' },
  })
  assert.equal(status, 201, JSON.stringify(body))
  assert.equal(body.isScheduled, true)
  assert.deepEqual([body.missing, body.to], [['INPUT_SHOP_EU_API_KEY'], 'jsonl:data/eu'])
  const text = readFileSync(join(api.home, 'connections/shop-eu/connection.yaml'), 'utf8')
  assert.match(text, /api_key: \$\{INPUT_SHOP_EU_API_KEY\}/)
  assert.match(text, /region: eu/)
  assert.match(text, /every: 15m/)
})

test('each secret has a variable of its own, also where two names differ by a dash only', async () => {
  await using shop = await openShop()
  await using api = openApi()
  const inputs = 'auth: { type: object, properties: { key: { type: string, airbyte_secret: true } } }'
  const text = manifest(shop.url).replace(
    'region:',
    `auth_key: { type: string, airbyte_secret: true }, ${inputs}, region:`,
  )
  await api.ask('POST', '/v1/connectors', { name: 'shop', text })
  const missing = []
  for (const name of ['shop-eu', 'shop_eu']) {
    const given = {
      name,
      config: { auth: { key: `s3cret-of-${name}` }, auth_key: 's3cret-other' },
      to: `jsonl:data/${name}`,
    }
    const { body } = await api.ask('POST', '/v1/connectors/shop/connections', given)
    missing.push(body.missing)
  }
  assert.deepEqual(missing, [
    ['INPUT_SHOP_EU_AUTH_KEY', 'INPUT_SHOP_EU_AUTH_KEY_2'],
    ['INPUT_SHOP_EU_AUTH_KEY_3', 'INPUT_SHOP_EU_AUTH_KEY_4'],
  ])
})

test('a reference of a client, a password without a file and a path outside are refused, and nothing is written', async () => {
  await using shop = await openShop()
  await using api = openApi()
  await api.ask('POST', '/v1/connectors', { name: 'shop', text: manifest(shop.url) })
  const refused: readonly (readonly [object, string])[] = [
    [{ config: { ...config, region: 'file:/etc/passwd' } }, 'connections/plain-secret'],
    [{ config, to: 'postgres://me:secret@127.0.0.1/shop' }, 'connections/plain-secret'],
    [{ config, to: 'jsonl:../out' }, 'server/destination'],
    [{ config, schedule: { cron: '0 25 * * *' } }, 'schedules/cron'],
  ]
  for (const [body, code] of refused) {
    const answer = await api.ask('POST', '/v1/connectors/shop/connections', body)
    assert.deepEqual([answer.status, answer.body.code], [422, code], JSON.stringify(answer.body))
  }
  assert.ok(!existsSync(join(api.home, 'connections/shop')))

  const token = 'of-the-server'
  await using shared = openApi({ token })
  const app = (path: string, body: object) =>
    shared.app.request(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
  assert.equal((await app('/v1/connectors', { name: 'shop', text: manifest(shop.url) })).status, 201)
  for (const api_key of ['${PATH}', '${stored:shop/sandbox/api_key}']) {
    const answer = await app('/v1/connectors/shop/connections', { config: { ...config, api_key }, secrets: 'files' })
    assert.equal(answer.status, 422)
    assert.match(await answer.text(), /connections\/plain-secret/)
  }
  assert.ok(!existsSync(join(shared.home, 'connections/shop')))
})

test('a connection that the disk refuses says why, in words', async () => {
  await using shop = await openShop()
  await using api = openApi()
  await api.ask('POST', '/v1/connectors', { name: 'shop', text: manifest(shop.url) })
  writeFileSync(join(api.home, 'connections'), 'a file where the folder should be')
  const { status, body } = await api.ask('POST', '/v1/connectors/shop/connections', { config, secrets: 'files' })
  assert.deepEqual([status, body.code], [422, 'cli/file'])
  assert.match(body.detail, /connections\/shop cannot be written: a file is in the place of a folder \(E\w+\)\.$/)
})

test('where other machines can reach the server, a scheduled run reaches public addresses only, and databases that the operator named', async () => {
  await using shop = await openShop()
  await using api = openApi({ egress: 'public-only' })
  await api.ask('POST', '/v1/connectors', { name: 'shop', text: manifest(shop.url) })
  await api.ask('POST', '/v1/connectors/shop/connections', { config, secrets: 'files' })
  const { error } = await scheduledRun(api, 'shop')
  assert.equal(error?.code, 'response/address-refused', JSON.stringify(error))
  assert.deepEqual(shop.tokens, [])

  // As after a name leads to another host than when the connection was created.
  const database = 'postgres://me:secret@127.0.0.1:1/shop'
  putConnection(api.home, 'moved', 'connector: shop\ndestination: file:address\n')
  writeFileSync(join(api.home, 'connections/moved/address'), database)
  putConnection(api.home, 'named', 'connector: shop\ndestination: ${TURNLEAF_TEST_WAREHOUSE}\n')
  process.env.TURNLEAF_TEST_WAREHOUSE = database
  try {
    assert.equal((await scheduledRun(api, 'moved')).error?.code, 'server/destination')
    assert.equal((await scheduledRun(api, 'named')).error?.code, 'destinations/unreachable')
    const { body } = await api.ask<ConnectorRuns>('GET', '/v1/connectors/shop/runs')
    assert.deepEqual(
      body.unreadable.map(({ to, code }) => [to, code]).filter(([, code]) => code === 'server/destination'),
      [['connection moved', 'server/destination']],
    )
  } finally {
    delete process.env.TURNLEAF_TEST_WAREHOUSE
  }
})

function putConnection(home: string, name: string, text: string): void {
  mkdirSync(join(home, 'connections', name), { recursive: true })
  writeFileSync(join(home, 'connections', name, 'connection.yaml'), text)
}

/** Started by a request; returns how it ended. */
async function scheduledRun({ ask }: Pick<ReturnType<typeof openApi>, 'ask'>, name: string) {
  assert.equal((await ask('PUT', `/v1/schedules/${name}`, { every: '1d' })).status, 200)
  assert.equal((await ask('POST', `/v1/schedules/${name}/run`)).status, 202)
  return until('the run has ended', async () => {
    const { body } = await ask<{ schedules: WiredSchedule[] }>('GET', '/v1/schedules')
    const last = body.schedules.find(({ connection }) => connection === name)?.last ?? null
    return last !== null && last.status !== 'running' && last
  })
}

const untilSome = <T>(look: () => Promise<T[]>): Promise<T[]> =>
  until('some are found', async () => {
    const found = await look()
    return found.length > 0 && found
  })

test('connections that are created at the same time have their own connector and secret, and of one name there is one', async () => {
  await using shop = await openShop()
  await using api = openApi()
  const connectors = ['shop', 'bank', 'desk']
  for (const name of connectors) await api.ask('POST', '/v1/connectors', { name, text: manifest(shop.url) })
  const create = (connector: string, name: string) =>
    api.ask('POST', `/v1/connectors/${connector}/connections`, {
      name,
      config: { api_key: `secret-of-${connector}` },
      secrets: 'files',
    })
  const stored = (name: string) => {
    const [line] = readFileSync(join(api.home, 'connections', name, 'connection.yaml'), 'utf8').split('\n')
    return [line, readFileSync(join(api.home, 'connections', name, 'secrets/api_key'), 'utf8')]
  }
  const made = await Promise.all(connectors.map((name) => create(name, name)))
  assert.deepEqual(
    made.map(({ status }) => status),
    [201, 201, 201],
  )
  for (const name of connectors) assert.deepEqual(stored(name), [`connector: ${name}`, `secret-of-${name}\n`])
  const rivals = await Promise.all(connectors.map((connector) => create(connector, 'same')))
  const won = connectors.filter((_, index) => rivals[index]?.status === 201)
  assert.equal(won.length, 1)
  assert.deepEqual(stored('same'), [`connector: ${won[0]}`, `secret-of-${won[0]}\n`])
  const refused = rivals.filter(({ status }) => status !== 201)
  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.code]),
    [
      [409, 'connections/exists'],
      [409, 'connections/exists'],
    ],
  )
  assert.deepEqual(readdirSync(join(api.home, 'connections')).toSorted(), ['bank', 'desk', 'same', 'shop'])
})

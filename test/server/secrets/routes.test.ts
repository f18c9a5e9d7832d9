/** Test configs over HTTP: they work wherever a config is taken, no response has a secret, and none is sent to another host. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Services } from '../../../src/server/services.ts'
import type { WiredSchedule } from '../../../src/server/wire/schedule.ts'
import type { TestConfig } from '../../../src/server/wire/test-config.ts'
import { manifestOf, offsetPaginator } from '../../helpers/manifests.ts'
import { type ServedApi, serveApi } from '../../helpers/serve-api.ts'
import { until } from '../../helpers/until.ts'
import { openApi } from '../connectors/asking.ts'

const passphrase = 'correct horse battery'
const secret = 'tl-4f9-never-shown-e27'
const variable = 'TURNLEAF_TEST_SHOP_TOKEN'
const spec = { type: 'object', properties: { api_token: { type: 'string', airbyte_secret: true } } }

const authenticator = { type: 'BearerAuthenticator', api_token: "{{ config['api_token'] }}" }
const manifest = (url: string, more: object = {}) =>
  JSON.stringify(manifestOf({ url, requester: { path: '/items', authenticator }, spec, ...more }))

/** Takes apart what it sees, so that nothing recognizes it. */
const revealing = {
  stream: {
    transformations: [
      {
        type: 'AddFields',
        fields: [{ path: ['seen'], value: "{% for c in config['api_token'] %}{{ c }}{{ record['id'] }}{% endfor %}" }],
      },
    ],
  },
}

/** Only with the token; it echoes what it gets. */
const serveShop = () =>
  serveApi({
    '*': (_, { headers }) =>
      headers.authorization === `Bearer ${secret}`
        ? { json: { data: [{ id: 1, echoed: headers.authorization }] } }
        : { status: 401, json: { error: `no ${headers.authorization}` } },
  })

/** Everything that the server answers, for the test at the end. */
function openWatched(changes: Partial<Services> = {}, headers: Record<string, string> = {}) {
  const api = openApi(changes)
  const answered: string[] = []
  async function ask(method: string, path: string, body?: unknown) {
    const reply = await api.app.request(path, {
      method,
      headers: { ...headers, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    answered.push(JSON.stringify([...reply.headers]), text)
    return { status: reply.status, text }
  }
  const json = async <Body>(method: string, path: string, body?: unknown) =>
    JSON.parse((await ask(method, path, body)).text || 'null') as Body
  return { api, answered, ask, json }
}

describe('on this machine', () => {
  const { api, answered, ask, json } = openWatched()
  let shop: ServedApi
  let elsewhere: ServedApi
  const printed: string[] = []
  const write = process.stderr.write.bind(process.stderr)
  before(async () => {
    shop = await serveShop()
    elsewhere = await serveShop()
    process.stderr.write = (chunk: string | Uint8Array) => printed.push(String(chunk)) > 0
    process.env[variable] = secret
  })
  after(async () => {
    process.stderr.write = write
    delete process.env[variable]
    await Promise.all([api, shop, elsewhere].map((one) => one[Symbol.asyncDispose]()))
  })

  let config: TestConfig['values'] = {}

  test('a config that is kept works in every operation that takes one', async () => {
    assert.deepEqual(await json('GET', '/v1/secret-store').then((one) => (one as { state: string }).state), 'none')
    assert.match((await ask('GET', '/v1/connectors/shop/test-configs')).text, /secrets\/no-store/)
    assert.equal((await ask('POST', '/v1/secret-store', { kind: 'passphrase', passphrase })).status, 201)
    const text = manifest(shop.url)
    const keep = { text, values: { api_token: secret, shop: 'north' }, origins: [shop.url], basedOn: null }
    const kept = await json<TestConfig>('PUT', '/v1/connectors/shop/test-configs/sandbox', keep)
    config = kept.values
    assert.deepEqual(config, { api_token: '${stored:shop/sandbox/api_token}', shop: 'north' })
    assert.deepEqual(await json('GET', '/v1/connectors/shop/test-configs'), { configs: [kept] })
    assert.equal((await ask('PUT', '/v1/connectors/shop/test-configs/sandbox', keep)).status, 409)

    const read = { text, config, stream: 'items' }
    assert.match((await ask('POST', '/v1/test-reads', read)).text, /"ending":"complete"/)
    assert.deepEqual(await json('POST', '/v1/checks', { text, config }), { success: true, message: null })
    assert.match((await ask('POST', '/v1/diagnoses', read)).text, /"problem":null/)
    assert.match((await ask('POST', '/v1/detections', read)).text, /"problem":null/)
    assert.equal((await ask('POST', '/v1/connectors', { name: 'shop', text })).status, 201)
    const { id } = await json<{ id: string }>('POST', '/v1/syncs', { connector: 'shop', config })
    const { text: events } = await ask('GET', `/v1/syncs/${id}/events`)
    assert.match(events, /"records":1/)
  })

  test('a schedule takes what is kept; a variable stays a reference; both follow a connector that is renamed', async () => {
    const at = '/v1/connectors/shop/connections'
    assert.equal((await ask('POST', at, { config, secrets: 'files' })).status, 201)
    assert.equal(readFileSync(join(api.home, 'connections/shop/secrets/api_token'), 'utf8').trim(), secret)
    const named = { name: 'other', config: { api_token: `\${${variable}}` }, secrets: 'files', to: 'jsonl:other' }
    assert.equal((await ask('POST', at, named)).status, 201)
    const written = readFileSync(join(api.home, 'connections/other/connection.yaml'), 'utf8')
    assert.ok(written.includes(`api_token: \${${variable}}`), written)

    assert.equal((await ask('POST', '/v1/connectors/shop/rename', { to: 'store' })).status, 200)
    const { configs } = await json<{ configs: TestConfig[] }>('GET', '/v1/connectors/store/test-configs')
    assert.deepEqual(configs[0]?.values, { api_token: '${stored:store/sandbox/api_token}', shop: 'north' })
    const { runs } = await json<{ runs: { status: string }[] }>('GET', '/v1/connectors/store/runs')
    assert.equal(runs.length, 1)
    const latest = await json<{ runs: { connector: string }[] }>('GET', '/v1/runs/latest')
    assert.deepEqual(
      latest.runs.map(({ connector }) => connector),
      ['store'],
    )
    assert.equal((await ask('POST', '/v1/connectors/store/rename', { to: 'shop' })).status, 200)
  })

  test('a manifest that asks another host gets nothing sent', async () => {
    const read = { text: manifest(elsewhere.url), config, stream: 'items' }
    const { text } = await ask('POST', '/v1/test-reads', read)
    assert.match(text, /secrets\/elsewhere/)
    assert.match(text, new RegExp(`would be sent to ${elsewhere.url}, but may be sent to ${shop.url} only`))
    assert.match((await ask('POST', '/v1/checks', read)).text, /"success":false.*would be sent to/)
    assert.deepEqual(elsewhere.asked, [])
  })

  test('a locked store says so, and opens with its passphrase only', async () => {
    await ask('POST', '/v1/secret-store/lock')
    const read = { text: manifest(shop.url), config, stream: 'items' }
    const locked = await ask('POST', '/v1/test-reads', read)
    assert.equal(locked.status, 409)
    assert.match(locked.text, /secrets\/locked.*"pointer":"\/config\/api_token"/)
    const wrong = await ask('POST', '/v1/secret-store/unlock', { passphrase: 'correct horse buttery' })
    assert.equal(wrong.status, 403)
    assert.match(wrong.text, /secrets\/wrong-passphrase/)
    assert.equal((await ask('POST', '/v1/secret-store/unlock', { passphrase })).status, 200)
    assert.match((await ask('POST', '/v1/test-reads', read)).text, /"ending":"complete"/)
  })

  test('an environment variable is sent where the user allowed it, and nowhere else', async () => {
    const read = { text: manifest(shop.url), config: { api_token: `\${${variable}}` }, stream: 'items' }
    assert.match((await ask('POST', '/v1/test-reads', read)).text, /may be sent to no address yet/)
    assert.equal((await ask('PUT', `/v1/variables/${variable}`, { origins: [`${shop.url}/path`] })).status, 400)
    assert.equal((await ask('PUT', `/v1/variables/${variable}`, { origins: [shop.url] })).status, 204)
    assert.match((await ask('POST', '/v1/test-reads', read)).text, /"ending":"complete"/)
    const foreign = { ...read, text: manifest(elsewhere.url) }
    assert.match((await ask('POST', '/v1/test-reads', foreign)).text, /secrets\/elsewhere/)
    assert.deepEqual(elsewhere.asked, [])
    const found = await json('POST', '/v1/variables', {
      config: { ...read.config, other: '${NO_SUCH_ONE} $${ESCAPED}' },
    })
    assert.deepEqual(found, {
      variables: [
        { input: 'api_token', name: variable, origins: [shop.url], problem: null },
        {
          input: 'other',
          name: 'NO_SUCH_ONE',
          origins: [],
          problem:
            'The environment variable NO_SUCH_ONE is not set for the server. Set it and start the server again. To mean the text itself, write `$${NAME}`.',
        },
      ],
    })
  })

  test('a stored text with a variable in it goes where both may go', async () => {
    const whole = { ...authenticator, api_token: "{{ config['api_token'][4:] }}" }
    const text = manifest(shop.url, { requester: { path: '/items', authenticator: whole } })
    const keep = {
      text,
      values: { api_token: `key \${${variable}}` },
      origins: [shop.url, elsewhere.url],
      basedOn: null,
    }
    const kept = await json<TestConfig>('PUT', '/v1/connectors/shop/test-configs/mixed', keep)
    assert.deepEqual(kept.values, { api_token: '${stored:shop/mixed/api_token}' })
    const read = { text, config: kept.values, stream: 'items' }
    assert.match((await ask('POST', '/v1/test-reads', read)).text, /"ending":"complete"/)
    const foreign = { ...read, text: text.replaceAll(shop.url, elsewhere.url) }
    assert.match((await ask('POST', '/v1/test-reads', foreign)).text, /secrets\/elsewhere/)
  })

  test('an unknown variable is a problem at its input, and what a manifest itself names is never filled in', async () => {
    const unknown = { text: manifest(shop.url), config: { api_token: '${NO_SUCH_ONE}' }, stream: 'items' }
    const refused = await ask('POST', '/v1/test-reads', unknown)
    assert.equal(refused.status, 422)
    assert.match(refused.text, /secrets\/no-variable.*"pointer":"\/config\/api_token"/)

    const asked = shop.requests.length
    const written = { ...authenticator, api_token: `\${${variable}}` }
    const text = manifest(shop.url, { requester: { path: '/items', authenticator: written } })
    await ask('POST', '/v1/test-reads', { text, config: {}, stream: 'items' })
    assert.equal(shop.requests[asked]?.headers.authorization, `Bearer \${${variable}}`)
  })

  test('no answer and no log had the secret or the passphrase, and the store can be deleted', async () => {
    assert.equal((await ask('DELETE', '/v1/secret-store')).status, 204)
    assert.match(
      (await ask('POST', '/v1/test-reads', { text: manifest(shop.url), config, stream: 'items' })).text,
      /no-store/,
    )
    assert.ok(answered.length > 40)
    for (const hidden of [secret, passphrase, btoa(secret)]) {
      for (const one of [...answered, ...printed]) assert.ok(!one.includes(hidden), one)
    }
  })
})

describe('where others can reach the server', () => {
  const token = 'of-the-server'
  let shop: ServedApi
  let elsewhere: ServedApi
  before(async () => {
    shop = await serveShop()
    elsewhere = await serveShop()
  })
  after(async () => {
    await shop[Symbol.asyncDispose]()
    await elsewhere[Symbol.asyncDispose]()
  })

  test('templates never see a secret, no keychain is used, and only named variables are', async () => {
    const environment = [{ name: variable, value: secret, origins: [shop.url] }]
    const { api, answered, ask, json } = openWatched({ token, environment }, { Authorization: `Bearer ${token}` })
    using _home = api
    assert.equal((await api.ask('GET', '/v1/secret-store')).status, 401)
    assert.match((await ask('POST', '/v1/secret-store', { kind: 'keychain' })).text, /secrets\/no-keychain/)
    assert.equal((await ask('POST', '/v1/secret-store', { kind: 'passphrase', passphrase })).status, 201)
    const text = manifest(shop.url, revealing)
    const keep = { text, values: { api_token: secret }, origins: [shop.url], basedOn: null }
    const { values: config } = await json<TestConfig>('PUT', '/v1/connectors/shop/test-configs/sandbox', keep)

    for (const given of [config, { api_token: `\${${variable}}` }]) {
      const { text: events } = await ask('POST', '/v1/test-reads', { text, config: given, stream: 'items' })
      assert.match(events, /"ending":"complete"/)
      const foreign = { text: manifest(elsewhere.url, revealing), config: given, stream: 'items' }
      assert.match((await ask('POST', '/v1/test-reads', foreign)).text, /secrets\/elsewhere/)
    }
    assert.deepEqual(elsewhere.asked, [])

    // So does a read that continues after a limit.
    const paged = { paginator: offsetPaginator({ page_size: 1 }), ...revealing }
    const limited = { text: manifest(shop.url, paged), config, stream: 'items', maxPages: 1 }
    const begun = await ask('POST', '/v1/test-reads', limited)
    const { id } = JSON.parse(begun.text.split('\n')[0] ?? '') as { id: string }
    const sent = shop.requests.length
    assert.match((await ask('POST', `/v1/test-reads/${id}/more`, { maxPages: 1 })).text, /"ending":"limit"/)
    assert.deepEqual(
      shop.requests.slice(sent).map(({ headers }) => headers.authorization),
      [`Bearer ${secret}`],
    )

    const widened = { ...keep, values: config, origins: [shop.url, elsewhere.url] }
    assert.match((await ask('PUT', '/v1/connectors/shop/test-configs/more', widened)).text, /secrets\/enter-again/)
    const unnamed = { text, config: { api_token: '${PATH}' }, stream: 'items' }
    assert.match((await ask('POST', '/v1/test-reads', unnamed)).text, /secrets\/not-allowed/)
    assert.equal((await ask('PUT', '/v1/variables/PATH', { origins: [elsewhere.url] })).status, 403)

    const spelled = secret.split('').join('1')
    for (const hidden of [secret, spelled, passphrase, btoa(secret)]) {
      for (const one of answered) assert.ok(!one.includes(hidden), one)
    }
    // The template did run: it spelled the marker.
    assert.ok(answered.some((one) => one.includes('turnleaf-secret'.split('').join('1'))))
  })

  test('a scheduled run sends a variable where the operator allowed it, whatever a client makes of the manifest', async () => {
    const environment = [{ name: variable, value: secret, origins: [shop.url] }]
    const { api, answered, ask, json } = openWatched({ token, environment }, { Authorization: `Bearer ${token}` })
    await using _api = api
    const put = (name: string, reference: string) => {
      mkdirSync(join(api.home, 'connections', name), { recursive: true })
      const text = `connector: shop\nconfig: { api_token: "${reference}" }\nschema: ${name}\nschedule: { every: 1d }\n`
      writeFileSync(join(api.home, 'connections', name, 'connection.yaml'), text)
    }
    const run = async (name: string) => {
      assert.equal((await ask('POST', `/v1/schedules/${name}/run`)).status, 202)
      return until('the run has ended', async () => {
        const { schedules } = await json<{ schedules: WiredSchedule[] }>('GET', '/v1/schedules')
        const last = schedules.find(({ connection }) => connection === name)?.last ?? null
        return last !== null && last.status !== 'running' && last
      })
    }
    put('shop', `\${${variable}}`)
    put('other', '${PATH}')
    const { version } = await json<{ version: string }>('POST', '/v1/connectors', {
      name: 'shop',
      text: manifest(shop.url, revealing),
    })
    const sent = shop.requests.length
    assert.deepEqual(
      [(await run('shop')).status, (await run('other')).error?.code],
      ['complete', 'secrets/not-allowed'],
    )
    assert.deepEqual(
      shop.requests.slice(sent).map(({ headers }) => headers.authorization),
      [`Bearer ${secret}`],
    )
    const { text: rows } = await ask('POST', '/v1/queries', { sql: 'select * from shop.items' })
    assert.match(rows, /turnleaf-secret/)
    assert.ok(rows.includes('turnleaf-secret'.split('').join('1')), rows)

    const changed = { text: manifest(elsewhere.url, revealing), basedOn: version }
    assert.equal((await ask('PUT', '/v1/connectors/shop', changed)).status, 200)
    const refused = await run('shop')
    assert.equal(refused.error?.code, 'secrets/elsewhere', JSON.stringify(refused))
    assert.match(refused.error?.hint ?? '', /TURNLEAF_MCP_SECRETS/)
    assert.deepEqual(elsewhere.asked, [])
    for (const hidden of [secret, secret.split('').join('1')]) {
      for (const one of answered) assert.ok(!one.includes(hidden), one)
    }
  })

  test('a scheduled run sends a secret in a file to the origins of its connection only, and no template sees it', async () => {
    const { api, answered, ask, json } = openWatched({ token }, { Authorization: `Bearer ${token}` })
    await using _api = api
    const run = async (name: string) => {
      assert.equal((await ask('POST', `/v1/schedules/${name}/run`)).status, 202)
      return until('the run has ended', async () => {
        const { schedules } = await json<{ schedules: WiredSchedule[] }>('GET', '/v1/schedules')
        const last = schedules.find(({ connection }) => connection === name)?.last ?? null
        return last !== null && last.status !== 'running' && last
      })
    }
    const put = (name: string, text: string, files: Record<string, string> = {}) => {
      mkdirSync(join(api.home, 'connections', name), { recursive: true })
      writeFileSync(join(api.home, 'connections', name, 'connection.yaml'), `${text}\nschedule: { every: 1d }\n`)
      for (const [file, content] of Object.entries(files)) {
        writeFileSync(join(api.home, 'connections', name, file), content)
      }
    }
    const { version } = await json<{ version: string }>('POST', '/v1/connectors', {
      name: 'shop',
      text: manifest(shop.url, revealing),
    })
    const given = { config: { api_token: secret }, secrets: 'files', schedule: { every: '1d' } }
    assert.equal((await ask('POST', '/v1/connectors/shop/connections', given)).status, 201)
    const written = readFileSync(join(api.home, 'connections/shop/connection.yaml'), 'utf8')
    assert.ok(written.includes(shop.url), written)
    const first = await run('shop')
    assert.equal(first.status, 'complete', JSON.stringify(first))
    const { text: rows } = await ask('POST', '/v1/queries', { sql: 'select * from shop.items' })
    assert.ok(rows.includes('turnleaf-secret'.split('').join('1')), rows)

    // By hand: without origins, written out, and a key of several lines, which templates have to see.
    put('unbound', 'connector: shop\nconfig: { api_token: "file:token" }', { token: secret })
    put('literal', `connector: shop\nconfig: { api_token: "${secret}" }`)
    put('signing', `connector: shop\nconfig: { api_token: "file:key" }\norigins: ["${shop.url}"]`, {
      key: `${secret}\n${secret}\n`,
    })
    assert.equal((await run('unbound')).error?.code, 'secrets/no-origins')
    assert.equal((await run('literal')).error?.code, 'secrets/written-out')

    const changed = { text: manifest(elsewhere.url, revealing), basedOn: version }
    assert.equal((await ask('PUT', '/v1/connectors/shop', changed)).status, 200)
    for (const name of ['shop', 'signing']) {
      const refused = await run(name)
      assert.equal(refused.error?.code, 'secrets/elsewhere', JSON.stringify(refused))
      assert.match(refused.error?.hint ?? '', /`origins` of the connection/)
    }
    assert.deepEqual(elsewhere.asked, [])
    for (const hidden of [secret, secret.split('').join('1')]) {
      for (const one of answered) assert.ok(!one.includes(hidden), one)
    }
  })
})

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { manifestOf, sourceOf, streamOf } from '../../helpers/manifests.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { testApi } from '../api.ts'
import { endOf, eventsIn, idOf } from './ask.ts'

const api = testApi()
after(() => api[Symbol.dispose]())

const secret = 'pa55-w0rd+with/odd=signs'
const forms = [
  secret,
  encodeURIComponent(secret),
  btoa(secret),
  btoa(`me:${secret}`),
  btoa(secret).replaceAll('=', ''),
  JSON.stringify(secret).slice(1, -1),
]

const spec = {
  type: 'object',
  properties: { secret: { type: 'string', airbyte_secret: true }, user: { type: 'string' } },
}

async function assertHidden(text: string, url: string, stream = 'items') {
  const config = { secret, user: 'me' }
  const reply = await api.post('/v1/test-reads', { text, stream, config })
  const told = await reply.text()
  const events = eventsIn(told)
  const at = `/v1/test-reads/${idOf(events)}/slices/0/pages/0`
  const shown = [told, await (await api.get(`${at}/records`)).text(), await (await api.get(`${at}/body`)).text()]
  for (const form of forms) for (const one of shown) assert.ok(!one.includes(form), `${form} in ${one}`)
  assert.ok(url.length > 0)
  return events
}

describe('no event of a test read, and no captured page, shows a secret', () => {
  const echoing = () =>
    serveApi({
      '*': (query, { headers, body }) => ({
        headers: { 'x-echo': headers.authorization ?? '', 'set-cookie': `session=${btoa(secret)}` },
        json: { data: [{ id: 1, query: [...query], headers, body, text: `the key is ${secret}` }], key: secret },
      }),
    })

  const ways: Record<string, object> = {
    'a bearer token': { type: 'BearerAuthenticator', api_token: '{{ config.secret }}' },
    'name and password': {
      type: 'BasicHttpAuthenticator',
      username: '{{ config.user }}',
      password: '{{ config.secret }}',
    },
    'a key in the query': {
      type: 'ApiKeyAuthenticator',
      api_token: '{{ config.secret }}',
      inject_into: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'q' },
    },
    'a key in a body': {
      type: 'ApiKeyAuthenticator',
      api_token: '{{ config.secret }}',
      inject_into: { type: 'RequestOption', inject_into: 'body_json', field_name: 'k' },
    },
  }
  for (const [way, authenticator] of Object.entries(ways)) {
    test(`sent as ${way}, and echoed by the API`, async () => {
      await using server = await echoing()
      const method = way.includes('body') ? { http_method: 'POST' } : {}
      const text = JSON.stringify(manifestOf({ url: server.url, requester: { authenticator, ...method }, spec }))
      const events = await assertHidden(text, server.url)
      assert.equal(endOf(events).emitted, 1)
    })
  }

  test('fetched as an access token', async () => {
    await using server = await serveApi({
      'POST /token': () => ({ json: { access_token: 'fre5h-t0ken-value', expires_in: 3600 } }),
      '*': (_, { headers }) => ({ json: { data: [{ id: 1, sent: headers.authorization }] } }),
    })
    const authenticator = {
      type: 'OAuthAuthenticator',
      token_refresh_endpoint: `${server.url}/token`,
      client_id: '{{ config.user }}',
      client_secret: '{{ config.secret }}',
      grant_type: 'client_credentials',
    }
    const text = JSON.stringify(manifestOf({ url: server.url, requester: { authenticator }, spec }))
    const events = await assertHidden(text, server.url)
    assert.ok(!JSON.stringify(events).includes('fre5h-t0ken-value'))
    const titles = events.flatMap((event) => (event.kind === 'auxiliary' ? [event.title] : []))
    assert.deepEqual(titles, ['Access token'])
  })

  test('named by an error, a partition and a token', async () => {
    await using server = await serveApi({
      '*': (query) =>
        query.has('cursor')
          ? { status: 400, json: { error: `bad key ${secret}` } }
          : { json: { data: [{ id: 1 }], next: `after-${secret}` } },
    })
    const paginator = {
      pagination_strategy: { type: 'CursorPagination', cursor_value: '{{ response.next }}' },
      page_token_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'cursor' },
    }
    const router = { type: 'ListPartitionRouter', values: ['{{ config.secret }}'], cursor_field: 'part' }
    const stream = streamOf({ url: server.url, paginator, retriever: { partition_router: router } })
    const source = { ...sourceOf([stream]), spec: { type: 'Spec', connection_specification: spec } }
    const events = await assertHidden(JSON.stringify(source), server.url)
    assert.equal(endOf(events).ending, 'failed')
    assert.match(endOf(events).problem?.detail ?? '', /\*\*\*\*/)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openStreamRequest } from '../../../src/server/proofs/stream-request.ts'
import { manifestOf } from '../../helpers/manifests.ts'
import { serveApi } from '../../helpers/serve-api.ts'

const secret = 'pa55-w0rd-of-the-shop'
const spec = { type: 'object', properties: { key: { type: 'string', airbyte_secret: true } } }
const { signal } = new AbortController()
const tools = { folder: null, egress: 'loopback-allowed', signal } as const

/** Says with which credential it was asked. */
const echoing = () =>
  serveApi({
    '*': (query, { headers }) => ({ json: { sent: headers.authorization ?? query.get('key') ?? 'nothing' } }),
  })

const ways = {
  'in a header': { type: 'BearerAuthenticator', api_token: '{{ config.key }}' },
  'in the query': {
    type: 'ApiKeyAuthenticator',
    api_token: '{{ config.key }}',
    inject_into: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'key' },
  },
}

describe('a request of a stream', () => {
  for (const [way, authenticator] of Object.entries(ways)) {
    test(`has a mark where its credential goes ${way}, which is sent to its own origin only`, async () => {
      await using home = await echoing()
      await using elsewhere = await echoing()
      const text = JSON.stringify(manifestOf({ url: home.url, requester: { authenticator }, spec }))
      const { request, network, close } = await openStreamRequest(
        { text, stream: 'items', config: { key: secret } },
        tools,
      )
      const sentTo = async (url: string) => {
        // As a probe based on it is sent.
        const { method, headers, body: sent } = request
        const { body } = await network.send({ method, url, headers, body: sent }, signal)
        return (JSON.parse(new TextDecoder().decode(body)) as { sent: string }).sent
      }
      assert.ok(!JSON.stringify(request).includes(secret))
      assert.ok((await sentTo(request.url)).endsWith(secret))
      assert.equal(await sentTo(request.url.replace(home.url, elsewhere.url)), 'nothing')
      await close()
    })
  }

  test('answers as the API does: what is refused is not tried again', async () => {
    await using server = await serveApi({ '*': () => ({ status: 503, json: { error: 'later' } }) })
    const text = JSON.stringify(manifestOf({ url: server.url }))
    const { request, network, close } = await openStreamRequest({ text, stream: 'items', config: {} }, tools)
    assert.equal((await network.send(request, signal)).status, 503)
    assert.equal(server.asked.length, 1)
    await close()
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { serveApi } from '../helpers/serve-api.ts'
import { runCli } from './run-cli.ts'
import { manifestOf, ordersFrom, stream, tempFolder } from './shop.ts'

const secret = 's3cr3t-väl/ue+1'
const forms = [secret, encodeURIComponent(secret), Buffer.from(`leaf:${secret}`).toString('base64'), 's3cr3t']

const token = "{{ config['key'] }}"
const ways: [string, object][] = [
  ['a bearer token', { authenticator: { type: 'BearerAuthenticator', api_token: token } }],
  ['a password', { authenticator: { type: 'BasicHttpAuthenticator', username: 'leaf', password: token } }],
  [
    'a key in the query',
    {
      authenticator: {
        type: 'ApiKeyAuthenticator',
        api_token: token,
        inject_into: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'api_key' },
      },
    },
  ],
  ['a parameter of the author', { request_parameters: { api_key: token } }],
  ['a header of the author', { request_headers: { 'X-Shop': token } }],
]

describe('secrets', { concurrency: 5 }, () => {
  for (const [name, requester] of ways) {
    test(`${name} reaches only the API`, async () => {
      // An API that repeats what it was sent, in every kind of response.
      let tries = 0
      await using api = await serveApi({
        '*': (query, request) => {
          const echo = {
            message: `you sent ${request.path}?${query.toString()} ${query.get('api_key')} ${JSON.stringify(request.headers)}`,
          }
          if (++tries === 1) return { status: 503, headers: { 'retry-after': '0.01' }, json: echo }
          return query.has('offset') ? { status: 403, json: echo } : ordersFrom(query)
        },
      })
      await using files = await tempFolder()
      const spec = {
        type: 'Spec',
        connection_specification: { type: 'object', properties: { key: { type: 'string', airbyte_secret: true } } },
      }
      const isNamed = !('authenticator' in requester)
      const manifest = await files.write(
        'manifest.json',
        manifestOf([stream(api.url, { name: 'orders', requester })], isNamed ? { spec } : {}),
      )
      const config = await files.write('config.json', { key: secret })
      const given = ['--manifest-path', manifest, '--config', config]

      for (const args of [
        ['read', ...given],
        ['check', ...given],
        ['plan', ...given],
      ]) {
        const { stdout, stderr } = await runCli(args, { env: { TURNLEAF_DEBUG: '1' } })
        for (const form of forms)
          assert.ok(!(stdout + stderr).includes(form), `${args[0]} shows ${form}: ${stdout}${stderr}`)
      }
      const sent = JSON.stringify(api.requests.map(({ headers, query }) => [headers, [...query]]))
      assert.ok(tries > 2 && (sent.includes('s3cr3t') || sent.includes('Basic ')), sent)
    })
  }
})

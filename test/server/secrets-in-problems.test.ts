/**
 * A secret planted where it breaks something: no route, and no form of the secret, shows it in what it says is wrong.
 * `npm test` plants two of the eight forms in each place, one of them another from place to place; `npm run test:proof` all.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifestOf } from '../helpers/manifests.ts'
import { firstSeed, isWhole } from '../helpers/proof.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { openApi } from './connectors/asking.ts'

const secret = 'Kq7-vXw2pLm9zRt4'
const forms = [
  secret,
  secret.slice(0, 8),
  secret.slice(4),
  secret.toUpperCase(),
  secret.toLowerCase(),
  secret.split('').toReversed().join(''),
  btoa(secret),
  secret.split('-')[1] ?? '',
]

/** What the secret is made into, in a template. */
const derived = [
  "config['api_key']",
  "config['api_key'][:8]",
  "config['api_key'][4:]",
  "config['api_key'] | upper",
  "config['api_key'].lower()",
  "config['api_key'] | reverse",
  "config['api_key'] | base64encode",
  "config['api_key'].split('-')[1]",
]

/** Where it breaks something, or is merely sent. */
const plantings: Record<string, (expression: string) => Record<string, unknown>> = {
  'a template error': (expression) => ({ path: `/items/{{ (${expression}) + 1 }}` }),
  'a missing member': (expression) => ({ path: `/items/{{ {}[(${expression})].x.y }}` }),
  'an unreadable date': (expression) => ({ path: `/items/{{ format_datetime((${expression}), '%Y') }}` }),
  'an address': (expression) => ({ url_base: `{{ ${expression} }}` }),
  'a host': (expression) => ({ url_base: `http://{{ ${expression} }}.invalid:99999/` }),
  'a body': (expression) => ({ http_method: 'POST', request_body_json: `{{ ${expression} }}{` }),
  'a header': (expression) => ({ request_headers: { 'X-Odd': `{{ ${expression} }}\n` } }),
  'a path that is refused': (expression) => ({ path: `/refused/{{ ${expression} }}` }),
  'a parameter that is echoed': (expression) => ({ path: '/echo', request_parameters: { q: `{{ ${expression} }}` } }),
}

const declared = { type: 'object', properties: { api_key: { type: 'string', airbyte_secret: true } } }

test('no route shows a planted secret, declared or not, nor what templates make of it', async () => {
  await using shop = await serveApi({
    'GET /echo': (query) => ({ json: { data: [{ id: 1, echoed: query.get('q') }] } }),
    '*': (_, { path }) => ({ status: 400, json: { error: `no such thing: ${decodeURIComponent(path)}` } }),
  })
  await using api = openApi()
  const config = { api_key: secret }
  let turn = firstSeed
  for (const spec of [declared, undefined]) {
    for (const [where, plant] of Object.entries(plantings)) {
      turn++
      for (const [index, expression] of derived.entries()) {
        if (!isWhole && index !== 1 && index !== turn % derived.length) continue
        const source = manifestOf({ url: shop.url, requester: plant(expression), ...(spec !== undefined && { spec }) })
        const text = JSON.stringify(source)
        const asked: [string, object][] = [
          ['/v1/test-reads', { text, stream: 'items', config }],
          ['/v1/inspections', { text, stream: 'items', config }],
          ['/v1/detections', { text, stream: 'items', config }],
          ['/v1/diagnoses', { text, stream: 'items', config }],
          ...(expression === derived[1]
            ? [['/v1/surveys', { text, stream: 'items', config }] as [string, object]]
            : []),
          ['/v1/evaluations', { template: `{{ (${expression}) + 1 }}`, text, config }],
          ['/v1/manifest/test_read', { manifest: source, stream_name: 'items', config }],
          ['/v1/manifest/check', { manifest: source, config }],
          ['/v1/manifest/discover', { manifest: source, config }],
          ['/v1/manifest/full_resolve', { manifest: source, config, stream_limit: 5 }],
        ]
        for (const [path, body] of asked) {
          const reply = await api.app.request(path, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify(body),
          })
          const said = await reply.text()
          const leaks = forms.filter((form) => said.includes(form))
          assert.deepEqual(
            leaks,
            [],
            `${path}, ${where}, ${expression}, ${spec === undefined ? 'no spec' : 'declared'}: ${said}`,
          )
        }
      }
    }
  }
})

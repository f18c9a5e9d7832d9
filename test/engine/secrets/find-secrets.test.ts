import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest } from '../../../src/connector/load-manifest.ts'
import { secretsOf } from '../../../src/engine/secrets/find-secrets.ts'
import { manifestOf } from '../../helpers/manifests.ts'

const found = (requester: Record<string, unknown>, config: Record<string, unknown>, more: object = {}) =>
  secretsOf(loadManifest(manifestOf({ requester, ...more })), config)
    .filter((one) => typeof one === 'string')
    .toSorted()

test('without a spec, config values are secrets by their names; few digits and flags are not', () => {
  const config = {
    api_key: 'abc-123',
    nested: { password: 'hunter22', region: 'eu' },
    sync_token: 'place-1',
    max_token: '100',
    use_token: true,
  }
  assert.deepEqual(found({}, config), ['abc-123', 'hunter22'])
  assert.deepEqual(secretsOf(null, config), ['abc-123', 'hunter22'])
})

const uses: [string, Record<string, unknown>][] = [
  [
    'an API key',
    { authenticator: { type: 'ApiKeyAuthenticator', api_token: '{{ config.shop_code }}', header: 'X-Shop' } },
  ],
  ['a bearer', { authenticator: { type: 'BearerAuthenticator', api_token: '{{ config.shop_code }}' } }],
  [
    'a user without a password',
    { authenticator: { type: 'BasicHttpAuthenticator', username: '{{ config.shop_code }}' } },
  ],
  ['a header', { request_headers: { Authorization: 'Token {{ config.shop_code }}' } }],
  ['a parameter', { request_parameters: { api_key: '{{ config.shop_code }}' } }],
  ['a body', { request_body_json: { auth: { client_secret: '{{ config.shop_code }}' } } }],
]

for (const [name, requester] of uses) {
  test(`what is used as ${name} is a secret, whatever it is called`, () => {
    const config = { shop_code: 'zx81-spectrum', region: 'eu-west-1' }
    assert.ok(found(requester, config).includes('zx81-spectrum'))
    assert.ok(!found(requester, config).includes('eu-west-1'))
  })
}

test('what chooses a credential, and who it belongs to, is none', () => {
  const api_token =
    "{{ config.secret_key if config.auth_kind == 'key-based' else config.email ~ ':' ~ config.secret_key }}"
  const authenticator = { type: 'BearerAuthenticator', api_token }
  const config = { secret_key: 'zx81-spectrum', auth_kind: 'other-based', email: 'me@shop.test' }
  const secrets = found({ authenticator }, config)
  assert.ok(!secrets.includes('other-based') && !secrets.includes('me@shop.test'))
})

const key = 'Kq7-vXw2pLm9zRt4'
const derived: [template: string, text: string][] = [
  ['{{ config.key[:8] }}', 'Kq7-vXw2'],
  ['{{ config.key[-9:-1] }}', '2pLm9zRt'],
  ['x{{ config.key | upper }}x', 'KQ7-VXW2PLM9ZRT4'],
  ['{{ config.key | lower }}', 'kq7-vxw2plm9zrt4'],
  ["{{ config.key.split('-')[1] }}", 'vXw2pLm9zRt4'],
  ["{% set part = config.key.split('-') %}{{ part[1][:10] }}", 'vXw2pLm9zR'],
  ["{{ config.key | hash('md5') }}", '6b9b0ac4'],
  ['{{ config.key | base64encode }}', btoa(key)],
  ["{{ config.key[:8] ~ '/' ~ stream_slice.id }}", 'Kq7-vXw2'],
]

for (const [template, text] of derived) {
  test(`derived from a secret: ${template}`, () => {
    const secrets = found({ path: template }, { key })
    const isHash = template.includes('hash')
    assert.ok(isHash ? secrets.some((one) => /^[\da-f]{32}$/.test(one)) : secrets.includes(text), secrets.join())
  })
}

const placedIn = (requester: Record<string, unknown>, config: Record<string, unknown>) =>
  secretsOf(loadManifest(manifestOf({ requester })), config).filter((one) => typeof one !== 'string')

const pieces: [template: string, text: string | null][] = [
  ['{{ config.key[:4] }}', 'Kq7-'],
  ['{{ config.key[:1] }}', 'K'],
  ['{{ config.key[:2] | upper }}', 'KQ'],
  ['{{ config.key[:3] | base64encode }}', btoa(key.slice(0, 3))],
  ["{{ config.key.split('-')[0] }}", 'Kq7'],
  ['{{ config.key[-1:-4:-1] }}', '4tR'],
  ["{{ config.key[:4] ~ '/' ~ stream_slice.id }}", 'Kq7-'],
  ["{% set part = config.key[:4] %}{{ part ~ 'x' }}", 'Kq7-'],
  ["{{ (config.key ~ stream_slice.id) | hash('md5') }}", null],
]

for (const [template, text] of pieces) {
  test(`a piece is known by its place: ${template}`, () => {
    const request_headers = { 'X-Piece': template }
    const placed = placedIn({ request_headers }, { key })
    assert.ok(
      placed.some((one) => one.text === text),
      JSON.stringify(placed),
    )
    for (const { place } of placed) assert.deepEqual(place, { in: 'header', name: 'X-Piece' })
  })
}

const unplaced = [
  '{{ config.key | length }}',
  "{{ 'a' if config.key.startswith('K') else 'b' }}",
  '{{ config.nested.region }}',
  "{{ config.nested.region ~ '-' ~ stream_slice.id }}",
  "{{ stream_slice.id if config.key else 'none' }}",
  '{{ stream_interval.start_time }}',
]

for (const template of unplaced) {
  test(`no piece of a secret: ${template}`, () => {
    const request_parameters = { q: template }
    assert.deepEqual(placedIn({ request_parameters }, { key, nested: { region: 'eu', token: 'abcd-1234' } }), [])
  })
}

const ordinary = [
  '{{ config.key[:3] }}',
  '{{ config.key | length }}',
  "{{ 'with-a-key' if config.key else 'without-any' }}",
  '{{ config.region }}',
  "{{ config.region ~ now_utc().strftime('%Y-%m-%d %H:%M') }}",
]

for (const template of ordinary) {
  test(`nothing derived: ${template}`, () => {
    assert.deepEqual(found({ path: template }, { key, region: 'europe-west-1' }), [key])
  })
}

test('a part of a credential is a secret from six letters on, a shorter one only as the whole after a scheme', () => {
  const secrets = (header: string, shop_code: string) =>
    found({ request_headers: { Authorization: header } }, { shop_code, region: 'eu-west-1' })
  assert.deepEqual(secrets('Token pre-{{ config.shop_code }}', 'zx81-s'), ['zx81-s'])
  assert.deepEqual(secrets('Token pre-{{ config.shop_code }}', 'zx81s'), [])
  assert.deepEqual(secrets('Token {{ config.shop_code }}', 'zx81s'), ['zx81s'])
  assert.deepEqual(secrets('{{ config.shop_code }}', 'zx81s'), ['zx81s'])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest } from '../../../src/connector/load-manifest.ts'
import { secretsIn, secretsOf } from '../../../src/engine/secrets/find-secrets.ts'
import { manifestOf, sourceOf, streamOf } from '../../helpers/manifests.ts'

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
  [
    'a token that is there already',
    {
      authenticator: {
        type: 'OAuthAuthenticator',
        token_refresh_endpoint: 'https://api.test/token',
        access_token_value: '{{ config.shop_code }}',
      },
    },
  ],
  [
    'a member of a body that is called as a field of ours',
    { request_body_json: { metadata: { token: '{{ config.shop_code }}' } } },
  ],
  ['a body', { request_body_json: { auth: { client_secret: '{{ config.shop_code }}' } } }],
]

for (const [name, requester] of uses) {
  test(`what is used as ${name} is a secret, whatever it is called`, () => {
    const config = { shop_code: 'zx81-spectrum', region: 'eu-west-1' }
    assert.ok(found(requester, config).includes('zx81-spectrum'))
    assert.ok(!found(requester, config).includes('eu-west-1'))
  })
}

const harmless: [string, Record<string, unknown>][] = [
  ['a header with another name', { request_headers: { 'X-Shop': '{{ config.shop_code }}' } }],
  ['a parameter called username', { request_parameters: { username: '{{ config.shop_code }}' } }],
  [
    'a user with a password',
    { authenticator: { type: 'BasicHttpAuthenticator', username: '{{ config.shop_code }}', password: 'x' } },
  ],
  ['a member that is no part of a request', { ignored: { api_key: '{{ config.shop_code }}' } }],
  ['what a header spells out', { request_headers: { Authorization: 'Token {zx81-spectrum}' } }],
  ['what a header spells out, next to a word of ours', { request_headers: { Authorization: 'config zx81-spectrum' } }],
]

for (const [name, requester] of harmless) {
  test(`what is used as ${name} is no secret`, () => {
    assert.deepEqual(found(requester, { shop_code: 'zx81-spectrum' }), [])
  })
}

test('a definition that several places share counts at each of them', () => {
  const headers = { Authorization: 'Token {{ config.shop_code }}', 'X-Piece': '{{ config.shop_code[:2] }}' }
  const source = sourceOf([streamOf({ requester: { request_headers: { $ref: '#/definitions/headers' } } })])
  for (const manifest of [
    { ...source, definitions: { headers } },
    { definitions: { headers }, ...source },
  ]) {
    const secrets = secretsOf(loadManifest(manifest), { shop_code: 'zx81-spectrum' })
    assert.ok(secrets.includes('zx81-spectrum'))
    const places = secrets.flatMap((one) => (typeof one === 'string' ? [] : [one.place]))
    assert.ok(places.some((place) => place.in === 'header' && place.name === 'X-Piece'))
  }
})

test('a template that reads its parameters counts once for each of them', () => {
  const stream = (name: string, requester: object) => ({
    ...streamOf({ name, requester: { ...requester } }),
    $parameters: { field: name },
  })
  const authenticator = { type: 'BearerAuthenticator', api_token: "{{ config[parameters['field']] }}" }
  const headers = { Authorization: "{{ config[parameters['field']] }}" }
  const definitions = { authenticator, headers }
  for (const requester of [
    { authenticator },
    { authenticator: { $ref: '#/definitions/authenticator' } },
    { request_headers: { $ref: '#/definitions/headers' } },
  ]) {
    const manifest = { ...sourceOf([stream('one', requester), stream('two', requester)]), definitions }
    const secrets = secretsOf(loadManifest(manifest), { one: 'zx81-spectrum', two: 'amiga-500' })
    assert.deepEqual(new Set(secrets), new Set(['amiga-500', 'zx81-spectrum']))
  }
})

test('definitions that share others twenty levels deep are read at once', () => {
  const shared = Array.from({ length: 22 }, (_, level): [string, object] => [
    `level${level}`,
    level === 0
      ? { token: '{{ config.shop_code }}' }
      : { a: { $ref: `#/definitions/level${level - 1}` }, b: { $ref: `#/definitions/level${level - 1}` } },
  ])
  const requester = { request_body_json: { $ref: '#/definitions/level21' } }
  const manifest = { ...sourceOf([streamOf({ requester })]), definitions: Object.fromEntries(shared) }
  assert.deepEqual(secretsOf(loadManifest(manifest), { shop_code: 'zx81-spectrum' }), ['zx81-spectrum'])
})

test('templates beyond three thousand are not read', () => {
  const many = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`X-${index}`, `{{ config.a }} ${index}`]))
  const requester = {
    authenticator: { type: 'BearerAuthenticator', api_token: '{{ config.shop_code }}' },
    request_headers: many,
  }
  assert.deepEqual(found(requester, { shop_code: 'zx81-spectrum' }), [])
})

test('a spec names its secrets, of any depth and kind; others are none', () => {
  const secret = { airbyte_secret: true }
  const schema = {
    properties: {
      key: secret,
      pin: secret,
      long: secret,
      whole: secret,
      flag: secret,
      open: { airbyte_secret: false },
      other: {},
      gone: secret,
      constructor: secret,
      nested: { properties: { code: secret } },
      list: { items: { properties: { code: secret } } },
      codes: { items: secret },
      one: { oneOf: [{ properties: { a: secret } }, { properties: { b: secret } }] },
      any: { anyOf: [secret] },
      all: { allOf: [{ properties: { c: secret } }] },
      wrong: { properties: null },
      text: { properties: { length: secret } },
    },
  }
  const values = {
    key: 'k',
    pin: 12,
    long: 12345678901234567890n,
    whole: { a: 'w1', b: ['w2', null, true] },
    flag: true,
    open: 'no',
    other: 'no',
    gone: null,
    nested: { code: 'n', open: 'no' },
    list: [{ code: 'l1' }, { code: 'l2' }],
    codes: ['c1', 'c2'],
    one: { a: 'o1', b: 'o2', c: 'no' },
    any: 'y',
    all: { c: 'z' },
    wrong: { a: 'no' },
    text: 'no',
  }
  const expected = ['k', '12', '12345678901234567890', 'w1', 'w2', 'n', 'l1', 'l2', 'c1', 'c2', 'o1', 'o2', 'y', 'z']
  assert.deepEqual([...secretsIn(schema, values)], expected)
  assert.deepEqual([...secretsIn(null, values), ...secretsIn(true, values), ...secretsIn(secret, undefined)], [])
  const manifest = loadManifest(manifestOf({ spec: { properties: { region: secret } } }))
  assert.deepEqual(secretsOf(manifest, { region: 'eu-west-1', other: 'eu-west-2' }), ['eu-west-1'])
})

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
  "{{ 'WITH-A-WORD' | lower if config.word.isalnum() else 'without-any' }}",
]

for (const template of ordinary) {
  test(`nothing derived: ${template}`, () => {
    const word = { password: 'aA0yY8zZ9' }
    assert.deepEqual(found({ path: template }, { key, region: 'europe-west-1', word: word.password, ...word }), [
      key,
      word.password,
    ])
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

const parts: [part: string, isHidden: boolean][] = [
  ['abcdefgh', true],
  ['12345678', true],
  ['abcdefg', false],
  ['1234567', false],
  ['abcde1', true],
  ['abcd1', false],
]

for (const [part, isHidden] of parts) {
  test(`a part of a secret is ${isHidden ? 'hidden anywhere' : 'an ordinary word'}: ${part}`, () => {
    const whole = `Kq7_${part}`
    assert.deepEqual(
      found({ path: "{{ config.key.split('_')[1] }}" }, { key: whole }),
      [whole, ...(isHidden ? [part] : [])].toSorted(),
    )
  })
}

test('of what is derived the shortest is hidden, and nothing that holds a secret of four letters anyway', () => {
  for (const template of ['{{ config.key[:10] }}/{{ config.key[:8] }}', '{{ config.key[:8] }}/{{ config.key[:10] }}'])
    assert.deepEqual(found({ path: template }, { key }), ['Kq7-vXw2', key])
  assert.deepEqual(found({ path: "{{ config.key ~ 'abcdefgh' }}" }, { key: 'wxyz' }), ['wxyz'])
  assert.deepEqual(found({ path: "{{ config.key ~ 'abcdefgh' }}" }, { key: 'xyz' }), ['xyz', 'xyzabcdefgh'])
})

test('a secret of four letters is hidden by its text, a shorter one at its place as well', () => {
  const request_headers = { 'X-Piece': '{{ config.key }}' }
  const place = { in: 'header', name: 'X-Piece' }
  assert.deepEqual(placedIn({ request_headers }, { key: 'wxyz' }), [])
  assert.deepEqual(placedIn({ request_headers }, { key: 'xyz' }), [{ place, text: 'xyz' }])
})

test('next to a secret a header hides all that is made of it; an address, a slice and words show the rest', () => {
  const template = "{{ config.key ~ 'x' }}"
  const place = { in: 'header', name: 'X-Piece' }
  assert.deepEqual(placedIn({ request_headers: { 'X-Piece': template } }, { key }), [{ place, text: `${key}x` }])
  assert.deepEqual(placedIn({ path: template }, { key }), [])
  assert.deepEqual(placedIn({ ignored: { a: template } }, { key }), [])
  const partition_router = { type: 'ListPartitionRouter', values: [template], cursor_field: 'a' }
  const secrets = secretsOf(loadManifest(manifestOf({ retriever: { partition_router } })), { key })
  assert.deepEqual(secrets, [key])
})

test('one template in two headers has two places', () => {
  const request_headers = { 'X-One': '{{ config.key[:4] }}', 'X-Two': '{{ config.key[:4] }}' }
  assert.deepEqual(
    placedIn({ request_headers }, { key }).map(({ place }) => 'name' in place && place.name),
    ['X-One', 'X-Two'],
  )
})

test('a part of a number is one of a secret, too', () => {
  const spec = { properties: { number: { airbyte_secret: true } } }
  const manifest = loadManifest(manifestOf({ spec, requester: { path: "{{ (config.number ~ '')[:8] }}" } }))
  assert.deepEqual(secretsOf(manifest, { number: 1234567891 }), ['1234567891', '12345678'])
})

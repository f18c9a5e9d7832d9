import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { describe, test } from 'node:test'
import { parseConnection } from '../../src/connections/connection.ts'
import { fromFolder } from '../../src/connections/open-connection.ts'
import { hidePassword, showConnection } from '../../src/connections/show-connection.ts'
import { ConnectorError } from '../../src/std/errors.ts'

const parse = (text: string) => parseConnection(text, 'connections/shop/connection.yaml')

function refused(text: string): ConnectorError {
  try {
    parse(text)
  } catch (error) {
    assert.ok(error instanceof ConnectorError)
    return error
  }
  return assert.fail(`${text} was accepted`)
}

describe('the file of a connection', () => {
  test('has few keys, of which only the connector is required', () => {
    const { locate: _, text: _text, ...bare } = parse('connector: shop')
    assert.deepEqual(bare, {
      name: 'shop',
      folder: resolve('connections/shop'),
      file: 'connections/shop/connection.yaml',
      connector: 'shop',
      config: {},
      destination: null,
      schema: null,
      streams: null,
      mode: null,
      require: 'unproven',
      prefetch: null,
      concurrency: null,
      schedule: null,
      origins: null,
    })
    const full = parse(`{"connector": "./shop", "config": {"id": 12345678901234567890}, "destination": "duckdb:x",
      "schema": "raw", "streams": ["orders"], "mode": {"orders": "incremental-dedup"}, "require": "complete",
      "prefetch": "off", "concurrency": 2}`)
    assert.deepEqual(full.config, { id: 12345678901234567890n })
    assert.deepEqual(full.mode, { orders: 'incremental_dedup' })
    assert.deepEqual([full.require, full.prefetch, full.concurrency, full.streams], ['complete', 'off', 2, ['orders']])
    assert.deepEqual(parse('connector: a\norigins: [https://API.shop.example/]').origins, ['https://api.shop.example'])
    assert.equal(refused('connector: a\norigins: [https://api.shop.example/v1]').code, 'connections/invalid')
    assert.equal(parse('connector: a\nmode: full_refresh_append').mode, 'full_refresh_append')
    assert.equal(parse('connector: a\nprefetch: off').prefetch, 'off')
  })

  const wrong: [text: string, says: RegExp, line: number, hint: RegExp][] = [
    ['config: {}', /^`connector` is missing/, 1, /connector: NAME/],
    ['connector: shop\nstream: [orders]', /^There is no key `stream`/, 2, /Did you mean `streams`\?/],
    ['connector: shop\n__proto__: 1', /^There is no key `__proto__`/, 2, /The keys are `connector`,/],
    ['connector: shop\nstreams: orders', /^`streams` must be a list/, 2, /docs\/connections\.md/],
    ['connector: shop\nstreams: []', /^`streams` must be a list/, 2, /keys/],
    ['connector: shop\nmode:\n  orders: merge', /^`mode` must be a mode/, 3, /keys/],
    ['connector: shop\nrequire: proof', /^`require` must be `complete` or `unproven`/, 2, /keys/],
    ['connector: shop\nconcurrency: 0', /^`concurrency` must be a whole number/, 2, /keys/],
    ['connector: shop\nprefetch: lots', /^`prefetch` must be auto, off or a number/, 2, /keys/],
    ['connector: ""', /^`connector` must be the name/, 1, /keys/],
    ['connector: shop\nconfig: text', /^`config` must be the config values/, 2, /keys/],
    ['connector: shop\ndestination: 5', /^`destination` must be duckdb:FILE/, 2, /keys/],
    ['connector: [', /./, 1, /keys/],
  ]
  for (const [text, says, line, hint] of wrong) {
    test(`is refused: ${text.replaceAll('\n', ' | ')}`, () => {
      const error = refused(text)
      assert.equal(error.code, 'connections/invalid')
      assert.match(error.message, says)
      assert.equal(error.at?.file, 'connections/shop/connection.yaml')
      assert.equal(error.at?.line, line)
      assert.match(error.hint, hint)
    })
  }

  test('is refused when it is empty, or no mapping', () => {
    assert.match(refused('').message, /^The file is empty/)
    assert.match(refused('- a').message, /^The file does not have the keys/)
  })

  test('reports every problem at once', () => {
    assert.equal(refused('streams: x\nmodes: y').problems.length, 3)
  })

  test('knows where a value is written', () => {
    const { locate } = parse('connector: shop\nconfig:\n  auth:\n    key: x')
    assert.equal(locate(['config', 'auth', 'key']).line, 4)
    assert.equal(locate(['config', 'auth', 'key']).pointer, '/config/auth/key')
  })
})

test('a relative destination starts at the folder of the connection', () => {
  assert.equal(fromFolder('duckdb:../../shop.duckdb', resolve('connections/shop')), 'duckdb:shop.duckdb')
  assert.equal(fromFolder('jsonl:out', '/elsewhere'), 'jsonl:/elsewhere/out')
  for (const same of ['duckdb:/a/b', 'postgres://me@host/db']) assert.equal(fromFolder(same, '/elsewhere'), same)
})

test('what is shown hides secrets that are written out, and no reference', () => {
  const text =
    'connector: shop\nconfig:\n  api_key: plain-s3cret\n  token: ${TOKEN}\ndestination: postgres://me:hidden@host/db\n'
  const shown = showConnection(parse(text), null)
  assert.deepEqual(shown.config, { api_key: '****', token: '${TOKEN}' })
  assert.equal(
    shown.text,
    'connector: shop\nconfig:\n  api_key: ****\n  token: ${TOKEN}\ndestination: postgres://me:****@host/db\n',
  )
  const hooked = showConnection(
    parse('connector: shop\nschedule:\n  every: 1h\n  webhook: https://hooks.test/T0/s3cret\n'),
    null,
  )
  assert.deepEqual(hooked.schedule, { every: '1h', webhook: 'https://hooks.test/…' })
  assert.ok(!JSON.stringify(hooked).includes('s3cret'))
  for (const address of ['postgres://me:${PASSWORD}@host/db', 'postgres://host/db?user=me&password=${PASSWORD}'])
    assert.equal(hidePassword(address), address)
  assert.equal(hidePassword('postgres://host/db?password=hidden&user=me'), 'postgres://host/db?password=****&user=me')
  assert.equal(hidePassword('postgres://me:file:hidden@host/db'), 'postgres://me:****@host/db')
})

describe('a secret that the file spells in another way is hidden in its text, too', () => {
  test('in a block of lines, with doubled quotes, with escapes, and over two lines', () => {
    const text = `# For the shop.
connector: shop
config:
  private_key: |
    -----BEGIN PRIVATE KEY-----
    MIIEvQIBADANBgkqhkiG9w0BAQEFAASC
    -----END PRIVATE KEY-----
  api_key: 'it''s-a-s3cret' # from the console
  password: "s3cret\u0021-two"
  token: folded-s3cret-one
    and-more
  region: eu
`
    assert.equal(
      showConnection(parse(text), null).text,
      `# For the shop.
connector: shop
config:
  private_key: |-
    ****
  api_key: '****' # from the console
  password: "****"
  token: ****
  region: eu
`,
    )
  })

  test('in JSON whose slashes are escaped', () => {
    const escaped = (value: object) => JSON.stringify(value).replaceAll('/', String.raw`\/`)
    const text = escaped({
      connector: 'shop',
      config: { api_key: 'a/s3cret/b' },
      destination: 'postgres://me:s3cret-pass@host/db',
      schedule: { every: '1h', webhook: 'https://hooks.test/T0/s3cret' },
    })
    const shown = showConnection(parseConnection(text, 'connections/shop/connection.json'), null).text
    assert.ok(!shown.includes('s3cret'), shown)
    assert.equal((JSON.parse(shown) as { destination: string }).destination, 'postgres://me:****@host/db')
  })
})

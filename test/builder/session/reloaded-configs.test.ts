import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDocument } from '../../../src/document/open-document.ts'
import { reloadable } from '../../../src/builder/session/reloaded-configs.ts'
import { emptiedNames, startConfigs, takeKept, usedConfig } from '../../../src/builder/session/tab-configs.ts'

const root = openDocument(`streams:
  - name: orders
    retriever:
      requester:
        type: HttpRequester
        url_base: https://shop.example
        authenticator: { type: BasicHttpAuthenticator, username: "{{ config['user'] }}" }
spec:
  connection_specification:
    properties:
      region: { type: string }
      page: { type: integer }
      home: { type: string }
      note: { type: string }
      user: { type: string }
      password: { type: string }
      marked: { type: string, airbyte_secret: true }
      variable: { type: string, airbyte_secret: true }
      nested: { type: object }
`).value

const typed = {
  region: 'north',
  page: 3,
  home: 'https://me:hush@shop.example/',
  note: 'ghp_9f8e7d6c5b4a39281706f5e4d3c2b1a0',
  user: 'me',
  password: 'hush',
  marked: 'hush',
  variable: '${SHOP_TOKEN}',
  nested: { token: 'hush' },
  undeclared: 'hush',
}

test('what survives a reload is declared, and no secret by mark, name, use or form', () => {
  const one = { name: 'default', inputs: typed, origins: [], kept: null }
  const { configs } = reloadable({ used: 'default', configs: [one] }, root)
  assert.deepEqual(configs[0]?.inputs, { region: 'north', page: 3, variable: '${SHOP_TOKEN}' })
  assert.deepEqual(configs[0]?.emptied, ['home', 'note', 'user', 'password', 'marked', 'nested', 'undeclared'])
})

test('an input that was emptied is asked for until it has a value, also after the next reload', () => {
  const one = { name: 'default', inputs: { marked: 'hush' }, origins: [], kept: null }
  const once = reloadable({ used: 'default', configs: [one] }, root)
  const twice = reloadable(once, root)
  assert.deepEqual(emptiedNames(usedConfig(twice)), ['marked'])
  const [config] = twice.configs
  assert.ok(config)
  assert.deepEqual(emptiedNames({ ...config, inputs: { marked: 'again' } }), [])
})

test('kept configs come from the server, and do not replace one that waits for its secrets', () => {
  const kept = { name: 'kept', version: '1', values: { region: 'south' }, origins: [] }
  const own = { name: 'default', inputs: { marked: 'hush' }, origins: [], kept: null }
  const both = {
    used: 'kept',
    configs: [own, { ...startConfigs.configs[0], name: 'kept', inputs: {}, origins: [], kept }],
  }
  const reloaded = reloadable(both, root)
  assert.deepEqual(
    reloaded.configs.map(({ name }) => name),
    ['default'],
  )
  const taken = takeKept(reloaded, [kept])
  assert.deepEqual([taken.used, taken.configs.map(({ name }) => name)], ['kept', ['default', 'kept']])
})

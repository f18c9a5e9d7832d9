import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { serveApi } from '../helpers/serve-api.ts'
import { messagesIn, recordsIn, runCli } from './run-cli.ts'
import { manifestOf, orders, ordersFrom, stream, tempFolder } from './shop.ts'

/** Takes nothing but a key: the manifest in the config would be one member too many. */
const connection = {
  type: 'object',
  additionalProperties: false,
  required: ['key'],
  properties: { key: { type: 'string', airbyte_secret: true } },
}
const spec = { type: 'Spec', connection_specification: connection }

const logsIn = (ran: { stdout: string }) =>
  messagesIn(ran).flatMap(({ log }) => (log === undefined ? [] : [`${String(log.level)} ${String(log.message)}`]))

describe('a manifest that comes in the config', { concurrency: 4 }, () => {
  test('is run by every command of the protocol, and is no part of the config', async () => {
    await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query) })
    await using files = await tempFolder()
    const requester = { request_headers: { 'x-config': '{{ config | string }}' } }
    const manifest = manifestOf([stream(api.url, { name: 'orders', requester })], { spec })
    const config = await files.write('config.json', { key: 'k', __injected_declarative_manifest: manifest })

    const told = await runCli(['spec', '--config', config])
    assert.deepEqual(messagesIn(told)[0]?.spec?.connectionSpecification, connection)
    const checked = await runCli(['check', '--config', config])
    assert.deepEqual(messagesIn(checked).at(-1)?.connectionStatus, { status: 'SUCCEEDED' }, checked.stdout)
    const discovered = await runCli(['discover', '--config', config])
    assert.equal(discovered.code, 0, discovered.stderr)
    const catalog = await files.write('catalog.json', discovered.stdout)
    const read = await runCli(['read', '--config', config, '--catalog', catalog])
    assert.equal(read.code, 0, read.stderr)
    assert.deepEqual(recordsIn(read), orders)
    assert.deepEqual([...new Set(api.requests.map(({ headers }) => headers['x-config']))], ['{"key": "k"}'])
  })

  test('--manifest-path counts more than the config, as in Airbyte', async () => {
    await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query) })
    await using files = await tempFolder()
    const injected = manifestOf([stream(api.url, { name: 'injected', path: '/injected' })])
    const config = await files.write('config.json', { __injected_declarative_manifest: injected })
    const manifest = await files.write('manifest.json', manifestOf([stream(api.url, { name: 'orders' })]))
    const ran = await runCli(['read', '--manifest-path', manifest, '--config', config])
    assert.equal(ran.code, 0, ran.stderr)
    assert.equal(recordsIn(ran).length, 5)
    assert.ok(api.asked.every((line) => line.startsWith('GET /orders')))
  })

  test('stays in the file when the config changes, and out of the CONTROL message', async () => {
    await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query) })
    await using files = await tempFolder()
    const migrating = {
      type: 'Spec',
      connection_specification: { type: 'object', properties: { token: { type: 'string' } } },
      config_normalization_rules: {
        type: 'ConfigNormalizationRules',
        config_migrations: [
          {
            type: 'ConfigMigration',
            transformations: [{ type: 'ConfigRemapField', map: { a: 'b' }, field_path: ['kind'] }],
          },
        ],
      },
    }
    const manifest = manifestOf([stream(api.url, { name: 'orders' })], { spec: migrating })
    const config = await files.write('config.json', { kind: 'a', __injected_declarative_manifest: manifest })
    const ran = await runCli(['check', '--config', config])
    const [control] = messagesIn(ran).filter(({ type }) => type === 'CONTROL')
    assert.deepEqual(control?.control?.connectorConfig, { config: { kind: 'b' } })
    assert.deepEqual(JSON.parse(await readFile(config, 'utf8')), {
      kind: 'b',
      __injected_declarative_manifest: manifest,
    })
  })

  test('without any manifest, spec says what a config brings; the others say what to do', async () => {
    await using files = await tempFolder()
    const told = await runCli(['spec'])
    assert.equal(told.code, 0, told.stderr)
    const specification = messagesIn(told)[0]?.spec?.connectionSpecification as { required: string[] }
    assert.deepEqual(specification.required, ['__injected_declarative_manifest'])

    const config = await files.write('config.json', { key: 'k' })
    for (const args of [['check', '--config', config], ['read']]) {
      const ran = await runCli(args)
      assert.equal(ran.code, 2)
      assert.match(ran.stderr, /^cli\/arguments: There is no manifest\.\n {2}try {2}Give its path with --manifest-path/)
    }
    const wrong = await files.write('wrong.json', { __injected_declarative_manifest: 'version: 6.0.0' })
    const refused = await runCli(['discover', '--config', wrong])
    assert.equal(refused.code, 2)
    assert.match(
      refused.stderr,
      /^plan\/invalid-config: `__injected_declarative_manifest` in the config must be an object/,
    )
  })

  test('Python code next to it is not run, and that is said; a class that is needed is an error', async () => {
    await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query) })
    await using files = await tempFolder()
    const custom = stream(api.url, { name: 'custom' }) as { retriever: object }
    const record_selector = {
      type: 'RecordSelector',
      extractor: { type: 'CustomRecordExtractor', class_name: 'source_declarative_manifest.components.Rows' },
    }
    const streams = [
      stream(api.url, { name: 'orders' }),
      { ...custom, retriever: { ...custom.retriever, record_selector } },
    ]
    const manifest = manifestOf(streams)
    const code = await files.write('components.py', 'class Rows: pass\n')
    const config = await files.write('config.json', {
      __injected_declarative_manifest: manifest,
      __injected_components_py: 'class Rows: pass\n',
      __injected_components_py_checksums: { md5: 'x' },
    })

    const ran = await runCli(['read', '--config', config, '--components-path', code])

    assert.equal(ran.code, 1)
    assert.equal(recordsIn(ran).length, 5)
    const warnings = logsIn(ran).filter((text) => text.includes('Python code'))
    assert.equal(warnings.length, 2)
    assert.match(
      warnings[0] ?? '',
      /^WARN .*components\.py contains Python code, which Turnleaf does not run\. .*TypeScript/,
    )
    assert.match(warnings[1] ?? '', /^WARN `__injected_components_py` in the config contains Python code/)
    assert.match(ran.stderr, /^plan\/no-folder: /)
  })
})

test('an unknown sync_mode in a catalog is refused, with its place', async () => {
  await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query) })
  await using files = await tempFolder()
  const manifest = await files.write('manifest.json', manifestOf([stream(api.url, { name: 'orders' })]))
  const entry = { stream: { name: 'orders' }, sync_mode: 'sideways', destination_sync_mode: 'append' }
  const catalog = await files.write('catalog.json', { streams: [entry] })
  const ran = await runCli(['read', '--manifest-path', manifest, '--catalog', catalog])
  assert.equal(ran.code, 2)
  assert.match(
    ran.stderr,
    /^sync\/unknown-mode: The catalog has an unknown `sync_mode` "sideways" for stream "orders"\.\n {2}at {3}\/streams\/0\/sync_mode .*catalog\.json\n {2}try {2}Set it to `full_refresh` or `incremental`\./,
  )
  assert.deepEqual(
    messagesIn(ran).map(({ trace }) => trace?.type),
    ['ERROR'],
  )
  assert.deepEqual(api.asked, [])
})

import assert from 'node:assert/strict'
import { chmod, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { serveApi } from '../helpers/serve-api.ts'
import { messagesIn, recordsIn, runCli } from './run-cli.ts'
import { manifestOf, ordersFrom, stream, tempFolder } from './shop.ts'

/** The key moved into an object of its own; the address is derived each time. */
const spec = {
  type: 'Spec',
  connection_specification: {
    type: 'object',
    required: ['credentials'],
    properties: { credentials: { type: 'object', properties: { key: { type: 'string', airbyte_secret: true } } } },
  },
  config_normalization_rules: {
    type: 'ConfigNormalizationRules',
    config_migrations: [
      {
        type: 'ConfigMigration',
        transformations: [
          {
            type: 'ConfigAddFields',
            fields: [{ type: 'AddedFieldDefinition', path: ['credentials', 'key'], value: "{{ config['key'] }}" }],
            condition: "{{ config.get('key') is not none }}",
          },
          { type: 'ConfigRemoveFields', field_pointers: [['key']] },
        ],
      },
    ],
    transformations: [
      {
        type: 'ConfigAddFields',
        fields: [{ type: 'AddedFieldDefinition', path: ['path'], value: '{{ config.folder }}ers' }],
      },
    ],
  },
}

const manifestFor = (url: string) => {
  const requester = { request_headers: { 'x-key': '{{ config.credentials.key }}' } }
  return manifestOf([stream(url, { name: 'orders', path: '/{{ config.path }}', requester })], { spec })
}
const migrated = { folder: 'ord', credentials: { key: 's3cr3t-key' } }

describe('a config that must be migrated', { concurrency: 4 }, () => {
  test('is used, reported to the platform, and written back once', async () => {
    await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query) })
    await using files = await tempFolder()
    const manifest = await files.write('manifest.json', manifestFor(api.url))
    const config = await files.write('config.json', { key: 's3cr3t-key', folder: 'ord' })
    await chmod(config, 0o600)

    const first = await runCli(['read', '--manifest-path', manifest, '--config', config])
    assert.equal(first.code, 0, first.stderr)
    assert.equal(recordsIn(first).length, 5)
    assert.equal(api.requests[0]?.headers['x-key'], 's3cr3t-key')
    const control = messagesIn(first).filter(({ type }) => type === 'CONTROL')
    assert.equal(control.length, 1)
    assert.equal(control[0]?.control?.type, 'CONNECTOR_CONFIG')
    assert.deepEqual(control[0]?.control?.connectorConfig, { config: migrated })
    assert.deepEqual(JSON.parse(await readFile(config, 'utf8')), migrated)
    assert.equal((await stat(config)).mode & 0o777, 0o600)

    const written = (await stat(config)).mtimeMs
    const second = await runCli(['read', '--manifest-path', manifest, '--config', config])
    assert.equal(recordsIn(second).length, 5)
    assert.ok(messagesIn(second).every(({ type }) => type !== 'CONTROL'))
    assert.equal((await stat(config)).mtimeMs, written)
    assert.deepEqual((await readdir(files.folder)).toSorted(), ['config.json', 'manifest.json'])
  })

  test('every command migrates it, `spec` as well', async () => {
    await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query) })
    for (const command of ['spec', 'check', 'discover']) {
      await using files = await tempFolder()
      const manifest = await files.write('manifest.json', manifestFor(api.url))
      const config = await files.write('config.json', { key: 's3cr3t-key', folder: 'ord' })
      const ran = await runCli([command, '--manifest-path', manifest, '--config', config])
      assert.equal(messagesIn(ran)[0]?.type, 'CONTROL', command)
      assert.deepEqual(JSON.parse(await readFile(config, 'utf8')), migrated)
    }
  })

  test('a link stays a link; its target is written', async () => {
    await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query) })
    await using files = await tempFolder()
    const manifest = await files.write('manifest.json', manifestFor(api.url))
    const real = await files.write('real.json', { key: 's3cr3t-key', folder: 'ord' })
    const link = join(files.folder, 'config.json')
    await symlink(real, link)
    await runCli(['check', '--manifest-path', manifest, '--config', link])
    assert.deepEqual(JSON.parse(await readFile(real, 'utf8')), migrated)
    assert.equal(await readFile(link, 'utf8'), await readFile(real, 'utf8'))
  })

  test('a secret that moved stays secret', async () => {
    await using api = await serveApi({
      'GET /orders': () => ({ status: 403, json: { message: 's3cr3t-key is no good' } }),
    })
    await using files = await tempFolder()
    const manifest = await files.write('manifest.json', manifestFor(api.url))
    const config = await files.write('config.json', { key: 's3cr3t-key', folder: 'ord' })
    const ran = await runCli(['check', '--manifest-path', manifest, '--config', config])
    const [control, ...rest] = messagesIn(ran)
    assert.equal(control?.type, 'CONTROL')
    assert.doesNotMatch(JSON.stringify(rest) + ran.stderr, /s3cr3t/)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { serveApi } from '../helpers/serve-api.ts'
import { messagesIn, runCli } from './run-cli.ts'
import { daily, manifestOf, ordersFrom, stream, tempFolder } from './shop.ts'

const connection = { type: 'object', required: ['key'], properties: { key: { type: 'string', airbyte_secret: true } } }
const spec = { type: 'Spec', documentation_url: 'https://example.com/docs', connection_specification: connection }

describe('turnleaf spec', { concurrency: 4 }, () => {
  test('prints the specification of the manifest', async () => {
    await using files = await tempFolder()
    const manifest = await files.write(
      'manifest.json',
      manifestOf([stream('https://example.com', { name: 'orders' })], { spec }),
    )
    const ran = await runCli(['spec', '--manifest-path', manifest])
    assert.equal(ran.code, 0)
    assert.deepEqual(messagesIn(ran), [
      {
        type: 'SPEC',
        spec: {
          connectionSpecification: connection,
          documentationUrl: 'https://example.com/docs',
          supportsNormalization: false,
          supportsDBT: false,
        },
      },
    ])
  })

  test('a manifest without one takes any config', async () => {
    await using files = await tempFolder()
    const manifest = await files.write('manifest.json', manifestOf([stream('https://example.com', { name: 'orders' })]))
    const [message] = messagesIn(await runCli(['spec', '--manifest-path', manifest]))
    assert.deepEqual(message?.spec?.connectionSpecification, {
      type: 'object',
      additionalProperties: true,
      properties: {},
    })
  })

  test('a missing manifest is an error, reported to platform and user', async () => {
    const ran = await runCli(['spec', '--manifest-path', 'no/such.yaml'])
    assert.equal(ran.code, 2)
    assert.match(ran.stderr, /^cli\/file: Cannot read the manifest no\/such\.yaml: it does not exist\.\n {2}try {2}/)
    assert.deepEqual(
      messagesIn(ran).map(({ trace }) => trace?.type),
      ['ERROR'],
    )
  })

  test('a manifest with faults names each of them', async () => {
    await using files = await tempFolder()
    const manifest = await files.write(
      'manifest.yaml',
      'version: 6.0.0\ntype: DeclarativeSource\ncheck: {type: CheckStraem}\nstreams: 3\n',
    )
    const ran = await runCli(['spec', '--manifest-path', manifest])
    assert.equal(ran.code, 2)
    assert.match(ran.stderr, /manifest\.yaml:3:\d+/)
    assert.match(ran.stderr, /manifest\.yaml:4:\d+/)
  })

  test('the stack appears on request', async () => {
    const args = ['spec', '--manifest-path', 'no/such.yaml']
    assert.doesNotMatch((await runCli(args)).stderr, /\n\s+at .*readTextFile/)
    assert.match((await runCli(args, { env: { TURNLEAF_DEBUG: '1' } })).stderr, /\n\s+at .*readTextFile/)
  })
})

describe('turnleaf check', { concurrency: 4 }, () => {
  test('succeeds when the API answers, with or without records', async () => {
    for (const data of [[], [{ id: 1 }]]) {
      await using api = await serveApi({ 'GET /orders': () => ({ json: { data } }) })
      await using files = await tempFolder()
      const manifest = await files.write(
        'manifest.json',
        manifestOf([stream(api.url, { name: 'orders' }), stream(api.url, { name: 'unchecked' })], { spec }),
      )
      const config = await files.write('config.json', { key: 'k' })
      const ran = await runCli(['check', '--manifest-path', manifest, '--config', config])
      assert.equal(ran.code, 0)
      assert.deepEqual(messagesIn(ran).at(-1), { type: 'CONNECTION_STATUS', connectionStatus: { status: 'SUCCEEDED' } })
      assert.deepEqual(api.asked, ['GET /orders'])
    }
  })

  test('says why it fails; as a response, not as an error', async () => {
    await using api = await serveApi({ 'GET /orders': () => ({ status: 401, json: { message: 'who are you' } }) })
    await using files = await tempFolder()
    const manifest = await files.write('manifest.json', manifestOf([stream(api.url, { name: 'orders' })], { spec }))
    for (const [content, words] of [
      [{ key: 'k' }, /401 Unauthorized.*who are you/],
      [{}, /`key` is missing/],
    ] as const) {
      const ran = await runCli([
        'check',
        '--manifest-path',
        manifest,
        '--config',
        await files.write('config.json', content),
      ])
      assert.equal(ran.code, 0)
      assert.equal(ran.stderr, '')
      const status = messagesIn(ran).at(-1)?.connectionStatus
      assert.equal(status?.status, 'FAILED')
      assert.match(String(status?.message), words)
    }
  })
})

describe('turnleaf discover', { concurrency: 4 }, () => {
  test('lists streams with schema, keys and ways to read them', async () => {
    await using files = await tempFolder()
    const schema = { type: 'object', properties: { id: { type: 'integer' } } }
    const streams = [
      stream('https://example.com', {
        name: 'orders',
        stream: { schema_loader: { type: 'InlineSchemaLoader', schema } },
      }),
      stream('https://example.com', { name: 'daily', stream: { ...daily, primary_key: ['id', 'at'] } }),
    ]
    const manifest = await files.write('manifest.json', manifestOf(streams))
    const ran = await runCli(['discover', '--manifest-path', manifest])
    assert.equal(ran.code, 0, ran.stderr)
    assert.deepEqual(messagesIn(ran), [
      {
        type: 'CATALOG',
        catalog: {
          streams: [
            {
              name: 'orders',
              json_schema: schema,
              supported_sync_modes: ['full_refresh'],
              source_defined_primary_key: [['id']],
              is_resumable: false,
              is_file_based: false,
            },
            {
              name: 'daily',
              json_schema: { type: 'object', additionalProperties: true, properties: {} },
              supported_sync_modes: ['full_refresh', 'incremental'],
              source_defined_cursor: true,
              default_cursor_field: ['at'],
              source_defined_primary_key: [['id'], ['at']],
              is_resumable: true,
              is_file_based: false,
            },
          ],
        },
      },
    ])
  })

  test('its output chooses the streams of a read', async () => {
    await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query) })
    await using files = await tempFolder()
    const manifest = await files.write('manifest.json', manifestOf([stream(api.url, { name: 'orders' })]))
    const { stdout } = await runCli(['discover', '--manifest-path', manifest])
    const catalog = await files.write('catalog.json', stdout)
    assert.equal(
      (await runCli(['read', '--manifest-path', manifest, '--catalog', catalog, '--prefetch', 'off'])).code,
      0,
    )
    assert.equal(api.asked.length, 3)
  })
})

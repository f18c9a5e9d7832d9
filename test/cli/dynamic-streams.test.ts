import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { serveApi } from '../helpers/serve-api.ts'
import { messagesIn, recordsIn, runCli, statusesIn } from './run-cli.ts'
import { daily, manifestOf, ordersFrom, stream, tempFolder } from './shop.ts'

/** A stream for each table of the API, and one that the manifest declares. */
function tables(url: string, rest: object = {}) {
  return manifestOf([stream(url, { name: 'orders' })], {
    dynamic_streams: [
      {
        type: 'DynamicDeclarativeStream',
        name: 'tables',
        stream_template: stream(url, { name: 'template', path: '/table' }),
        components_resolver: {
          type: 'HttpComponentsResolver',
          retriever: {
            type: 'SimpleRetriever',
            requester: { type: 'HttpRequester', url_base: url, path: '/tables', http_method: 'GET' },
            record_selector: { type: 'RecordSelector', extractor: { type: 'DpathExtractor', field_path: ['tables'] } },
            partition_router: {
              type: 'ListPartitionRouter',
              values: ['eu', 'us'],
              cursor_field: 'region',
              request_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'region' },
            },
          },
          components_mapping: [
            { field_path: ['name'], value: '{{ stream_slice.region }}/{{ components_values.id }}' },
            {
              field_path: ['retriever', 'requester', 'path'],
              value: '/{{ stream_slice.region }}/{{ components_values.id }}',
            },
          ].map((mapping) => ({ type: 'ComponentMappingDefinition', ...mapping })),
        },
      },
    ],
    ...rest,
  })
}

const routes = {
  'GET /orders': (query: URLSearchParams) => ordersFrom(query),
  'GET /tables': (query: URLSearchParams) => ({
    json: { tables: query.get('region') === 'eu' ? [{ id: 'a' }, { id: 'b' }] : [{ id: 'a' }] },
  }),
  'GET /eu/a': () => ({ json: { data: [{ id: 1 }] } }),
  'GET /eu/b': () => ({ json: { data: [] } }),
  'GET /us/a': () => ({ json: { data: [{ id: 2 }] } }),
}

describe('streams made from what an API names', { concurrency: 4 }, () => {
  test('are discovered and read, with one request for their list', async () => {
    await using api = await serveApi(routes)
    await using files = await tempFolder()
    const manifest = await files.write('manifest.json', tables(api.url))
    const discovered = messagesIn(await runCli(['discover', '--manifest-path', manifest])).at(-1)
    const streams = (discovered?.catalog?.streams ?? []) as { name: string }[]
    assert.deepEqual(
      streams.map(({ name }) => name),
      ['orders', 'eu/a', 'eu/b', 'us/a'],
    )
    api.asked.length = 0
    const ran = await runCli(['read', '--manifest-path', manifest])
    assert.equal(ran.code, 0, ran.stderr)
    assert.deepEqual(
      statusesIn(ran).filter((line) => line.endsWith('COMPLETE')),
      ['orders COMPLETE', 'eu/a COMPLETE', 'eu/b COMPLETE', 'us/a COMPLETE'],
    )
    assert.equal(recordsIn(ran).length, 7)
    assert.deepEqual(
      api.asked.filter((line) => line.startsWith('GET /tables')),
      ['GET /tables?region=eu', 'GET /tables?region=us'],
    )
  })

  test('a stream that is written out needs no such request', async () => {
    await using api = await serveApi(routes)
    await using files = await tempFolder()
    const manifest = await files.write('manifest.json', tables(api.url))
    const ran = await runCli(['read', '--manifest-path', manifest, '--stream', 'orders'])
    assert.equal(ran.code, 0)
    assert.ok(api.asked.every((line) => line.startsWith('GET /orders')))
  })

  test('an unknown name is reported with the known ones', async () => {
    await using api = await serveApi(routes)
    await using files = await tempFolder()
    const manifest = await files.write('manifest.json', tables(api.url))
    const ran = await runCli(['read', '--manifest-path', manifest, '--stream', 'eu/c'])
    assert.equal(ran.code, 2)
    assert.match(ran.stderr, /There is no stream "eu\/c"; the manifest has orders, eu\/a, eu\/b, us\/a\./)
  })

  test('a catalog may name one that is gone: it is incomplete, and the others are read', async () => {
    await using api = await serveApi(routes)
    await using files = await tempFolder()
    const manifest = await files.write('manifest.json', tables(api.url))
    const catalog = await files.write('catalog.json', { streams: [{ name: 'gone' }, { name: 'us/a' }] })
    const ran = await runCli(['read', '--manifest-path', manifest, '--catalog', catalog])
    assert.equal(ran.code, 1)
    assert.deepEqual(statusesIn(ran), [
      'gone STARTED',
      'gone INCOMPLETE',
      'us/a STARTED',
      'us/a RUNNING',
      'us/a COMPLETE',
    ])
    const failure = messagesIn(ran).find(({ trace }) => trace?.type === 'ERROR')
    assert.match(JSON.stringify(failure), /There is no stream \\"gone\\"/)
  })

  test('the plan of one can be printed', async () => {
    await using api = await serveApi(routes)
    await using files = await tempFolder()
    const manifest = await files.write('manifest.json', tables(api.url))
    const ran = await runCli(['plan', '--manifest-path', manifest, '--stream', 'us/a'])
    assert.equal(ran.code, 0, ran.stderr)
    assert.equal((JSON.parse(ran.stdout) as { name: string }).name, 'us/a')
  })

  test('an API that does not name them fails the whole', async () => {
    await using api = await serveApi({ ...routes, 'GET /tables': () => ({ status: 403, json: { message: 'closed' } }) })
    await using files = await tempFolder()
    const manifest = await files.write('manifest.json', tables(api.url))
    const ran = await runCli(['discover', '--manifest-path', manifest])
    assert.equal(ran.code, 1)
    assert.match(ran.stderr, /^response\/rejected: /)
  })
})

const status = async (manifest: object, config?: object) => {
  await using files = await tempFolder()
  const args = ['check', '--manifest-path', await files.write('manifest.json', manifest)]
  if (config !== undefined) args.push('--config', await files.write('config.json', config))
  const message = messagesIn(await runCli(args)).at(-1)
  return message?.connectionStatus as { status: string; message?: string }
}

describe('check', { concurrency: 4 }, () => {
  test('CheckDynamicStream asks as many of all streams as it says', async () => {
    await using api = await serveApi(routes)
    const check = (rest: object) => status(tables(api.url, { check: { type: 'CheckDynamicStream', ...rest } }))
    assert.deepEqual(await check({ stream_count: 2 }), { status: 'SUCCEEDED' })
    assert.deepEqual(api.asked.slice(2), ['GET /orders', 'GET /eu/a'])
    api.asked.length = 0
    assert.deepEqual(await check({ stream_count: 9, use_check_availability: false }), { status: 'SUCCEEDED' })
    assert.equal(api.asked.length, 2)
  })

  test('a source without any stream fails', async () => {
    await using api = await serveApi({ ...routes, 'GET /tables': () => ({ json: { tables: [] } }) })
    const manifest = tables(api.url, { check: { type: 'CheckDynamicStream', stream_count: 1 }, streams: [] })
    assert.match((await status(manifest)).message ?? '', /^There is no stream to check/)
  })

  test('CheckStream asks some streams that a template made', async () => {
    await using api = await serveApi({ ...routes, 'GET /us/a': () => ({ status: 404 }) })
    const check = (config: object) =>
      status(tables(api.url, { check: { type: 'CheckStream', dynamic_streams_check_configs: [config] } }))
    const some = { type: 'DynamicStreamCheckConfig', dynamic_stream_name: 'tables' }
    assert.equal((await check({ ...some, stream_count: 2 })).status, 'SUCCEEDED')
    assert.equal((await check(some)).status, 'FAILED')
    assert.match((await check({ ...some, dynamic_stream_name: 'tabels' })).message ?? '', /the dynamic stream `tabels`/)
  })

  test('the config may name other streams than the manifest', async () => {
    await using api = await serveApi(routes)
    const manifest = tables(api.url)
    assert.equal((await status(manifest, { __airbyte_check_stream_names: ['us/a'] })).status, 'SUCCEEDED')
    assert.ok(api.asked.includes('GET /us/a') && !api.asked.includes('GET /orders'))
    assert.equal((await status(manifest, { __airbyte_check_stream_names: [] })).status, 'SUCCEEDED')
    assert.match((await status(manifest, { __airbyte_check_stream_names: 'us/a' })).message ?? '', /must be a list/)
    assert.match((await status(manifest, { __airbyte_check_stream_names: ['x'] })).message ?? '', /no stream "x"/)
  })

  test('`config_overrides` hold for the check, and refuse what is not theirs', async () => {
    await using api = await serveApi(routes)
    const overridden = (config_overrides: object) =>
      status(
        manifestOf([stream(api.url, { name: 'orders', path: '/{{ config.path }}' })], {
          check: { type: 'CheckStream', stream_names: ['orders'], config_overrides },
        }),
        { path: 'nowhere' },
      )
    assert.equal((await overridden({ path: 'orders' })).status, 'SUCCEEDED')
    assert.equal((await overridden({})).status, 'FAILED')
    assert.match((await overridden({ __airbyte_x: 1 })).message ?? '', /is reserved for the platform/)
  })

  test('a stream with nothing to request fails, one without records does not', async () => {
    await using api = await serveApi({ ...routes, 'GET /orders': () => ({ json: { data: [] } }) })
    const router = { type: 'ListPartitionRouter', values: '{{ config.regions }}', cursor_field: 'region' }
    const one = stream(api.url, { name: 'orders' }) as { retriever: object }
    const manifest = manifestOf([{ ...one, retriever: { ...one.retriever, partition_router: router } }])
    assert.equal((await status(manifest, { regions: ['eu'] })).status, 'SUCCEEDED')
    assert.match((await status(manifest, { regions: [] })).message ?? '', /has nothing to request/)
  })
})

test('a state decides which half of a stream is read', async () => {
  await using api = await serveApi({
    'GET /whole': () => ({ json: { data: [{ id: 1 }] } }),
    'GET /since': () => ({ json: { data: [{ id: 2, at: '2024-01-03T00:00:00Z' }] } }),
  })
  await using files = await tempFolder()
  const manifest = await files.write(
    'manifest.json',
    manifestOf([
      {
        type: 'StateDelegatingStream',
        name: 'orders',
        full_refresh_stream: stream(api.url, { name: 'orders', path: '/whole' }),
        incremental_stream: stream(api.url, { name: 'orders', path: '/since', stream: daily }),
      },
    ]),
  )
  const state = await files.write('state.json', { orders: { at: '2024-01-03T00:00:00Z' } })
  const whole = await runCli(['read', '--manifest-path', manifest])
  assert.deepEqual(recordsIn(whole), [{ id: 1 }])
  const since = await runCli(['read', '--manifest-path', manifest, '--state', state])
  assert.deepEqual(recordsIn(since), [{ id: 2, at: '2024-01-03T00:00:00Z' }])
  const catalog = await files.write('catalog.json', {
    streams: [{ stream: { name: 'orders' }, sync_mode: 'full_refresh' }],
  })
  const refreshed = await runCli(['read', '--manifest-path', manifest, '--state', state, '--catalog', catalog])
  assert.deepEqual(recordsIn(refreshed), [{ id: 1 }])
})

test('validate reports conditional streams one by one, and a template once', async () => {
  await using files = await tempFolder()
  const one = (name: string) => stream('https://api.test', { name })
  const group = { type: 'ConditionalStreams', condition: '{{ config.more }}', streams: [one('b'), one('c')] }
  const manifest = await files.write('manifest.json', tables('https://api.test', { streams: [one('orders'), group] }))
  const { stdout } = await runCli(['validate', '--json', manifest])
  const { streams } = JSON.parse(stdout) as { streams: { name: string; runs: boolean }[] }
  assert.deepEqual(
    streams.map(({ name, runs }) => [name, runs]),
    [
      ['orders', true],
      ['b', true],
      ['c', true],
      ['tables (template)', true],
    ],
  )
})

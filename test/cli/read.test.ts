import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { serveApi } from '../helpers/serve-api.ts'
import { messagesIn, recordsIn, runCli, statesIn, statusesIn } from './run-cli.ts'
import { daily, manifestOf, orders, ordersFrom, stream, tempFolder } from './shop.ts'

const configured = (name: string) => ({
  stream: { name, json_schema: {}, supported_sync_modes: ['full_refresh'] },
  sync_mode: 'full_refresh',
  destination_sync_mode: 'append',
})

describe('turnleaf read', { concurrency: 4 }, () => {
  test('emits status, records and state as the protocol wants them', async () => {
    await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query) })
    await using files = await tempFolder()
    const manifest = await files.write('manifest.json', manifestOf([stream(api.url, { name: 'orders' })]))

    const ran = await runCli(['read', '--manifest-path', manifest, '--prefetch', 'off'])

    assert.equal(ran.code, 0, ran.stderr)
    assert.equal(ran.stderr, '')
    assert.deepEqual(recordsIn(ran), orders)
    assert.deepEqual(statusesIn(ran), ['orders STARTED', 'orders RUNNING', 'orders COMPLETE'])
    assert.deepEqual(statesIn(ran), [['orders', { __ab_no_cursor_state_message: true }, 5]])
    assert.deepEqual(
      messagesIn(ran).flatMap(({ log }) => (log === undefined ? [] : [log])),
      [
        {
          level: 'INFO',
          message:
            'Stream "orders": 5 records, 3 pages; stopped at: short page; not verified: the API reports no total.',
        },
      ],
    )
    const [first] = messagesIn(ran).filter(({ type }) => type === 'RECORD')
    assert.deepEqual(Object.keys(first?.record ?? {}), ['stream', 'data', 'emitted_at'])
    assert.ok(Math.abs(Number(first?.record?.emitted_at) - Date.now()) < 60_000)
    assert.deepEqual(api.asked, ['GET /orders', 'GET /orders?offset=2', 'GET /orders?offset=4'])
  })

  test('--require asks for a verdict, --receipts writes all of them down', async () => {
    await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query) })
    await using files = await tempFolder()
    const manifest = await files.write('manifest.json', manifestOf([stream(api.url, { name: 'orders' })]))
    const file = join(files.folder, 'receipts.jsonl')

    const content = await runCli(['read', '--manifest-path', manifest, '--require', 'unproven', '--receipts', file])
    assert.equal(content.code, 0, content.stderr)
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
    const receipts = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    assert.deepEqual(
      receipts.map(({ kind, stream: name, pages, verdict, ending }) => [kind, name, pages, verdict, ending]),
      [
        ['slice', 'orders', 3, 'unproven', undefined],
        ['stream', 'orders', 3, 'unproven', 'complete'],
      ],
    )

    const asked = await runCli(['read', '--manifest-path', manifest, '--require', 'complete'])
    assert.equal(asked.code, 1)
    assert.match(
      asked.stderr,
      /^proof\/below-required: Stream "orders" is not verified: .*; that is below the threshold set by `--require complete`\.\n/,
    )
    assert.deepEqual(statusesIn(asked).at(-1), 'orders INCOMPLETE')
    assert.equal(recordsIn(asked).length, 5)
  })

  test('receipts that cannot be written cost no read', async () => {
    await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query) })
    await using files = await tempFolder()
    const manifest = await files.write('manifest.json', manifestOf([stream(api.url, { name: 'orders' })]))
    const ran = await runCli(['read', '--manifest-path', manifest, '--receipts', join(files.folder, 'none', 'file')])
    assert.equal(ran.code, 2)
    assert.match(ran.stderr, /^cli\/file: Cannot write the receipts to /)
    assert.deepEqual(api.asked, [])
  })

  test('keeps every digit of a long number', async () => {
    await using api = await serveApi({
      'GET /orders': () => ({ text: '{"data":[{"id":9007199254740993123}]}' }),
    })
    await using files = await tempFolder()
    const manifest = await files.write('manifest.json', manifestOf([stream(api.url, { name: 'orders' })]))

    const { stdout } = await runCli(['read', '--manifest-path', manifest])

    assert.match(stdout, /"data":\{"id":9007199254740993123\}/)
  })

  test('records emitted before a failure stay emitted, and the other streams are read', async () => {
    await using api = await serveApi({
      'GET /bad': (query) =>
        query.get('offset') === '4' ? { status: 403, json: { message: 'no way' } } : ordersFrom(query),
      'GET /orders': (query) => ordersFrom(query),
    })
    await using files = await tempFolder()
    const streams = [stream(api.url, { name: 'bad', path: '/bad' }), stream(api.url, { name: 'good' })]
    const manifest = await files.write('manifest.json', manifestOf(streams))

    const ran = await runCli(['read', '--manifest-path', manifest])

    assert.equal(ran.code, 1)
    assert.deepEqual(recordsIn(ran), [...orders.slice(0, 4), ...orders])
    assert.deepEqual(statusesIn(ran), [
      'bad STARTED',
      'bad RUNNING',
      'bad INCOMPLETE',
      'good STARTED',
      'good RUNNING',
      'good COMPLETE',
    ])
    // Without a cursor it hides nothing from the next read, and platforms count records by it.
    assert.deepEqual(statesIn(ran), [
      ['bad', { __ab_no_cursor_state_message: true }, 4],
      ['good', { __ab_no_cursor_state_message: true }, 5],
    ])
    const [failure] = messagesIn(ran).filter(({ trace }) => trace?.type === 'ERROR')
    const error = failure?.trace?.error as Record<string, unknown>
    assert.match(String(error.message), /403 Forbidden.*no way/)
    assert.match(String(error.internal_message), /^response\/rejected; .*try: /)
    assert.equal(error.failure_type, 'config_error')
    assert.deepEqual(error.stream_descriptor, { name: 'bad' })
  })

  test('a stream that cannot run yet is incomplete; the others are read', async () => {
    await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query) })
    await using files = await tempFolder()
    const later = stream(api.url, {
      name: 'later',
      stream: { incremental_sync: { type: 'CustomIncrementalSync', class_name: 'source_x.y.Z', cursor_field: 'at' } },
    })
    const manifest = await files.write('manifest.json', manifestOf([stream(api.url, { name: 'orders' }), later]))

    const ran = await runCli(['read', '--manifest-path', manifest])

    assert.equal(ran.code, 1)
    assert.equal(recordsIn(ran).length, 5)
    assert.deepEqual(statusesIn(ran).slice(-2), ['later STARTED', 'later INCOMPLETE'])
    assert.match(ran.stdout, /"internal_message":"manifest\/unsupported-component; at: .*manifest\.json/)
    // Requested alone, it cannot be read at all: an error in the manifest.
    assert.equal((await runCli(['read', '--manifest-path', manifest, '--stream', 'later'])).code, 2)
  })

  test('--stream chooses, in the order given', async () => {
    await using api = await serveApi({ '*': (query) => ordersFrom(query) })
    await using files = await tempFolder()
    const names = ['one', 'two', 'three']
    const manifest = await files.write(
      'manifest.json',
      manifestOf(names.map((name) => stream(api.url, { name, path: `/${name}` }))),
    )

    const ran = await runCli([
      'read',
      '--manifest-path',
      files.folder,
      '--stream',
      'three',
      '--stream',
      'one',
      '--max-pages',
      '1',
    ])

    assert.equal(ran.code, 0, manifest + ran.stderr)
    assert.deepEqual(api.asked, ['GET /three', 'GET /one'])
    assert.match(ran.stdout, /stopped at: page limit/)
    // Pages after the limit were not read, so there is no state to resume from.
    assert.deepEqual(statesIn(ran), [])
  })

  test('--concurrency says how many slices are read side by side', async () => {
    let open = 0
    let most = 0
    const waiting: (() => void)[] = []
    /** No response until `together` requests are waiting. */
    const answerTogether = (together: number) => async () => {
      most = Math.max(most, ++open)
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        if (waiting.length === together) for (const go of waiting.splice(0)) go()
      })
      open--
      return { json: { data: [{ id: 1 }] } }
    }
    const regions = {
      partition_router: { type: 'ListPartitionRouter', values: ['a', 'b', 'c', 'd', 'e', 'f'], cursor_field: 'region' },
    }
    for (const width of [1, 3]) {
      most = 0
      await using api = await serveApi({ '*': answerTogether(width) })
      await using files = await tempFolder()
      const { retriever, ...rest } = stream(api.url, { name: 'orders', path: '/{{ stream_partition.region }}' }) as {
        name: string
        retriever: object
      }
      const cut = { ...rest, retriever: { ...retriever, ...regions } }
      const manifest = await files.write('manifest.json', manifestOf([cut]))

      const ran = await runCli(['read', '--manifest-path', manifest, '--concurrency', String(width)])

      assert.equal(ran.code, 0, ran.stderr)
      assert.equal(recordsIn(ran).length, 6)
      assert.equal(most, width)
    }
  })

  test('an unknown stream is named before anything is asked', async () => {
    await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query) })
    await using files = await tempFolder()
    const manifest = await files.write('manifest.json', manifestOf([stream(api.url, { name: 'orders' })]))

    const ran = await runCli(['read', '--manifest-path', manifest, '--stream', 'oders'])

    assert.equal(ran.code, 2)
    assert.match(
      ran.stderr,
      /^manifest\/unknown-stream: There is no stream "oders"; the manifest has orders\.\n {2}at .*\n {2}try {2}Did you mean "orders"\?\n$/,
    )
    assert.deepEqual(
      messagesIn(ran).map(({ trace }) => trace?.type),
      ['ERROR'],
    )
    assert.deepEqual(api.asked, [])
  })

  test('a catalog chooses streams; one the manifest lacks is incomplete', async () => {
    await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query) })
    await using files = await tempFolder()
    const manifest = await files.write(
      'manifest.json',
      manifestOf([stream(api.url, { name: 'orders' }), stream(api.url, { name: 'other' })]),
    )
    const catalog = await files.write('catalog.json', { streams: [configured('gone'), configured('orders')] })

    const ran = await runCli(['read', '--manifest-path', manifest, '--catalog', catalog])

    assert.equal(ran.code, 1)
    assert.deepEqual(statusesIn(ran), [
      'gone STARTED',
      'gone INCOMPLETE',
      'orders STARTED',
      'orders RUNNING',
      'orders COMPLETE',
    ])
  })

  test('the output of discover is a catalog, warnings and all', async () => {
    await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query) })
    await using files = await tempFolder()
    const schema_loader = { type: 'JsonFileSchemaLoader', file_path: './schemas/none.json' }
    const manifest = await files.write(
      'manifest.json',
      manifestOf([stream(api.url, { name: 'orders', stream: { schema_loader } })]),
    )
    const discovered = await runCli(['discover', '--manifest-path', manifest])
    assert.deepEqual(
      messagesIn(discovered).map(({ type }) => type),
      ['LOG', 'CATALOG'],
    )
    const catalog = await files.write('catalog.json', discovered.stdout)

    const ran = await runCli(['read', '--manifest-path', manifest, '--catalog', catalog])

    assert.equal(ran.code, 0, ran.stderr)
    assert.deepEqual(recordsIn(ran), orders)
  })

  test('state comes out after each slice and goes back in', async () => {
    const since: string[] = []
    await using api = await serveApi({
      'GET /orders': (query) => {
        const [from, until] = [query.get('since') ?? '', query.get('until') ?? '']
        if (!query.has('offset')) since.push(from)
        return ordersFrom(
          query,
          orders.filter(({ at }) => at >= from && at <= until),
        )
      },
    })
    await using files = await tempFolder()
    const manifest = await files.write(
      'manifest.json',
      manifestOf([stream(api.url, { name: 'orders', stream: daily })]),
    )

    const first = await runCli(['read', '--manifest-path', manifest])
    assert.equal(first.code, 0, first.stderr)
    const newest = { at: '2024-01-04T00:00:00Z' }
    assert.equal(statesIn(first).length, 3)
    assert.deepEqual(statesIn(first).at(-1)?.slice(0, 2), ['orders', newest])
    assert.equal(
      statesIn(first).reduce((sum, [, , count]) => sum + count, 0),
      recordsIn(first).length,
    )

    // The output of a read is a state file as it is; so is a list of blobs, and the older object.
    const blob = {
      type: 'STREAM',
      stream: { stream_descriptor: { name: 'orders' }, stream_state: { at: '2024-01-03T00:00:00Z' } },
    }
    for (const [name, content, expected] of [
      ['state.jsonl', first.stdout, []],
      ['state.json', [blob], ['2024-01-03T00:00:00Z']],
      ['legacy.json', { orders: { at: '2024-01-02T00:00:00Z' } }, ['2024-01-02T00:00:00Z', '2024-01-03T00:00:00Z']],
    ] as const) {
      since.length = 0
      const again = await runCli(['read', '--manifest-path', manifest, '--state', await files.write(name, content)])
      assert.equal(again.code, 0, again.stderr)
      assert.deepEqual(since, expected)
      assert.deepEqual(statesIn(again).at(-1)?.slice(0, 2), ['orders', newest])
    }
  })

  test('the output of a read that was cut is a state up to there; a fault elsewhere is named by its line', async () => {
    const since: string[] = []
    await using api = await serveApi({
      'GET /orders': (query) => {
        since.push(query.get('since') ?? '')
        return { json: { data: [] } }
      },
    })
    await using files = await tempFolder()
    const manifest = await files.write(
      'manifest.json',
      manifestOf([stream(api.url, { name: 'orders', stream: daily })]),
    )
    const read = async (name: string, content: string) =>
      runCli(['read', '--manifest-path', manifest, '--state', await files.write(name, content)])
    const stateAt = (at: string) =>
      JSON.stringify({
        type: 'STATE',
        state: {
          type: 'STREAM',
          stream: { stream_descriptor: { name: 'orders' }, stream_state: { at } },
        },
      })
    const log = '{"type":"LOG","log":{"level":"INFO","message":"x"}}'
    const [early, late] = [stateAt('2024-01-02T00:00:00Z'), stateAt('2024-01-03T00:00:00Z')]

    const cut = await read('cut.jsonl', `${log}\n${late}\n${stateAt('2024-01-04').slice(0, 90)}`)
    assert.equal(cut.code, 0, cut.stderr)
    assert.deepEqual(since, ['2024-01-03T00:00:00Z'])

    for (const [name, content, line] of [
      ['middle.jsonl', `${log}\n${early.slice(0, 40)}${log}\n${late}\n`, 2],
      ['ended.jsonl', `${log}\n${late}\n${early.slice(0, 40)}\n`, 3],
      ['no-messages.jsonl', `{"orders":{"at":"2024"}}\n{"orders":{"at`, 2],
    ] as const) {
      const { code, stderr } = await read(name, content)
      assert.equal(code, 2)
      assert.match(stderr, new RegExp(`^slices/invalid-state: Line ${line} of .*${name} is not valid JSON\\.`))
      assert.match(stderr, new RegExp(`^ {2}at .*${name}:${line}:1$`, 'm'))
    }
    const one = await read('one.json', '{\n  "orders": {\n    "at": "2024",\n  }\n}\n')
    assert.match(one.stderr, /^slices\/invalid-state: .*one\.json is not valid JSON\..*\n.*one\.json:4:3$/m)
  })

  test('a failing server is asked again, and the log says so', async () => {
    let tries = 0
    await using api = await serveApi({
      'GET /orders': (query) =>
        ++tries === 1 ? { status: 503, headers: { 'retry-after': '0.01' }, text: 'later' } : ordersFrom(query),
    })
    await using files = await tempFolder()
    const manifest = await files.write('manifest.json', manifestOf([stream(api.url, { name: 'orders' })]))

    const ran = await runCli(['read', '--manifest-path', manifest])

    assert.equal(ran.code, 0)
    assert.match(ran.stdout, /"level":"WARN","message":"Stream \\"orders\\": try 1 of 6 failed, next in 0\.1 s\. .*503/)
    assert.equal(recordsIn(ran).length, 5)
  })

  const faults: [string, Record<string, unknown>, string[], RegExp][] = [
    [
      'a config that is missing a value',
      { 'c.json': {} },
      ['--config', 'c.json'],
      /^plan\/missing-config: .*`key` is missing/,
    ],
    [
      'a config file that is not there',
      {},
      ['--config', 'no.json'],
      /^cli\/file: Cannot read the config .*no\.json: it does not exist/,
    ],
    [
      'a config with broken JSON',
      { 'c.json': '{\n "key": "top-secret",,\n}' },
      ['--config', 'c.json'],
      /^plan\/invalid-config: [^]*c\.json:2:/,
    ],
    ['a config that is a list', { 'c.json': [] }, ['--config', 'c.json'], /^plan\/invalid-config: /],
    [
      'a catalog that is none',
      { 'c.json': { key: 'k' }, 'k.json': {} },
      ['--config', 'c.json', '--catalog', 'k.json'],
      /^cli\/arguments: This is not a catalog/,
    ],
    [
      'a state that is none',
      { 'c.json': { key: 'k' }, 's.json': '3' },
      ['--config', 'c.json', '--state', 's.json'],
      /^slices\/invalid-state: /,
    ],
  ]
  for (const [name, contents, args, words] of faults) {
    test(`${name} is reported to the platform and to the user`, async () => {
      await using files = await tempFolder()
      const spec = {
        type: 'Spec',
        connection_specification: {
          type: 'object',
          required: ['key'],
          properties: { key: { type: 'string', airbyte_secret: true } },
        },
      }
      await files.write('manifest.yaml', manifestOf([stream('http://127.0.0.1:1', { name: 'orders' })], { spec }))
      for (const [file, content] of Object.entries(contents)) await files.write(file, content)

      const ran = await runCli(['read', '--manifest-path', 'manifest.yaml', ...args], { cwd: files.folder })

      assert.equal(ran.code, 2, ran.stderr)
      assert.match(ran.stderr, words)
      assert.deepEqual(
        messagesIn(ran).map(({ trace }) => trace?.type),
        ['ERROR'],
      )
      assert.doesNotMatch(ran.stderr + ran.stdout, /top-secret/)
    })
  }

  test('YAML will do for a config', async () => {
    await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query) })
    await using files = await tempFolder()
    const manifest = await files.write('manifest.json', manifestOf([stream("{{ config['url'] }}", { name: 'orders' })]))
    const config = await files.write('config.yaml', `url: ${api.url}\n`)
    assert.equal((await runCli(['read', '--manifest-path', manifest, '--config', config])).code, 0)
  })
})

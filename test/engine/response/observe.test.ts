import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { loadManifest } from '../../../src/connector/load-manifest.ts'
import { openStreamNamed } from '../../../src/engine/streams-of.ts'
import { openNetwork } from '../../../src/engine/response/send.ts'
import { openRunOf, readPagesOf } from '../../../src/read.ts'
import { type Exchange, observe } from '../../../src/engine/response/observe.ts'
import { purposeWords, type ShownExchange, showExchange } from '../../../src/server/test-reads/show-exchange.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { answered, get, never } from './asking.ts'

const records = { type: 'RecordSelector', extractor: { type: 'DpathExtractor', field_path: [] } }

type Watched = { words: string[]; shown: ShownExchange[]; early: ShownExchange[]; failure: unknown }

/** Reads a stream to its end, showing each exchange twice: at once, and when all is known. */
async function watch(streams: object[], config: Record<string, unknown>, name: string): Promise<Watched> {
  const manifest = loadManifest({
    version: '6.0.0',
    type: 'DeclarativeSource',
    check: { type: 'CheckStream', stream_names: [] },
    streams,
    spec: { connection_specification: { properties: { secret: { type: 'string', airbyte_secret: true } } } },
  })
  const exchanges: Exchange[] = []
  const early: ShownExchange[] = []
  const onExchange = (exchange: Exchange) => {
    exchanges.push(exchange)
    early.push(showExchange(exchange, run.redactor))
  }
  const network = observe(openNetwork(), { now: Date.now, onExchange })
  const { run, close } = await openRunOf(manifest, { network, config, retry: { maxRetries: 1 }, sleep: async () => {} })
  let failure: unknown = null
  try {
    for await (const _ of readPagesOf(await openStreamNamed(run, name), { concurrency: 1 })) continue
  } catch (error) {
    failure = error
  }
  await close()
  await network.close()
  return {
    words: exchanges.map(({ purpose }) => purposeWords(purpose)),
    shown: exchanges.map((exchange) => showExchange(exchange, run.redactor)),
    early,
    failure,
  }
}

function stream(name: string, requester: object, retriever: object = {}) {
  return {
    type: 'DeclarativeStream',
    name,
    retriever: {
      type: 'SimpleRetriever',
      record_selector: records,
      requester: { type: 'HttpRequester', ...requester },
      ...retriever,
    },
  }
}

const listOf = (...items: unknown[]) => ({ json: items })

describe('what went over the network', () => {
  test('distinguishes pages from parents, and parents from the tokens that they need', async () => {
    await using api = await serveApi({
      'POST /token': () => ({ json: { access_token: 'tok-SECRET-1', expires_in: 3600, account: 'acct-77' } }),
      'GET /shops': () => listOf({ id: 1 }, { id: 2 }),
      'GET /orders': () => listOf({ id: 7 }),
    })
    const authenticator = {
      type: 'OAuthAuthenticator',
      token_refresh_endpoint: `${api.url}/token`,
      client_id: 'me',
      client_secret: "{{ config['secret'] }}",
      refresh_token: 'refresh-SECRET-2',
    }
    const requester = (path: string) => ({ url_base: api.url, path, authenticator })
    const shops = stream('shops', requester('/shops'))
    const orders = stream('orders', requester('/orders'), {
      partition_router: {
        type: 'SubstreamPartitionRouter',
        parent_stream_configs: [
          { type: 'ParentStreamConfig', stream: shops, parent_key: 'id', partition_field: 'shop' },
        ],
      },
    })
    const { words, shown, early } = await watch([orders], { secret: 'client-SECRET-3' }, 'orders')
    assert.deepEqual(words, ['Access token', 'Parent stream: shops', 'Page', 'Page'])
    assert.deepEqual(shown[0]?.response?.body, '{"access_token":"****","expires_in":3600,"account":"****"}')
    assert.equal(shown[1]?.request.headers.Authorization, '****')
    for (const told of [shown, early]) assert.doesNotMatch(JSON.stringify(told), /SECRET/)
  })

  test('reports every try, including one without a response', async () => {
    let tries = 0
    await using api = await serveApi({
      'GET /orders': () => (tries++ === 0 ? { status: 503, text: 'busy' } : listOf({ id: 1 })),
      'GET /gone': () => ({ raw: (response) => response.destroy() }),
    })
    const { shown } = await watch([stream('orders', { url_base: api.url, path: '/orders' })], {}, 'orders')
    assert.deepEqual(
      shown.map(({ response }) => response?.status),
      [503, 200],
    )
    const gone = await watch([stream('gone', { url_base: api.url, path: '/gone' })], {}, 'gone')
    assert.deepEqual(
      gone.shown.map(({ response }) => response),
      [null, null],
    )
    assert.ok(gone.failure instanceof Error)
  })

  test('keeps what the API wrote to the letter, unless a secret is in it', async () => {
    const body = '{ "id": 12345678901234567890,\n "price": 1.0 }'
    await using api = await serveApi({
      'GET /plain': () => ({ text: body, headers: { 'content-type': 'application/json' } }),
      'GET /echo': () => ({ text: '{ "you": "client-SECRET-3", "id": 12345678901234567890 }' }),
    })
    const open = (path: string) => [stream('one', { url_base: api.url, path })]
    const plain = await watch(open('/plain'), { secret: 'client-SECRET-3' }, 'one')
    assert.equal(plain.shown[0]?.response?.body, body)
    const echo = await watch(open('/echo'), { secret: 'client-SECRET-3' }, 'one')
    assert.equal(echo.shown[0]?.response?.body, '{"you":"****","id":12345678901234567890}')
  })

  test('sees a body that is streamed without holding it up', async () => {
    const lines = Array.from({ length: 2000 }, (_, id) => `{"id":${id}}`).join('\n')
    await using api = await serveApi({
      'GET /lines': () => ({
        raw: (response) => {
          response.setHeader('content-encoding', 'gzip')
          response.end(gzipSync(lines))
        },
      }),
    })
    const one = stream('lines', { url_base: api.url, path: '/lines' }, { decoder: { type: 'JsonlDecoder' } })
    const { shown } = await watch([one], {}, 'lines')
    assert.equal(shown[0]?.response?.body, lines)
    assert.equal(shown[0]?.response?.bytes, lines.length)
  })

  test('cuts what is longer than what is kept or wanted, and says so', async () => {
    await using api = await serveApi({ 'GET /long': () => ({ text: 'x'.repeat(5000) }) })
    const told: Exchange[] = []
    const network = observe(openNetwork(), {
      now: Date.now,
      maxBodyBytes: 1000,
      onExchange: (exchange) => told.push(exchange),
    })
    const request = { method: 'GET', url: `${api.url}/long`, headers: {}, body: null }
    const response = await network.send(request, new AbortController().signal)
    await network.close()
    assert.equal(response.body.length, 5000)
    const redactor = (await openRunOf(loadManifest(nothing), {})).run.redactor
    const shown = (maxChars?: number) => showExchange(told[0] as Exchange, redactor, maxChars).response
    assert.deepEqual([shown()?.body.length, shown()?.bytes, shown()?.isCut], [1000, 5000, true])
    assert.equal(shown(10)?.body, 'x'.repeat(10))
  })
})

const nothing = {
  version: '6.0.0',
  type: 'DeclarativeSource',
  check: { type: 'CheckStream', stream_names: [] },
  streams: [stream('one', { url_base: 'http://127.0.0.1:1', path: '/' })],
}

test('of a body, 16 MiB are kept unless told otherwise; how long it was is known', async () => {
  const most = 16 * 1024 * 1024
  const kept = async (length: number) => {
    const seen: number[] = []
    const network = observe(
      { ...openNetwork(), send: async () => answered(200, new Uint8Array(length)) },
      {
        now: Date.now,
        onExchange: ({ response: answer }) => seen.push(answer?.body().length ?? -1, answer?.bytes() ?? -1),
      },
    )
    await network.send(get('https://api.shop/'), never)
    await network.close()
    return seen
  }
  assert.deepEqual(await kept(most), [most, most])
  assert.deepEqual(await kept(most + 1), [most, most + 1])
})

test('of a streamed body as much is kept, cut within a piece; how long it took is known from its beginning', async () => {
  const chunks = (async function* () {
    for (const text of ['abc', 'def', 'ghi']) yield new TextEncoder().encode(text)
  })()
  const seen: Exchange[] = []
  const moments = [100, 130]
  const network = observe(
    { ...openNetwork(), send: async () => ({ ...answered(200), stream: { chunks, discard() {} } }) },
    {
      now: () => moments.shift() ?? assert.fail('asked too often'),
      onExchange: (exchange) => void seen.push(exchange),
      maxBodyBytes: 5,
    },
  )
  const { stream: body } = await network.send(get('https://api.shop/'), never)
  const [exchange] = seen
  const kept = () => [Buffer.from(exchange?.response?.body() ?? []).toString(), exchange?.response?.bytes()]
  assert.deepEqual([exchange?.askedAt, exchange?.tookMs, ...kept()], [100, 30, '', 0])
  const passed: string[] = []
  for await (const chunk of body?.chunks ?? []) {
    passed.push(Buffer.from(chunk).toString())
    if (passed.length === 2) assert.deepEqual(kept(), ['abcde', 6])
  }
  assert.deepEqual(passed, ['abc', 'def', 'ghi'])
  assert.deepEqual(kept(), ['abcde', 9])
  await network.close()
})

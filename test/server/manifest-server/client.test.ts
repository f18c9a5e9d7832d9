/** A client made from the description of Airbyte's manifest server drives ours, and every response fits that description. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { AxiosResponse } from 'axios'
import { type Document, OpenAPIClientAxios } from 'openapi-client-axios'
import { startApi } from '../start-api.ts'
import { testServices } from '../services.ts'
import { byDay, byOffset, jobStream, manifestOf, oauth, perShop, requester, streamOf } from './manifests.ts'
import { serveShop } from './shop-api.ts'

type Schema = { $ref?: string }
type Description = {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, Answer> }>>
  components: { schemas: Record<string, object> }
}
type Answer = { content: { 'application/json': { schema: Schema } } }

const description = JSON.parse(readFileSync('test/vectors/manifest-server-openapi.json', 'utf8')) as Description
const ajv = new Ajv2020({ strict: false })
ajv.addSchema({ $id: 'description', ...description })

/** What the description says of the response of an operation. */
function schemaOf(operation: string, status: number): ValidateFunction {
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const [method, { operationId, responses }] of Object.entries(methods)) {
      if (operationId !== operation) continue
      assert.ok(String(status) in responses, `${operation} does not know status ${status}`)
      const steps = ['paths', path, method, 'responses', String(status), 'content', 'application/json', 'schema']
      const pointer = steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
      return ajv.compile({ $ref: `description#/${pointer}` })
    }
  }
  throw new Error(`The description has no ${operation}.`)
}

type Named = { manifest: { streams: { name: string; dynamic_stream_name?: string | null }[] } }
type Operation = (parameters: null, body?: unknown) => Promise<AxiosResponse<unknown>>

const services = testServices()
const api = await serveShop()
const server = await startApi({ baseUrl: 'https://turnleaf.example', version: '0.1.0', services })
let client: Record<string, Operation>

before(async () => {
  const made = new OpenAPIClientAxios({
    definition: { ...description, servers: [{ url: server.url }] } as unknown as Document,
    axiosConfigDefaults: { validateStatus: () => true },
  })
  client = (await made.init()) as unknown as Record<string, Operation>
})
after(async () => {
  await api[Symbol.asyncDispose]()
  await server.close()
  services[Symbol.dispose]()
})

/** Calls an operation, and holds its response to the description. */
async function call(operation: string, body?: unknown): Promise<{ status: number; data: unknown }> {
  const { status, data } = await (client[operation] as Operation)(null, body)
  const fits = schemaOf(operation, status)
  assert.ok(fits(data), `${operation} answered ${status} ${JSON.stringify(data)}: ${ajv.errorsText(fits.errors)}`)
  return { status, data }
}

const config = { key: 'client-SECRET', refresh: 'refresh-SECRET' }
const orders = streamOf('orders', requester(api.url, '/orders', { authenticator: oauth(api.url) }), {
  field_path: ['data'],
  retriever: byOffset(3),
  primary_key: ['id'],
})

describe('a client made for the manifest server', () => {
  test('asks for health and capabilities', async () => {
    assert.deepEqual((await call('health_health__get')).data, { status: 'ok' })
    assert.deepEqual((await call('getCapabilities')).data, { custom_code_execution: false })
  })

  const streams = {
    'pages and a token': orders,
    windows: streamOf('days', requester(api.url, '/days'), { incremental_sync: byDay }),
    'a job': jobStream(api.url),
    'an API that refuses': streamOf('denied', requester(api.url, '/denied')),
    'an API that is not there': streamOf('gone', requester('http://127.0.0.1:1', '/')),
  }
  for (const [what, stream] of Object.entries(streams)) {
    test(`reads ${what}`, async () => {
      const { status, data } = await call('testRead', {
        manifest: manifestOf([stream]),
        config,
        stream_name: stream.name,
      })
      assert.equal(status, 200)
      assert.doesNotMatch(JSON.stringify(data), /SECRET/)
    })
  }

  test('checks', async () => {
    assert.deepEqual((await call('check', { manifest: manifestOf([orders]), config })).data, {
      success: true,
      message: null,
    })
    const denied = manifestOf([streamOf('denied', requester(api.url, '/denied'))])
    const { data } = await call('check', { manifest: denied, config })
    const { success, message } = data as { success: boolean; message: string }
    assert.equal(success, false)
    assert.match(message, /403/)
  })

  test('discovers', async () => {
    const { data } = await call('discover', {
      manifest: manifestOf([orders, streamOf('days', requester(api.url, '/days'), { incremental_sync: byDay })]),
      config,
    })
    assert.deepEqual(
      (data as { catalog: { streams: { name: string }[] } }).catalog.streams.map(({ name }) => name),
      ['orders', 'days'],
    )
  })

  test('resolves, and resolves streams that only the API knows', async () => {
    const referring = { ...manifestOf([orders]), streams: [{ $ref: '#/definitions/it' }], definitions: { it: orders } }
    const resolved = await call('resolve', { manifest: referring })
    assert.deepEqual((resolved.data as Named).manifest.streams, [orders])

    const manifest = manifestOf([orders], { dynamic_streams: [perShop(api.url)] })
    const { data } = await call('fullResolve', { manifest, config, stream_limit: 2 })
    assert.deepEqual(
      (data as Named).manifest.streams.map(({ name, dynamic_stream_name: from }) => [name, from]),
      [
        ['orders', null],
        ['shop_a', 'per_shop'],
        ['shop_b', 'per_shop'],
      ],
    )
  })

  const refused: readonly [string, string, object, number][] = [
    ['a manifest that cannot be used', 'testRead', { manifest: { version: '6.0.0' }, config, stream_name: 'x' }, 400],
    ['a stream that is not there', 'testRead', { manifest: manifestOf([orders]), config, stream_name: 'x' }, 400],
    ['a limit out of range', 'testRead', { manifest: {}, config, stream_name: 'x', page_limit: 21 }, 422],
    ['a body that lacks something', 'check', { manifest: {} }, 422],
    ['a manifest that is no object', 'resolve', { manifest: 'version: 6.0.0' }, 422],
    ['a manifest without a check', 'fullResolve', { manifest: { version: '6.0.0', streams: [] }, config }, 400],
    ['an address for a catalog that does not answer', 'discover', { manifest: unreachable(), config }, 400],
  ]
  for (const [what, operation, body, expected] of refused) {
    test(`learns why ${what} is refused, in the shape it expects`, async () => {
      const { status } = await call(operation, body)
      assert.equal(status, expected)
    })
  }
})

function unreachable(): object {
  return manifestOf([orders], { dynamic_streams: [perShop('http://127.0.0.1:1')] })
}

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type Running, ask, startBoth } from './running.ts'

type Operation = {
  operationId: string
  responses: Record<string, { content?: Record<string, { schema: object }>; headers?: object }>
  'x-payment-info'?: object
}
type Description = {
  openapi: string
  info: { version: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}

let running: Running
before(async () => {
  running = await startBoth()
})
after(() => running[Symbol.asyncDispose]())

const textOf = async (origin: string) => (await ask(`${origin}/openapi.json`)).body
const description = async () => JSON.parse(await textOf(running.baseUrl)) as Description

describe("the site's description", () => {
  test('is OpenAPI 3.1.0 with the three operations', async () => {
    const { openapi, info, servers, paths } = await description()
    assert.equal(openapi, '3.1.0')
    assert.equal(info.version, '1.0.0')
    assert.deepEqual(
      servers.map(({ url }) => url),
      [running.baseUrl],
    )
    const operations = Object.entries(paths).map(([path, methods]) => [
      path,
      ...Object.entries(methods).map(([method, { operationId }]) => `${method} ${operationId}`),
    ])
    assert.deepEqual(operations, [
      ['/', 'get getHomepage'],
      ['/.well-known/api-catalog', 'get getApiCatalog'],
      ['/api/x402', 'get x402DiscoveryProbe'],
    ])
  })

  test('prices the probe with exactly four fields', async () => {
    const { paths } = await description()
    assert.deepEqual(paths['/api/x402']?.get?.['x-payment-info'], {
      intent: 'charge',
      method: 'card',
      amount: '0',
      currency: 'USD',
    })
  })

  test('lists just the statuses that are sent, with their types and shapes', async () => {
    const { paths, components } = await description()
    const etag = async (path: string) => String((await ask(running.baseUrl + path)).headers.etag)
    const provoked: [path: string, status: number, headers: Record<string, string>][] = [
      ['/', 200, {}],
      ['/', 200, { Accept: 'text/markdown' }],
      ['/', 304, { 'If-None-Match': await etag('/') }],
      ['/', 406, { Accept: 'application/json' }],
      ['/', 431, { 'X-Long': 'x'.repeat(20_000) }],
      ['/.well-known/api-catalog', 200, {}],
      ['/.well-known/api-catalog', 304, { 'If-None-Match': await etag('/.well-known/api-catalog') }],
      ['/.well-known/api-catalog', 431, { 'X-Long': 'x'.repeat(20_000) }],
      ['/api/x402', 402, {}],
    ]
    for (const [path, status, headers] of provoked) {
      const reply = await ask(running.baseUrl + path, { headers })
      assert.equal(reply.status, status)
      const { content = {} } = paths[path]?.get?.responses[status] ?? assert.fail(`${path} ${status} is not described`)
      const [type = ''] = (reply.headers['content-type'] ?? '').split(';')
      if (status === 304) assert.deepEqual(content, {})
      else assert.ok(type in content, `${path} ${status} ${type}`)
      if (!type.endsWith('json')) continue
      const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile({
        ...content[type]?.schema,
        components,
      })
      assert.ok(isValid(JSON.parse(reply.body)), JSON.stringify(isValid.errors))
    }
    for (const [path, { get }] of Object.entries(paths)) {
      const sent = new Set(provoked.filter(([at]) => at === path).map(([, status]) => String(status)))
      assert.deepEqual(new Set(Object.keys(get?.responses ?? {})), sent, path)
    }
  })

  test('is small, and free to read', async () => {
    const reply = await ask(`${running.baseUrl}/openapi.json`)
    assert.equal(reply.status, 200)
    assert.ok(reply.bytes.length < 16_384)
    assert.equal(reply.headers['cache-control'], 'public, max-age=300')
  })
})

describe('both descriptions', () => {
  const origins = { site: () => running.baseUrl, API: () => running.apiUrl }

  for (const [name, origin] of Object.entries(origins)) {
    test(`${name}: @seriousme/openapi-schema-validator finds it valid`, async () => {
      const validator = new Validator()
      assert.deepEqual(await validator.validate(JSON.parse(await textOf(origin())) as Record<string, unknown>), {
        valid: true,
      })
      assert.equal(validator.version, '3.1')
    })
  }

  /** Rules that would make us invent a response: the probe never succeeds, the redirect only redirects. */
  const suppressed = {
    site: ['operation-2xx-response #/paths/~1api~1x402/get/responses'],
    API: ['operation-2xx-response #/paths/~1.well-known~1api-catalog/get/responses'],
  }
  for (const name of ['site', 'API'] as const) {
    test(`${name}: redocly lint has one remark, and we know it`, async () => {
      const config = await createConfig({ extends: ['recommended'] })
      const problems = await lintFromString({ source: await textOf(origins[name]()), config })
      assert.deepEqual(
        problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`),
        suppressed[name],
      )
    })
  }
})

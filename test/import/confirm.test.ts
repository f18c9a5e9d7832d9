/** Proposals against a real API: confirmed, corrected, or "cannot tell", within a limit on requests. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chooseImported } from '../../src/import/choose-streams.ts'
import { confirmStreams } from '../../src/import/confirm/confirm-streams.ts'
import { connectorOf, openDescription } from '../../src/import/import-api.ts'
import { loadManifest, readRecords } from '../../src/index.ts'
import { serveApi, type Handler } from '../helpers/serve-api.ts'

const all = Array.from({ length: 45 }, (_, index) => ({ id: index + 1, name: `n${index + 1}` }))

const byPage: Handler = (query, { headers }) => {
  if (headers.authorization !== 'Bearer secret-token-1') return { status: 401, json: { error: 'no' } }
  const size = Math.min(20, Number(query.get('per_page') ?? 10))
  const page = Number(query.get('page') ?? 1)
  return { json: { data: all.slice((page - 1) * size, page * size), total: all.length } }
}

const byOffset: Handler = (query) => {
  const size = Math.min(20, Number(query.get('limit') ?? 10))
  const offset = Number(query.get('offset') ?? 0)
  return { json: { items: all.slice(offset, offset + size), total: all.length } }
}

function operation(path: string[], parameters: readonly string[]) {
  const list = { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } }
  return {
    get: {
      parameters: parameters.map((name) => ({ name, in: 'query', schema: { type: 'integer' } })),
      responses: {
        200: {
          description: 'ok',
          content: {
            'application/json': {
              schema: path.length === 0 ? list : { type: 'object', properties: { [path[0] ?? '']: list } },
            },
          },
        },
      },
    },
  }
}

const described = (url: string) => ({
  openapi: '3.0.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url }],
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  security: [{ token: [] }],
  paths: {
    '/orders': operation(['data'], ['page', 'per_page']),
    // Described as pages of `data`, and is neither.
    '/people': operation(['data'], ['page', 'size']),
    '/orders/{id}/notes': {
      ...operation([], []),
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
    },
    '/broken': operation(['data'], ['page']),
  },
})

async function serveShop() {
  return serveApi({
    'GET /orders': byPage,
    'GET /people': byOffset,
    'GET /broken': () => ({ status: 403, json: { message: 'forbidden for secret-token-1' } }),
    'GET /orders/1/notes': () => ({ json: all.slice(0, 3) }),
  })
}

const config = { api_token: 'secret-token-1' }

async function confirm(url: string, maxRequests: number) {
  const opened = openDescription('openapi', JSON.stringify(described(url)), null)
  const chosen = chooseImported(opened.streams, {})
  return confirmStreams(opened, chosen, connectorOf(opened, chosen), { config, maxRequests, spacing: 0 })
}

describe('import --confirm', () => {
  test('confirms what is right, corrects what is wrong, and says what it cannot tell', async () => {
    await using api = await serveShop()
    const { manifest, report } = await confirm(api.url, 100)
    assert.deepEqual(
      report.streams.map(({ name, recordPath, pagination }) => [
        name,
        recordPath.join('.'),
        pagination.method,
        pagination.status,
      ]),
      [
        ['orders', 'data', 'page', 'confirmed'],
        ['people', 'items', 'offset', 'corrected'],
        ['orders_notes', '', 'none', 'cannot-tell'],
        ['broken', 'data', 'page', 'cannot-tell'],
      ],
    )
    assert.ok(report.streams.every(({ pagination }) => pagination.evidence.length > 0))
    assert.match(manifest, /# Pagination confirmed by asking the API: Page number from 1/)
    assert.match(manifest, /# Pagination corrected by asking the API: /)
    assert.match(
      manifest,
      /# Pagination not confirmed: Page number from 1 in the query parameter page .*Asked, without an answer/,
    )
    for (const stream of ['orders', 'people']) {
      const ids: unknown[] = []
      for await (const { id } of readRecords(loadManifest(manifest), { stream, config, prefetch: 'off' })) ids.push(id)
      assert.deepEqual(
        ids,
        all.map(({ id }) => id),
        stream,
      )
    }
    assert.ok(!(manifest + JSON.stringify(report)).includes('secret-token-1'))
  })

  test('stays within the limit, and says which streams were not asked', async () => {
    await using api = await serveShop()
    const { report } = await confirm(api.url, 15)
    assert.ok(api.asked.length <= 15, String(api.asked.length))
    assert.equal(report.streams.at(-1)?.pagination.status, 'not-asked')
  })
})

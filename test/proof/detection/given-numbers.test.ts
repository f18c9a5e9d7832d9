/** Numbers of a given address that turn its pages, whatever they are called; and numbers that only look so. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadManifest, readRecords } from '../../../src/index.ts'
import { detect } from '../../../src/proof/detection/detect.ts'
import { collect } from '../../helpers/collect.ts'
import { type Handler, serveApi } from '../../helpers/serve-api.ts'

const all = Array.from({ length: 73 }, (_, index) => ({ id: `r${index}`, name: `user ${index}` }))

const detected = (url: string, more: { json?: unknown } = {}) =>
  detect({ url, ...more }, { spacing: 0, sleep: async () => {} })

async function readWith(manifest: string | null): Promise<unknown[]> {
  assert.ok(manifest)
  return (await collect(readRecords(loadManifest(manifest)))).map(({ id }) => id)
}

const ids = all.map(({ id }) => id)

/** Its parameters are called by no name that anybody knows. */
const german =
  (base: 0 | 1): Handler =>
  (query) => {
    const size = Number(query.get('anzahl') ?? 20)
    const start = (Number(query.get('seite') ?? base) - base) * size
    return { json: { daten: all.slice(start, start + size) } }
  }

describe('a number in the query', () => {
  for (const base of [0, 1] as const) {
    for (const given of ['seite=2&anzahl=20', 'seite=1&anzahl=20', 'anzahl=7&seite=3']) {
      test(`${given} of pages from ${base} is a page number`, async () => {
        await using api = await serveApi({ 'GET /x': german(base) })
        const { candidates, manifest, probes } = await detected(`${api.url}/x?${given}`)
        const { facts, confidence, method } = candidates[0] ?? assert.fail()
        assert.deepEqual([method, confidence, facts.token?.name, facts.firstPage], ['page', 'shown', 'seite', base])
        assert.equal(facts.size?.name, 'anzahl')
        assert.ok(probes.length <= 12)
        assert.deepEqual(await readWith(manifest), ids)
      })
    }
  }

  test('that skips records is an offset', async () => {
    await using api = await serveApi({
      'GET /x': (query) => {
        const start = Number(query.get('ab') ?? 0)
        return { json: all.slice(start, start + Number(query.get('menge') ?? 10)) }
      },
    })
    const { candidates, manifest } = await detected(`${api.url}/x?ab=30&menge=15`)
    const { facts, method } = candidates[0] ?? assert.fail()
    assert.deepEqual([method, facts.token?.name, facts.size?.name], ['offset', 'ab', 'menge'])
    assert.deepEqual(await readWith(manifest), ids)
  })

  test('in a JSON body counts as well', async () => {
    await using api = await serveApi({
      'POST /x': (_query, { body }) => {
        const { seite = 1, anzahl = 20 } = JSON.parse(body) as { seite?: number; anzahl?: number }
        return { json: all.slice((seite - 1) * anzahl, seite * anzahl) }
      },
    })
    const { candidates, manifest } = await detected(`${api.url}/x`, { json: { seite: 2, anzahl: 20, q: 'a' } })
    assert.equal(candidates[0]?.facts.token?.name, 'seite')
    assert.deepEqual(await readWith(manifest), ids)
  })
})

describe('a number that chooses other things is no page', () => {
  const shelf: Handler = (query) => ({
    json: all.map(({ id, name }) => ({ id: `${query.get('shelf') ?? 0}-${id}`, name })).slice(0, 20),
  })
  test('in the query', async () => {
    await using api = await serveApi({ 'GET /x': shelf })
    const { answer, manifest } = await detected(`${api.url}/x?shelf=3`)
    assert.deepEqual([answer, manifest], ['cannot-tell', null])
  })

  test('in the path', async () => {
    await using api = await serveApi({
      '*': (_query, { path }) => ({ json: all.slice(0, 31).map(({ id }) => ({ id: path + id })) }),
    })
    const { answer, candidates } = await detected(`${api.url}/shelves/3`)
    assert.deepEqual([answer, candidates[0]?.confidence], ['not-paginated', 'likely'])
  })
})

describe('a number in the path', () => {
  for (const given of ['1', '2?per_page=10', '4']) {
    test(`/v2/orders/page/${given} is a page number, and a template in the manifest`, async () => {
      await using api = await serveApi({
        '*': (query, { path }) => {
          const page = Number(/^\/v2\/orders\/page\/(\d+)$/.exec(path)?.[1] ?? 0)
          if (page === 0) return { status: 404, json: { error: 'not here' } }
          const size = Math.min(50, Number(query.get('per_page') ?? 20))
          return { json: { orders: all.slice((page - 1) * size, page * size) } }
        },
      })
      const { candidates, manifest } = await detected(`${api.url}/v2/orders/page/${given}`)
      assert.deepEqual([candidates[0]?.method, candidates[0]?.template?.into], ['page', 'path'])
      assert.match(manifest ?? '', /path: "\/orders\/page\/\{\{ next_page_token\['next_page_token'\] \}\}"/)
      assert.deepEqual(await readWith(manifest), ids)
    })
  }
})

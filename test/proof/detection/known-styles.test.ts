/** Styles that standards and well-known servers have: SCIM, PostgREST, lists of links, strict and demanding APIs. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadManifest, readRecords } from '../../../src/index.ts'
import { detect } from '../../../src/proof/detection/detect.ts'
import { collect } from '../../helpers/collect.ts'
import { type Handler, serveApi } from '../../helpers/serve-api.ts'

const all = Array.from({ length: 73 }, (_, index) => ({ id: `r${index}`, name: `user ${index}` }))
const ids = all.map(({ id }) => id)

const detected = (url: string) => detect({ url }, { spacing: 0, sleep: async () => {} })

async function readWith(manifest: string | null): Promise<unknown[]> {
  assert.ok(manifest)
  return (await collect(readRecords(loadManifest(manifest)))).map(({ id }) => id)
}

test('SCIM counts records from 1', async () => {
  await using api = await serveApi({
    'GET /scim/v2/Users': (query) => {
      const start = Math.max(1, Number(query.get('startIndex') ?? 1))
      const Resources = all.slice(start - 1, start - 1 + Math.min(50, Number(query.get('count') ?? 20)))
      const schemas = ['urn:ietf:params:scim:api:messages:2.0:ListResponse']
      return {
        json: { schemas, totalResults: all.length, startIndex: start, itemsPerPage: Resources.length, Resources },
      }
    },
  })
  const { candidates, manifest } = await detected(`${api.url}/scim/v2/Users`)
  const { facts, method, says } = candidates[0] ?? assert.fail()
  assert.deepEqual([method, facts.token?.name, facts.size?.name], ['offset', 'startIndex', 'count'])
  assert.match(says, /first record, from 1, in the query parameter startIndex/)
  assert.deepEqual(await readWith(manifest), ids)
})

for (const unit of ['items ', '']) {
  test(`a Content-Range of "${unit}0-24/73" shows that there is more, and the offset brings it`, async () => {
    await using api = await serveApi({
      'GET /x': (query) => {
        const start = Number(query.get('offset') ?? 0)
        const json = all.slice(start, start + Number(query.get('limit') ?? 25))
        const range = `${unit}${start}-${start + json.length - 1}/${all.length}`
        return { status: json.length < all.length ? 206 : 200, headers: { 'Content-Range': range }, json }
      },
    })
    const { candidates, manifest } = await detected(`${api.url}/x`)
    assert.equal(candidates[0]?.facts.token?.name, 'offset')
    assert.deepEqual(await readWith(manifest), ids)
  })
}

for (const name of ['links', '_links', 'link']) {
  for (const member of ['href', 'url']) {
    test(`${name}: [{ rel: next, ${member} }] is followed to a page that has no such link`, async () => {
      await using api = await serveApi({
        'GET /x': (query) => {
          const at = Number(query.get('k') ?? 0)
          const self = { rel: 'self', [member]: `/x?k=${at}` }
          const next = { rel: 'next', [member]: `/x?k=${at + 20}` }
          return { json: { items: all.slice(at, at + 20), [name]: at + 20 < all.length ? [self, next] : [self] } }
        },
      })
      const { candidates, manifest } = await detected(`${api.url}/x`)
      assert.equal(candidates[0]?.method, 'next-url')
      assert.deepEqual(await readWith(manifest), ids)
    })
  }
}

test('a usual name for the size, and a less usual one for the place', async () => {
  const latest = all.map((row, index) => ({ ...row, id: 500 - index }))
  await using api = await serveApi({
    'GET /x': (query) => {
      const below = Number(query.get('max_id') ?? Infinity)
      const json = latest.filter(({ id }) => id < below).slice(0, Math.min(40, Number(query.get('limit') ?? 20)))
      return { json }
    },
  })
  const { candidates, manifest } = await detected(`${api.url}/x`)
  const { facts, method } = candidates[0] ?? assert.fail()
  assert.deepEqual([method, facts.token?.name, facts.size?.name], ['start-after', 'max_id', 'limit'])
  assert.deepEqual(
    await readWith(manifest),
    latest.map(({ id }) => id),
  )
})

test('a token under another name than it has, at an API that lists its names when it refuses one', async () => {
  await using api = await serveApi({
    'GET /x': (query) => {
      const stranger = [...query.keys()].find((name) => name !== 'max_results' && name !== 'pagination_token')
      const says = `The query parameter [${stranger}] is not one of [max_results,pagination_token]`
      if (stranger !== undefined) return { status: 400, json: { errors: [{ message: says }] } }
      const start = Number(query.get('pagination_token')?.slice(1) ?? 0)
      const data = all.slice(start, start + 20)
      const more = start + 20 < all.length ? { next_token: `t${start + 20}` } : {}
      return { json: { data, meta: { result_count: data.length, ...more } } }
    },
  })
  const { candidates, manifest } = await detected(`${api.url}/x`)
  assert.equal(candidates[0]?.facts.token?.name, 'pagination_token')
  assert.deepEqual(await readWith(manifest), ids)
})

for (const name of ['page', 'offset']) {
  test(`a total that is the size of the page does not show where the end is, by ${name}`, async () => {
    await using api = await serveApi({
      'GET /x': (query) => {
        const value = Number(query.get(name) ?? (name === 'page' ? 1 : 0))
        const start = name === 'page' ? (value - 1) * 20 : value
        const data = all.slice(start, start + 20)
        return { json: { data, total: data.length } }
      },
    })
    const { candidates, manifest } = await detected(`${api.url}/x`)
    assert.match(candidates[0]?.evidence.join('; ') ?? '', /past the end there are no records/)
    assert.deepEqual(await readWith(manifest), ids)
  })
}

/** Counts as its parameters are called. */
const counting =
  ([token, size]: readonly [string, string]): Handler =>
  (query) => {
    const many = Math.min(40, Number(query.get(size) ?? 10))
    const isPage = /page/i.test(token)
    const value = Number(query.get(token) ?? (isPage ? 1 : 0))
    const start = isPage ? (value - 1) * many : value
    return { json: { data: all.slice(start, start + many) } }
  }

const usual: readonly (readonly [string, string])[] = [
  ['page', 'per_page'],
  ['offset', 'limit'],
  ['page', 'page_size'],
  ['skip', 'take'],
  ['page_number', 'page_size'],
]

describe('an API that refuses the first name it does not know, and says no more', () => {
  const refusals: readonly [string, (name: string) => string][] = [
    ['names it', (name) => `Unknown parameter ${name}.`],
    ['does not name it', () => 'Bad request.'],
  ]
  for (const names of usual) {
    for (const [how, says] of refusals) {
      test(`${names.join(' and ')}: found within 12 requests where it ${how}`, async () => {
        const answer = counting(names)
        await using api = await serveApi({
          'GET /x': (query, request) => {
            const stranger = [...query.keys()].find((name) => !names.includes(name))
            return stranger === undefined ? answer(query, request) : { status: 400, json: { error: says(stranger) } }
          },
        })
        const { candidates, manifest, probes } = await detected(`${api.url}/x`)
        assert.equal(candidates[0]?.facts.token?.name, names[0])
        assert.ok(probes.length <= 12)
        assert.deepEqual(await readWith(manifest), ids)
      })
    }
  }
})

describe('an API that wants its paging values on every request', () => {
  for (const names of usual.slice(0, 4)) {
    test(`${names.join(' and ')}: sent on the first request too`, async () => {
      const answer = counting(names)
      await using api = await serveApi({
        'GET /x': (query, request) => {
          const missing = names.filter((name) => !query.has(name))
          return missing.length === 0
            ? answer(query, request)
            : { status: 400, json: { error: `Missing required parameters: ${missing.join(', ')}` } }
        },
      })
      const { manifest } = await detected(`${api.url}/x`)
      assert.match(manifest ?? '', /inject_on_first_request: true/)
      assert.deepEqual(await readWith(manifest), ids)
    })
  }
})

describe('a page past the last that is refused', () => {
  const refusing =
    (says: string, total: boolean, count: number): Handler =>
    (query) => {
      const [page, many] = [Number(query.get('page') ?? 1), Math.min(20, Number(query.get('per_page') ?? 10))]
      const data = all.slice(0, count).slice((page - 1) * many, page * many)
      if (data.length === 0) return { status: 404, json: { message: says } }
      return { json: { data, ...(total && { total: count }) } }
    }
  const found = async (handler: Handler) => {
    await using api = await serveApi({ 'GET /x': handler })
    const { manifest } = await detected(`${api.url}/x`)
    return { manifest, read: await readWith(manifest) }
  }

  test('is known by its words, so that a wrong address still fails', async () => {
    const { manifest, read } = await found(refusing('Page 9 is beyond the last page.', false, 60))
    assert.match(manifest ?? '', /"error_message_contains":"is beyond the last page\."/)
    assert.doesNotMatch(manifest ?? '', /http_codes/)
    assert.deepEqual(read, ids.slice(0, 60))
  })

  test('is not known by its status: a read that comes to it fails, with what the API says', async () => {
    await assert.rejects(found(refusing('Not found', false, 60)), /404/)
  })

  test('needs no rule where a short page ends the read', async () => {
    const { manifest, read } = await found(refusing('Not found', true, 73))
    assert.doesNotMatch(manifest ?? '', /error_handler/)
    assert.deepEqual(read, ids)
  })
})

/**
 * Servers as they are found in the field: what no standard foresees, and what a manifest for them must send.
 * Of the words of a refusal, `npm test` tries each with one status or two, `npm run test:proof` with all.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadManifest, readRecords } from '../../../src/index.ts'
import { detect, type DetectOptions } from '../../../src/proof/detection/detect.ts'
import type { DetectionRequest } from '../../../src/proof/detection/detection.ts'
import { collect } from '../../helpers/collect.ts'
import { someOf } from '../../helpers/proof.ts'
import { type Handler, type ServedApi, serveApi } from '../../helpers/serve-api.ts'

const all = Array.from({ length: 73 }, (_, index) => ({ id: 1_000 + index, name: `user ${index}` }))
const ids = all.map(({ id }) => id)

const detected = (url: string, request: Partial<DetectionRequest> = {}, options: DetectOptions = {}) =>
  detect({ url, ...request }, { spacing: 0, sleep: async () => {}, ...options })

async function readWith(manifest: string | null): Promise<unknown[]> {
  assert.ok(manifest)
  return (await collect(readRecords(loadManifest(manifest)))).map(({ id }) => id)
}

/** No parameter is twice in a requested URL. */
function assertOnce({ requests }: ServedApi): void {
  for (const { query } of requests) assert.equal(new Set(query.keys()).size, [...query.keys()].length, query.toString())
}

function assertNoRepeats({ asked, requests }: ServedApi): void {
  const sent = asked.map((line, index) => `${line} ${requests[index]?.body}`)
  assert.deepEqual(
    sent.filter((line, index) => sent.indexOf(line) !== index),
    [],
  )
}

const pageOf = (query: URLSearchParams, base: 0 | 1, usual = 10) => {
  const size = Math.min(50, Number(query.get('per_page') ?? usual))
  const start = (Number(query.get('page') ?? base) - base) * size
  return all.slice(start, start + size)
}

describe('an API that needs its page number on the first request', () => {
  for (const base of [0, 1] as const) {
    for (const says of ['page is required', 'Bad request.']) {
      test(`once a size is named, counting from ${base}, and says "${says}"`, async () => {
        await using api = await serveApi({
          'GET /x': (query) =>
            query.has('per_page') && !query.has('page')
              ? { status: 400, json: { error: says } }
              : { json: { data: pageOf(query, base) } },
        })
        const { manifest, answer, probes } = await detected(`${api.url}/x`)
        assert.equal(answer, 'paginated')
        assertNoRepeats(api)
        assert.ok(probes.length <= 12)
        assert.deepEqual(await readWith(manifest), ids)
      })
    }

    test(`always, counting from ${base}`, async () => {
      await using api = await serveApi({
        'GET /x': (query) =>
          query.has('page')
            ? { json: { data: pageOf(query, base) } }
            : { status: 400, json: { error: 'page is required' } },
      })
      const { manifest } = await detected(`${api.url}/x`)
      assert.match(manifest ?? '', /inject_on_first_request: true/)
      assert.match(manifest ?? '', new RegExp(`start_from_page: ${base}`))
      assert.deepEqual(await readWith(manifest), ids)
    })
  }

  test('in a JSON body', async () => {
    await using api = await serveApi({
      'POST /x': (_query, { body }) => {
        const { page, per_page: size = 10 } = JSON.parse(body) as { page?: number; per_page?: number }
        if (page === undefined) return { status: 422, json: { message: 'page is required' } }
        return { json: { data: all.slice((page - 1) * size, page * size) } }
      },
    })
    const { manifest } = await detected(`${api.url}/x`, { json: { q: 'a' } })
    assert.deepEqual(await readWith(manifest), ids)
  })
})

describe('what a read with the manifest does not confirm is not called exact', () => {
  test('a token that is bound to the size of its page', async () => {
    // Tokens of pages of another size than 10 are refused.
    await using api = await serveApi({
      'GET /x': (query) => {
        const [at, size] = [Number(query.get('cursor') ?? 0), Number(query.get('limit') ?? 10)]
        if (query.has('cursor') && size !== 10) return { status: 400, json: { error: 'Wrong window.' } }
        const next = at + size < all.length ? String(at + size) : null
        return { json: { data: all.slice(at, at + size), next_cursor: next } }
      },
    })
    const { answer, manifest, candidates } = await detected(`${api.url}/x`)
    assert.equal(answer, 'paginated')
    assert.equal(candidates[0]?.facts.size, null)
    assert.deepEqual(await readWith(manifest), ids)
  })

  test('a second page that is refused whatever is tried', async () => {
    let isOver = false
    await using api = await serveApi({
      'GET /x': (query) => {
        isOver ||= query.get('limit') === '100'
        if (query.has('cursor') && isOver) return { status: 403, json: { error: 'The trial is over.' } }
        const at = Number(query.get('cursor') ?? 0)
        return { json: { data: all.slice(at, at + Number(query.get('limit') ?? 10)), next_cursor: String(at + 10) } }
      },
    })
    const { answer, manifest, says } = await detected(`${api.url}/x`)
    assert.deepEqual([answer, manifest], ['cannot-tell', null])
    assert.match(says, /In a read with such a manifest, the request for page 2 fails: 403, The trial is over/)
  })

  test('where no request is left to read with it', async () => {
    await using api = await serveApi({ 'GET /x': (query) => ({ json: { data: pageOf(query, 1) } }) })
    const { answer, manifest, says, candidates } = await detected(`${api.url}/x`, {}, { maxRequests: 4 })
    assert.deepEqual([answer, manifest, candidates[0]?.confidence], ['cannot-tell', null, 'likely'])
    assert.match(says, /No request was left to check this by a read/)
    assert.equal(api.asked.length, 4)
  })

  test('what was read is part of the evidence', async () => {
    await using api = await serveApi({ 'GET /x': (query) => ({ json: { data: pageOf(query, 1) } }) })
    const { candidates } = await detected(`${api.url}/x`)
    assert.match(
      candidates[0]?.evidence.at(-1) ?? '',
      /^read back with this manifest: 73 records in 2 pages, to the end$/,
    )
  })
})

describe('a continue object of several tokens', () => {
  /** As MediaWiki: all members go back, and their names may change on the way. */
  const wiki =
    (isStrict: boolean): Handler =>
    (query) => {
      const at = Number(query.get('cmcontinue') ?? query.get('gcmcontinue') ?? 0)
      const isWhole = query.get('continue') === (at === 0 ? null : '-||')
      if (!isWhole && isStrict) return { status: 400, json: { error: { info: 'Invalid value for continue' } } }
      const start = isWhole ? at : 0
      const size = Number(query.get('cmlimit') ?? 10)
      const name = start + size > 30 ? 'gcmcontinue' : 'cmcontinue'
      const next = { [name]: String(start + size), continue: '-||' }
      return {
        json: {
          batchcomplete: '',
          ...(start + size < all.length && { continue: next }),
          query: { categorymembers: all.slice(start, start + size) },
        },
      }
    }
  for (const isStrict of [true, false]) {
    test(`is sent back whole, ${isStrict ? 'or refused' : 'or the first page comes again'}`, async () => {
      await using api = await serveApi({ 'GET /w/api.php': wiki(isStrict) })
      const url = `${api.url}/w/api.php?action=query&list=categorymembers&cmtitle=Category:A%20%26%20B&cmlimit=20`
      const { answer, recordPath, manifest, says } = await detected(url)
      assert.equal(answer, 'paginated', says)
      assert.deepEqual(recordPath, ['query', 'categorymembers'])
      assert.deepEqual(await readWith(manifest), ids)
      assertOnce(api)
      for (const { query } of api.requests) {
        assert.deepEqual([query.get('action'), query.get('cmtitle')], ['query', 'Category:A & B'])
      }
    })
  }

  test('in responses to a POST gives "cannot tell", and is named', async () => {
    await using api = await serveApi({ 'POST /x': (_query, request) => wiki(true)(new URLSearchParams(), request) })
    const { answer, manifest, says } = await detected(`${api.url}/x`, { json: { q: 'a' } })
    assert.deepEqual([answer, manifest], ['cannot-tell', null])
    assert.match(says, /continue/)
  })
})

describe('a response that changes its shape once it is paged', () => {
  const servers: readonly [string, Handler][] = [
    [
      'a bare list of everything, then an object',
      (query) => (query.has('page') ? { json: { items: pageOf(query, 1), total: all.length } } : { json: all }),
    ],
    [
      'a bare first page, then an object',
      (query) => (query.has('page') ? { json: { items: pageOf(query, 1) } } : { json: all.slice(0, 10) }),
    ],
    [
      'an object, then a bare list',
      (query) => (query.has('page') ? { json: pageOf(query, 1) } : { json: { data: all.slice(0, 10) } }),
    ],
  ]
  for (const [name, handler] of servers) {
    test(name, async () => {
      await using api = await serveApi({ 'GET /x': handler })
      const { answer, manifest, says } = await detected(`${api.url}/x`)
      assert.equal(answer, 'paginated', says)
      assert.match(manifest ?? '', /inject_on_first_request: true/)
      assert.deepEqual(await readWith(manifest), ids)
    })
  }
})

test('everything in the first response, and at most 30 a page: a size that is not given in full is none', async () => {
  await using api = await serveApi({
    'GET /x': (query) => {
      if (!query.has('page') && !query.has('count')) return { json: all }
      const size = Math.min(30, Number(query.get('count') ?? 7))
      const start = (Number(query.get('page') ?? 1) - 1) * size
      return { json: all.slice(start, start + size) }
    },
  })
  const { manifest, says } = await detected(`${api.url}/x`)
  assert.match(says, /30 a page by count/)
  assert.deepEqual(await readWith(manifest), ids)
  // With fewer requests the size is a guess, and a read shows that it is wrong.
  assert.equal((await detected(`${api.url}/x`, {}, { maxRequests: 4 })).manifest, null)
})

describe('_page, _limit, _start', () => {
  const link = (api: () => string, page: number, size: number) =>
    `<${api()}/posts?_page=1&_limit=${size}>; rel="first", <${api()}/posts?_page=${page + 1}&_limit=${size}>; rel="next"`

  test('json-server 0.17: everything without them, a Link header and a count with them', async () => {
    let base = ''
    const handler: Handler = (query) => {
      if (!query.has('_page') && !query.has('_start')) return { json: all }
      const size = Number(query.get('_limit') ?? 10)
      const page = Number(query.get('_page') ?? 1)
      const start = query.has('_start') ? Number(query.get('_start')) : (page - 1) * size
      const isLinked = query.has('_page') && start + size < all.length
      return {
        headers: { 'X-Total-Count': String(all.length), ...(isLinked && { Link: link(() => base, page, size) }) },
        json: all.slice(start, start + size),
      }
    }
    await using api = await serveApi({ 'GET /posts': handler })
    base = api.url
    const { answer, manifest, says } = await detected(`${api.url}/posts`)
    assert.notEqual(answer, 'cannot-tell', says)
    assert.deepEqual(await readWith(manifest), ids)
    const given = await detected(`${api.url}/posts?_page=2&_limit=20`)
    assert.equal(given.answer, 'paginated')
    assert.deepEqual(await readWith(given.manifest), ids)
    assertOnce(api)
  })

  test('json-server 1: pages in an object, the last of them duplicates past the end', async () => {
    const handler: Handler = (query) => {
      if (!query.has('_page')) return { json: all }
      const size = Number(query.get('_per_page') ?? 10)
      const pages = Math.ceil(all.length / size)
      const page = Math.max(1, Math.min(Number(query.get('_page')), pages))
      const next = page < pages ? page + 1 : null
      const data = all.slice((page - 1) * size, page * size)
      return { json: { first: 1, prev: page > 1 ? page - 1 : null, next, last: pages, pages, items: all.length, data } }
    }
    await using api = await serveApi({ 'GET /posts': handler })
    const { answer, manifest, says } = await detected(`${api.url}/posts`)
    assert.notEqual(answer, 'cannot-tell', says)
    assert.deepEqual(await readWith(manifest), ids)
  })
})

describe('a guess that is refused', () => {
  /** As PostgREST: whatever is not reserved is a filter of a column. */
  const postgrest: Handler = (query) => {
    const stranger = [...query.keys()].find((name) => !['offset', 'limit', 'order', 'select'].includes(name))
    if (stranger !== undefined && !['id', 'name'].includes(stranger))
      return { status: 400, json: { code: '42703', message: `column users.${stranger} does not exist` } }
    if (stranger !== undefined)
      return { status: 400, json: { code: 'PGRST100', message: 'failed to parse filter (2)' } }
    const start = Number(query.get('offset') ?? 0)
    const json = all.slice(start, start + Math.min(25, Number(query.get('limit') ?? 25)))
    return { headers: { 'Content-Range': `${start}-${start + json.length - 1}/*` }, json }
  }

  test('does not end the search for a page size', async () => {
    await using api = await serveApi({ 'GET /users': postgrest })
    const { candidates, manifest } = await detected(`${api.url}/users`)
    const { facts } = candidates[0] ?? assert.fail()
    assert.deepEqual([facts.token?.name, facts.size?.name], ['offset', 'limit'])
    assertNoRepeats(api)
    assert.deepEqual(await readWith(manifest), ids)
  })

  test('nor with a cursor', async () => {
    await using api = await serveApi({
      'GET /x': (query) => {
        const stranger = [...query.keys()].find((name) => !['cursor', 'per_page'].includes(name))
        if (stranger !== undefined) return { status: 400, json: { error: `unknown column ${stranger}` } }
        const [at, size] = [Number(query.get('cursor') ?? 0), Math.min(50, Number(query.get('per_page') ?? 10))]
        return { json: { data: all.slice(at, at + size), next_cursor: at + size < 73 ? String(at + size) : null } }
      },
    })
    const { candidates, manifest } = await detected(`${api.url}/x`)
    assert.deepEqual([candidates[0]?.facts.size?.name, candidates[0]?.facts.pageSize], ['per_page', 50])
    assert.deepEqual(await readWith(manifest), ids)
  })
})

describe('variables that a GraphQL query declares', () => {
  type Variables = Readonly<Record<string, number | string | null | undefined>>
  const graphql =
    (answer: (variables: Variables) => unknown, declared: readonly string[]): Handler =>
    (_query, { body }) => {
      const { variables = {} } = JSON.parse(body) as { variables?: Variables }
      const stranger = Object.keys(variables).find((name) => !declared.includes(name))
      if (stranger !== undefined)
        return { json: { errors: [{ message: `Variable "$${stranger}" is not defined.` }], data: null } }
      return { json: answer(variables) }
    }

  test('take the size and the cursor, whatever they are called', async () => {
    const answer = ({ n = 10, c }: Variables) => {
      const at = Number(c ?? 0)
      const end = at + Math.min(50, Number(n))
      const pageInfo = { hasNextPage: end < all.length, endCursor: end < all.length ? String(end) : null }
      return { data: { users: { edges: all.slice(at, end).map((node) => ({ node })), pageInfo } } }
    }
    await using api = await serveApi({ 'POST /graphql': graphql(answer, ['n', 'c']) })
    const query =
      'query($n:Int,$c:String) { users(first: $n, after: $c) { edges { node { id } } pageInfo { hasNextPage endCursor } } }'
    const { candidates, manifest } = await detected(`${api.url}/graphql`, { json: { query } })
    const { facts } = candidates[0] ?? assert.fail()
    assert.deepEqual([facts.token?.name, facts.size?.name], ['variables.c', 'variables.n'])
    assert.deepEqual(await readWith(manifest), ids)
  })

  test('count pages or records, and may be required', async () => {
    const byPage = ({ nr, menge }: Variables) => {
      if (typeof menge !== 'number')
        return { errors: [{ message: 'Variable "$menge" of required type "Int!" was not provided.' }] }
      const page = Number(nr ?? 1)
      return { data: { users: { items: all.slice((page - 1) * menge, page * menge), total: all.length } } }
    }
    await using api = await serveApi({ 'POST /graphql': graphql(byPage, ['nr', 'menge']) })
    const query = 'query Users($nr: Int, $menge: Int!) { users(page: $nr, perPage: $menge) { items { id } total } }'
    const { candidates, manifest } = await detected(`${api.url}/graphql`, { json: { query } })
    const { facts, method } = candidates[0] ?? assert.fail()
    assert.deepEqual([method, facts.token?.name, facts.size?.name], ['page', 'variables.nr', 'variables.menge'])
    assert.deepEqual(await readWith(manifest), ids)
  })

  test('a response of errors is reported in their words', async () => {
    await using api = await serveApi({
      'POST /graphql': () => ({ json: { errors: [{ message: 'Cannot query field "x".' }], data: null } }),
    })
    await assert.rejects(detected(`${api.url}/graphql`, { json: { query: '{ x { id } }' } }), /Cannot query field "x"/)
  })
})

describe('records that are no objects', () => {
  const names = all.map(({ name }) => name)
  const bodies: readonly [string, unknown, RegExp][] = [
    ['strings', names, /^The response is a list of 73 strings\./],
    ['strings in an object', { data: names, total: 400 }, /^At data the response has a list of 73 strings\./],
    ['lists', { columns: [{ name: 'id' }, { name: 'name' }], rows: all.map((one) => Object.values(one)) }, /73 lists/],
    [
      'numbers next to facets',
      {
        items: [1, 2, 3],
        facets: [
          { name: 'a', count: 2 },
          { name: 'b', count: 1 },
        ],
      },
      /3 numbers/,
    ],
    ['several kinds', { results: [{ id: 1 }, null, 'x'] }, /3 items of several kinds/],
  ]
  for (const [name, json, says] of bodies) {
    test(`${name}: reported as what they are, and nothing else is taken for the records`, async () => {
      await using api = await serveApi({ 'GET /x': () => ({ json }) })
      const found = await detected(`${api.url}/x`)
      assert.deepEqual([found.answer, found.manifest], ['cannot-tell', null])
      assert.match(found.says, says)
      assert.match(found.says, /Records must be objects/)
    })
  }

  test('a field that is a list of strings is a field', async () => {
    await using api = await serveApi({ 'GET /me': () => ({ json: { id: 1, name: 'Ann', roles: ['a', 'b'] } }) })
    assert.equal((await detected(`${api.url}/me`)).answer, 'not-paginated')
  })
})

test('whole numbers are integers in the schema, measures are numbers', async () => {
  const rows = Array.from({ length: 12 }, (_, index) => ({
    id: 9_007_199_254_740_991 - index,
    owner: { user_id: index, score: 1 },
    line_ids: [index, 2],
    price: 10,
    ratio: index / 8,
    mixed: index === 3 ? null : index,
  }))
  await using api = await serveApi({ 'GET /x': () => ({ json: { data: rows, total: 12 } }) })
  const { manifest } = await detected(`${api.url}/x`)
  type Schema = { type: unknown; items?: Schema; properties: Record<string, Schema> }
  const [stream] = loadManifest(manifest ?? '').streams as unknown as { schema_loader: { schema: Schema } }[]
  const { properties } = stream?.schema_loader.schema ?? assert.fail()
  const typeOf = (schema: Schema | undefined) => [schema?.type].flat()
  assert.ok(typeOf(properties.id).includes('integer'))
  assert.ok(typeOf(properties.mixed).includes('integer'))
  assert.ok(typeOf(properties.line_ids?.items).includes('integer'))
  assert.ok(typeOf(properties.owner?.properties.user_id).includes('integer'))
  for (const name of ['price', 'ratio']) assert.ok(typeOf(properties[name]).includes('number'), name)
  assert.ok(typeOf(properties.owner?.properties.score).includes('number'))
})

describe('a request that has paging values already', () => {
  const sliced: Handler = (query) => {
    const start = Number(query.get('offset') ?? 0)
    return { json: { data: all.slice(start, start + Math.min(50, Number(query.get('limit') ?? 20))) } }
  }
  for (const given of ['limit=50&offset=0', 'limit=10&offset=30', 'offset=60', 'Limit=10&q=a']) {
    test(`?${given}`, async () => {
      await using api = await serveApi({ 'GET /x': sliced })
      const { manifest, probes } = await detected(`${api.url}/x?${given}`)
      assert.deepEqual(await readWith(manifest), ids)
      assertOnce(api)
      for (const { query } of api.requests.slice(probes.length)) {
        const names = [...query.keys()].map((name) => name.toLowerCase())
        assert.equal(new Set(names).size, names.length, query.toString())
      }
    })
  }

  const searching: Handler = (_query, { body }) => {
    const { from = 0, size = 20 } = JSON.parse(body) as { from?: number; size?: number }
    return { json: { hits: { total: { value: all.length }, hits: all.slice(from, from + Math.min(50, size)) } } }
  }
  for (const paging of [{ from: 0, size: 20 }, { from: 40, size: 10 }, { size: 5 }]) {
    test(`a JSON body with ${JSON.stringify(paging)}`, async () => {
      await using api = await serveApi({ 'POST /x/_search': searching })
      const json = { ...paging, query: { range: { price: { from: 5, size: 1 } } } }
      const { manifest, candidates } = await detected(`${api.url}/x/_search`, { json })
      assert.equal(candidates[0]?.facts.token?.name, 'from')
      assert.deepEqual(await readWith(manifest), ids)
      const sent = api.requests.map(({ body }) => JSON.parse(body) as { query: unknown })
      for (const { query } of sent) assert.deepEqual(query, json.query)
    })
  }

  test('a form', async () => {
    await using api = await serveApi({
      'POST /x': (_query, { body }) => sliced(new URLSearchParams(body), { body } as never),
    })
    const { manifest } = await detected(`${api.url}/x`, { form: { offset: '20', limit: '10', q: 'a' } })
    assert.deepEqual(await readWith(manifest), ids)
  })

  test('a token that is a credential stays', async () => {
    await using api = await serveApi({
      'GET /x': (query, request) =>
        query.get('token') === 's3cret' ? sliced(query, request) : { status: 401, json: { error: 'Who is that?' } },
    })
    const { answer } = await detected(`${api.url}/x?token=s3cret&offset=20`)
    assert.equal(answer, 'paginated')
  })

  test('what was left out is reported', async () => {
    await using api = await serveApi({ 'GET /x': sliced })
    const { candidates } = await detected(`${api.url}/x?limit=10&offset=30`)
    assert.deepEqual(candidates[0]?.without, [{ into: 'request_parameter', path: ['offset'] }])
    assert.match(candidates[0]?.evidence.at(-1) ?? '', /left out of the request as it was given: offset=30/)
  })
})

describe('a page that is refused is the end only where its words say so', () => {
  const many = Array.from({ length: 537 }, (_, index) => ({ id: index + 1, name: `user ${index}` }))

  /** Pages of 100 at most; from `most` records on, and past the end, they are refused. */
  const refusing =
    (by: 'page' | 'offset', { status, says, most }: { status: number; says: string; most: number }): Handler =>
    (query) => {
      const size = Math.min(100, Number(query.get(by === 'page' ? 'per_page' : 'limit') ?? 20))
      const start = by === 'page' ? (Number(query.get('page') ?? 1) - 1) * size : Number(query.get('offset') ?? 0)
      const data = many.slice(0, most).slice(start, start + size)
      return data.length === 0 ? { status, json: { error: { message: says } } } : { json: { data } }
    }

  const limits = [
    'Result window is too large',
    'Result window is too large, from + size must be less than or equal to: [300]',
    'Only the first 300 search results are available',
    'offset must be less than 150',
    'You cannot page past 300 results',
    'Pagination limited to 300 items',
    'page must be less than or equal to 3',
    'Page out of range: the maximum is 3',
    'Page does not exist on your plan',
    'Paging beyond 300 records is not available',
    'offset exceeds 300',
  ]
  const methods = ['page', 'offset'] as const
  const refusals = methods.flatMap((by) =>
    [400, 404, 422].flatMap((status) => limits.map((says) => ({ by, status, says }))),
  )
  for (const { by, status, says } of someOf(refusals)) {
    test(`${by}, ${status}, a limit: ${says}`, async () => {
      await using api = await serveApi({ 'GET /x': refusing(by, { status, says, most: 300 }) })
      const { manifest, candidates } = await detected(`${api.url}/x`)
      assert.doesNotMatch(manifest ?? '', /error_handler/)
      assert.match(candidates[0]?.evidence.join('; ') ?? '', /the API refuses pages past its own limit \(4/)
      await assert.rejects(readWith(manifest), new RegExp(String(status)))
    })
  }

  const vague = [
    [404, 'Bad request'],
    [404, 'Not found'],
    [422, 'Invalid value'],
    [400, 'Invalid page'],
  ] as const
  for (const [status, says] of vague) {
    test(`words that may mean anything are no end: ${status}, ${says}`, async () => {
      await using api = await serveApi({ 'GET /x': refusing('page', { status, says, most: 300 }) })
      const { manifest, candidates } = await detected(`${api.url}/x`)
      assert.doesNotMatch(manifest ?? '', /error_handler/)
      assert.match(candidates[0]?.evidence.join('; ') ?? '', /a read whose last page is full .* fails with/)
      await assert.rejects(readWith(manifest), new RegExp(String(status)))
    })
  }

  test('a page for people that says that it was not found speaks of its address', async () => {
    const handler = refusing('page', { status: 404, says: '', most: 300 })
    await using api = await serveApi({
      'GET /x': async (query, request) => {
        const answer = await handler(query, request)
        const isGone = 'status' in answer && answer.status === 404
        return isGone ? { status: 404, text: '<html><title>Page not found</title></html>' } : answer
      },
    })
    const { manifest } = await detected(`${api.url}/x`)
    assert.doesNotMatch(manifest ?? '', /error_handler/)
  })

  const ends = [
    'Page out of range',
    'Page 99 is out of range.',
    'Invalid page.',
    'There are no more pages',
    'The requested page does not exist',
    'This is beyond the last page',
    'Page not found',
    'That page contains no results',
    'Page exceeds the total number of pages',
    'Offset is past the end',
  ]
  for (const by of ['page', 'offset'] as const) {
    for (const says of ends) {
      test(`${by}, the end: ${says}`, async () => {
        await using api = await serveApi({ 'GET /x': refusing(by, { status: 404, says, most: 300 }) })
        const { manifest } = await detected(`${api.url}/x`)
        assert.doesNotMatch(manifest ?? '', /http_codes/)
        assert.equal((await readWith(manifest)).length, 300)
      })
    }
  }
})

describe('a read that ends where the API says that there is more is not to the end', () => {
  /** One record of each full page is hidden after the page was cut. */
  const hiding =
    (by: 'page' | 'offset'): Handler =>
    (query) => {
      const size = Math.min(20, Number(query.get(by === 'page' ? 'per_page' : 'limit') ?? 10))
      const start = by === 'page' ? (Number(query.get('page') ?? 1) - 1) * size : Number(query.get('offset') ?? 0)
      const data = all.slice(start, start + size).filter(({ id }) => id % 10 !== 7 || id < 1_020)
      return { json: { data, has_more: start + size < all.length } }
    }

  test('pages are then requested until one is empty', async () => {
    await using api = await serveApi({ 'GET /x': hiding('page') })
    const { answer, manifest, candidates, says } = await detected(`${api.url}/x`)
    assert.equal(answer, 'paginated', says)
    assert.doesNotMatch(candidates[0]?.evidence.join('; ') ?? '', /to the end/)
    assert.deepEqual(
      await readWith(manifest),
      ids.filter((id) => id % 10 !== 7 || id < 1_020),
    )
  })

  test('an offset needs full pages, so it is not confirmed', async () => {
    await using api = await serveApi({ 'GET /x': hiding('offset') })
    const { answer, manifest, candidates, says } = await detected(`${api.url}/x`)
    assert.deepEqual([answer, manifest], ['cannot-tell', null], says)
    assert.notEqual(candidates[0]?.confidence, 'shown')
    assert.match(says, /it ends after .* and not at the end/)
  })
})

describe('an API that names another page on every page', () => {
  const servers: readonly [string, (at: number, size: number, url: string) => ReturnType<Handler>][] = [
    [
      'a token that counts on',
      (at, size) => ({ json: { data: all.slice(at, at + size), next_cursor: String(at + size) } }),
    ],
    [
      'a token that stays the same',
      (at, size) => ({
        json: { data: all.slice(at, at + size), next_cursor: String(Math.min(at + size, all.length)) },
      }),
    ],
    [
      'a link in the body',
      (at, size, url) => ({
        json: { data: all.slice(at, at + size), next: `${url}/x?cursor=${at + size}&limit=${size}` },
      }),
    ],
    [
      'a link in a header',
      (at, size, url) => ({
        headers: { Link: `<${url}/x?cursor=${at + size}&limit=${size}>; rel="next"` },
        json: all.slice(at, at + size),
      }),
    ],
  ]
  for (const [name, answer] of servers) {
    test(`${name}: the first page without records is the last`, async () => {
      let url = ''
      await using api = await serveApi({
        'GET /x': (query) => answer(Number(query.get('cursor') ?? 0), Number(query.get('limit') ?? 10), url),
      })
      url = api.url
      const { manifest, says } = await detected(`${api.url}/x`)
      assert.match(manifest ?? '', /last_page_size == 0/, says)
      assert.deepEqual(await readWith(manifest), ids)
    })
  }
})

describe('a parameter that limits the whole read, where the next page is named', () => {
  const many = Array.from({ length: 373 }, (_, index) => ({ id: index, name: `account ${index}` }))
  const served = (isPageSize: boolean): Handler => {
    return (query) => {
      const top = query.get('$top')
      const at = Number(query.get('$skiptoken') ?? 0)
      const size = Number(top ?? 100)
      const hasNext = at + size < many.length && (isPageSize || top === null)
      const kept = top === null ? '' : `$top=${top}&`
      return {
        json: {
          value: many.slice(at, at + size),
          ...(hasNext && { '@odata.nextLink': `/x?${kept}$skiptoken=${at + size}` }),
        },
      }
    }
  }

  test('is not the size of a page', async () => {
    await using api = await serveApi({ 'GET /x': served(false) })
    const { answer, manifest, candidates } = await detected(`${api.url}/x`)
    assert.equal(answer, 'paginated')
    assert.equal(candidates[0]?.facts.size, null)
    assert.deepEqual(
      await readWith(manifest),
      many.map(({ id }) => id),
    )
  })

  test('is the size of a page where smaller pages name the next one', async () => {
    await using api = await serveApi({ 'GET /x': served(true) })
    const { manifest, candidates } = await detected(`${api.url}/x`)
    assert.equal(candidates[0]?.facts.size?.name, '$top')
    assert.deepEqual(
      await readWith(manifest),
      many.map(({ id }) => id),
    )
  })
})

describe('an API that refuses the other parameters on later pages', () => {
  const refused = { status: 400, json: { errors: 'status cannot be passed when page_info is present.' } }
  const pageAt = (at: number) => ({ orders: all.slice(at, at + 10) })
  const hasMore = (at: number) => at + 10 < all.length

  test('in a next link: only the first request has them, and a credential stays', async () => {
    let url = ''
    await using api = await serveApi({
      'GET /x': (query) => {
        const at = query.get('page_info')
        if (query.get('api_key') !== 'sesame-4711') return { status: 401, json: { errors: 'no key' } }
        if (at === null && query.get('status') !== 'it’s open') return { json: { orders: [] } }
        if (at !== null && query.has('status')) return refused
        const next = Number(at ?? 0) + 10
        return {
          json: pageAt(next - 10),
          headers: hasMore(next - 10) ? { Link: `<${url}/x?page_info=${next}>; rel="next"` } : {},
        }
      },
    })
    url = api.url
    const address = `${url}/x?status=${encodeURIComponent('it’s open')}&api_key=sesame-4711`
    const { manifest, candidates, says } = await detected(address)
    assert.deepEqual(candidates[0]?.firstOnly, ['status'], says)
    assert.ok(manifest)
    const config = { api_key: 'sesame-4711' }
    const read = await collect(readRecords(loadManifest(manifest), { config }))
    assert.deepEqual(
      read.map(({ id }) => id),
      ids,
    )
  })

  test('next to a token', async () => {
    await using api = await serveApi({
      'GET /x': (query) => {
        const token = query.get('NextToken')
        if (token !== null && query.size > 1) return refused
        if (token === null && !query.has('CreatedAfter')) return refused
        const at = token === null ? 0 : Number(token.slice(3))
        return { json: { ...pageAt(at), ...(hasMore(at) && { NextToken: `tok${at + 10}` }) } }
      },
    })
    const { manifest, candidates, says } = await detected(`${api.url}/x?CreatedAfter=2020-01-01`)
    assert.deepEqual(candidates[0]?.firstOnly, ['CreatedAfter'], says)
    assert.deepEqual(await readWith(manifest), ids)
  })

  test('a link that takes them keeps them on every request', async () => {
    await using api = await serveApi({
      'GET /x': (query) => {
        const at = Number(query.get('page_info') ?? 0)
        if (query.get('status') !== 'open') return { json: { orders: [] } }
        return { json: { ...pageAt(at), next: hasMore(at) ? `/x?page_info=${at + 10}` : null } }
      },
    })
    const { manifest, candidates } = await detected(`${api.url}/x?status=open`)
    assert.equal(candidates[0]?.firstOnly, undefined)
    assert.deepEqual(await readWith(manifest), ids)
  })
})

describe('GraphQL', () => {
  const variablesIn = (body: string) =>
    (JSON.parse(body) as { variables?: { first?: number; after?: unknown } }).variables ?? {}
  const invalid = { json: { data: null, errors: [{ message: 'invalid cursor' }] } }
  const listed = (serve: (at: number, size: number) => object): Handler => {
    return (_query, { body }) => {
      const { first: size = 10, after = 'c0' } = variablesIn(body)
      if (typeof after !== 'string' || !/^c\d+$/.test(after)) return invalid
      return { json: { data: serve(Number(after.slice(1)), size) } }
    }
  }
  const edgesAt = (at: number, size: number) =>
    all.slice(at, at + size).map((node, index) => ({ cursor: `c${at + index + 1}`, node }))

  for (const [name, info] of [
    ['and a flag', (at: number) => ({ pageInfo: { hasNextPage: at < all.length } })],
    ['and nothing else', () => ({})],
  ] as const) {
    test(`cursors only next to the records, ${name}`, async () => {
      const handler = listed((at, size) => ({ users: { edges: edgesAt(at, size), ...info(at + size) } }))
      await using api = await serveApi({ 'POST /x': handler })
      const query =
        'query($first:Int,$after:String){users(first:$first,after:$after){edges{cursor node{id}} pageInfo{hasNextPage}}}'
      const { manifest, says } = await detected(`${api.url}/x`, { json: { query, variables: {} } })
      assert.match(says, /^The value at data\.users\.edges\.cursor goes into the JSON body at variables\.after/)
      assert.deepEqual(await readWith(manifest), ids)
    })
  }

  test('a cursor next to the records and one at the end: the one at the end', async () => {
    const handler = listed((at, size) => {
      const edges = edgesAt(at, size)
      const pageInfo = { hasNextPage: at + size < all.length, endCursor: edges.at(-1)?.cursor ?? null }
      return { users: { edges, pageInfo } }
    })
    await using api = await serveApi({ 'POST /x': handler })
    const query = 'query($first:Int,$after:String){users(first:$first,after:$after){edges{cursor node{id}}}}'
    const { manifest, says } = await detected(`${api.url}/x`, { json: { query, variables: {} } })
    assert.match(says, /^The value at data\.users\.pageInfo\.endCursor /)
    assert.deepEqual(await readWith(manifest), ids)
  })

  test('what is left of a budget `after` the request is no token', async () => {
    const handler = listed((at, size) => ({
      complexity: { before: 4_999_000, after: 4_998_000 },
      users: { cursor: at + size < all.length ? `c${at + size}` : null, items: all.slice(at, at + size) },
    }))
    await using api = await serveApi({ 'POST /x': handler })
    const query =
      'query($first:Int,$after:String){complexity{before after} users(first:$first,after:$after){cursor items{id}}}'
    const { manifest, says, probes } = await detected(`${api.url}/x`, { json: { query, variables: {} } })
    assert.match(says, /^The value at data\.users\.cursor goes into the JSON body at variables\.after/)
    assert.ok(probes.every(({ why }) => !why.includes('complexity')))
    assert.deepEqual(await readWith(manifest), ids)
  })
})

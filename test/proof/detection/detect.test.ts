/** Detection where it is hard: strict, hostile, empty, slow and secretive APIs. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openNetwork } from '../../../src/engine/response/send.ts'
import { ConnectorError, loadManifest, readRecords } from '../../../src/index.ts'
import { detect, type DetectOptions } from '../../../src/proof/detection/detect.ts'
import type { DetectionRequest } from '../../../src/proof/detection/detection.ts'
import { collect } from '../../helpers/collect.ts'
import { type Answer, type Handler, type ServedApi, serveApi } from '../../helpers/serve-api.ts'

const users = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `user ${index}` }))

function asking(url: string, request: Partial<DetectionRequest> = {}, options: DetectOptions = {}) {
  return detect({ url, ...request }, { spacing: 0, sleep: async () => {}, ...options })
}

async function idsReadWith(manifest: string | null, config = {}): Promise<unknown[]> {
  assert.ok(manifest)
  return (await collect(readRecords(loadManifest(manifest), { config }))).map(({ id }) => id)
}

async function refusal(request: Promise<unknown>): Promise<ConnectorError> {
  const error: unknown = await request.then(
    () => assert.fail('it was answered'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ConnectorError, String(error))
  return error
}

/** `page` from 1 with `per_page`, 10 a page and 50 at most. */
const paged =
  (all: readonly object[], dress: (records: readonly object[]) => unknown = (data) => ({ data })): Handler =>
  (query) => {
    const size = Math.min(Number(query.get('per_page') ?? 10), 50)
    const page = Number(query.get('page') ?? 1)
    return { json: dress(all.slice((page - 1) * size, page * size)) }
  }

describe('where the records are', () => {
  const bodies: readonly [string, (records: readonly object[]) => unknown, readonly string[]][] = [
    ['next to an empty list of errors', (list) => ({ errors: [], users: list }), ['users']],
    ['next to facets that are longer', (list) => ({ facets: users(60), results: list }), ['results']],
    ['in a list of its own', (list) => list, []],
    ['two objects deep', (list) => ({ meta: { tags: ['a'] }, data: { items: list } }), ['data', 'items']],
    ['under an unexpected name', (list) => ({ ok: true, xyzzy: list }), ['xyzzy']],
    [
      'in the nodes of edges',
      (list) => ({ data: { all: { edges: list.map((node) => ({ node })) } } }),
      ['data', 'all', 'edges', '*', 'node'],
    ],
  ]
  for (const [name, dress, path] of bodies) {
    test(name, async () => {
      await using api = await serveApi({ 'GET /v1/users': paged(users(37), dress) })
      const { recordPath, manifest } = await asking(`${api.url}/v1/users`)
      assert.deepEqual(recordPath, path)
      assert.equal(new Set(await idsReadWith(manifest)).size, 37)
    })
  }

  test('one object is one record, and nothing else is asked', async () => {
    await using api = await serveApi({
      'GET /me': () => ({ json: { id: 1, total: 30, page: { name: 'Home' }, next_payment_date: '2027-01-01' } }),
    })
    const { answer, recordPath, manifest } = await asking(`${api.url}/me`)
    assert.deepEqual([answer, recordPath, api.asked.length], ['not-paginated', null, 1])
    assert.deepEqual(await idsReadWith(manifest), [1])
  })

  const unlike: readonly [string, unknown, RegExp][] = [
    ['one that speaks of pages', { data: { a: 1 }, total_pages: 7 }, /total_pages says 7 pages/],
    ['one that says that more follows', { sum: 4, has_more: true }, /has_more says that more follows/],
    ['records by their names', { ann: { age: 4 }, bob: { age: 7 } }, /object of objects/],
    ['a list of names', ['ann', 'bob'], /^The response is a list of 2 strings\. Records must be objects/],
    ['nothing', {}, /no list of objects/],
  ]
  for (const [name, json, says] of unlike) {
    test(`${name}: cannot tell`, async () => {
      await using api = await serveApi({ 'GET /x': () => ({ json }) })
      const found = await asking(`${api.url}/x`)
      assert.deepEqual([found.answer, found.manifest], ['cannot-tell', null])
      assert.match(found.says, says)
    })
  }
})

describe('what is not certain is not claimed', () => {
  const cases: readonly [string, unknown][] = [
    ['an empty list', { data: [] }],
    ['records that are all alike', { data: Array.from({ length: 20 }, () => ({ kind: 'a' })) }],
    ['more that nothing brings', { data: users(20), has_more: true }],
    ['a total that is more than what came', { data: users(20), total: 400 }],
    ['a single record', { data: users(1) }],
  ]
  for (const [name, json] of cases) {
    test(name, async () => {
      await using api = await serveApi({ 'GET /x': () => ({ json }) })
      const { answer, manifest, says } = await asking(`${api.url}/x`)
      assert.deepEqual([answer, manifest], ['cannot-tell', null])
      assert.match(says, /\.$/)
      assert.ok(api.asked.length <= 12)
    })
  }

  test('a list that is just as long as a usual page may be one, with names that were not tried', async () => {
    const zork: Handler = (query) => ({
      json: {
        data: users(57)
          .slice(Number(query.get('zork') ?? 0))
          .slice(0, 20),
      },
    })
    await using api = await serveApi({ 'GET /x': zork, 'GET /odd': () => ({ json: users(57) }) })
    assert.equal((await asking(`${api.url}/x`)).answer, 'cannot-tell')
    assert.equal((await asking(`${api.url}/odd`)).answer, 'not-paginated')
  })

  test('a last page that is full and comes again past the end is found out without a total, too', async () => {
    const clamped: Handler = (query) => {
      const page = Math.min(5, Number(query.get('page') ?? 1))
      return { json: users(50).slice((page - 1) * 10, page * 10) }
    }
    await using api = await serveApi({ 'GET /x': clamped })
    const { answer, says, candidates } = await asking(`${api.url}/x`)
    assert.equal(answer, 'cannot-tell')
    assert.match(says, /is returned again past the end/)
    assert.equal(candidates[0]?.method, 'page')
    assert.ok(api.asked.length <= 12)
  })

  test('names that have an effect no one understands are not taken for no paging', async () => {
    await using api = await serveApi({
      'GET /x': (query) => ({ json: users(query.has('marker') ? 3 : 20).toReversed() }),
    })
    assert.equal((await asking(`${api.url}/x`)).answer, 'cannot-tell')
  })
})

describe('an API that ignores every name', () => {
  type Said = { readonly json: unknown; readonly headers?: Record<string, string>; readonly status?: number }
  const data = users(23)
  const told = async (answer: Said) => {
    await using api = await serveApi({ 'GET /x': () => answer })
    return { ...(await asking(`${api.url}/x`)), url: api.url }
  }

  const claims: readonly [string, Said, RegExp][] = [
    ['total pages', { json: { data, meta: { total_pages: 7 } } }, /meta\.total_pages says 7 pages/],
    ['a total', { json: { data, total: 4_000 } }, /total says 4,000 records/],
    ['a flag', { json: { data, has_more: true } }, /has_more says that more follows/],
    ['a token without a use', { json: { data, next_cursor: 'abc' } }, /next_cursor names a next page/],
    ['a token of another name', { json: { data, continuation: 'abc' } }, /continuation seems to name a next page/],
    ['a link that leads nowhere', { json: { data, next: '/x?zz9=2' } }, /next names a next page/],
    ['a sentence', { json: { data, note: 'Page 1 of 7' } }, /it says "Page 1 of 7"/],
    ['a sentence of records', { json: { data, note: 'Showing 1–23 of 1,319' } }, /it says "1–23 of 1,319"/],
    ['a range', { json: data, headers: { 'Content-Range': 'items 0-22/319' } }, /content-range says 319 records/],
    ['a range without unit', { json: data, headers: { 'Content-Range': '0-22/319' } }, /content-range says 319/],
    ['part of the whole', { json: data, status: 206 }, /206/],
    ['a link to a last page', { json: { data, last: '/x?seite=7' } }, /last links to a last page/],
    ['the same in a header', { json: data, headers: { Link: '</x?seite=7>; rel="last"' } }, /links? to a last page/],
    ['numbers of any name', { json: { data, gesamt: 150, seiten: 7 } }, /150 and 7 next to the records/],
  ]
  for (const [name, answer, says] of claims) {
    test(`and claims more by ${name}: cannot tell`, async () => {
      const found = await told(answer)
      assert.deepEqual([found.answer, found.manifest], ['cannot-tell', null])
      assert.match(found.says, says)
      assert.match(found.says, /Give the URL of a second page/)
    })
  }

  test('and gives as many as a page often has: cannot tell', async () => {
    for (const count of [10, 25, 100]) {
      const found = await told({ json: users(count) })
      assert.equal(found.answer, 'cannot-tell')
      assert.match(found.says, new RegExp(`Exactly ${count} records came`))
    }
  })

  test('and gives another number: most likely not paginated, and the names are listed', async () => {
    const { answer, says, candidates } = await told({ json: { data } })
    assert.deepEqual([answer, candidates[0]?.confidence], ['not-paginated', 'likely'])
    assert.match(says, /^Most likely not paginated/)
    assert.match(candidates[0]?.evidence[0] ?? '', /^Without effect: .* and \d+ others$/)
  })

  const ends: readonly [string, unknown][] = [
    ['a total', { data: users(20), total: 20 }],
    ['a flag', { data: users(20), has_more: false }],
    ['one page', { data: users(20), total_pages: 1 }],
    ['no next page', { data: users(20), next: null }],
  ]
  for (const [name, json] of ends) {
    test(`and says by ${name} that this is all: shown to be not paginated`, async () => {
      const { answer, candidates, manifest } = await told({ json })
      assert.deepEqual([answer, candidates[0]?.confidence], ['not-paginated', 'shown'])
      assert.match(manifest ?? '', /One request brings everything/)
    })
  }
})

describe('requests are few and polite', () => {
  test('no more than allowed, one after the other, spaced, each listed', async () => {
    let open = 0
    await using api = await serveApi({
      '*': async () => {
        assert.equal(++open, 1)
        await Promise.resolve()
        open--
        return { json: users(30) }
      },
    })
    const waits: number[] = []
    const seen: string[] = []
    const { probes } = await asking(
      `${api.url}/x`,
      {},
      {
        maxRequests: 2,
        spacing: 70,
        sleep: async (ms) => void waits.push(ms),
        onProbe: ({ url }) => seen.push(url),
      },
    )
    assert.equal(api.asked.length, 2)
    assert.deepEqual(
      probes.map(({ url }) => url),
      seen,
    )
    assert.deepEqual(waits, [70])
  })

  test('a Retry-After is waited for, and its request counts', async () => {
    let isFirst = true
    const answer = paged(users(30))
    await using api = await serveApi({
      'GET /x': (query, request) => {
        if (!isFirst) return answer(query, request)
        isFirst = false
        return { status: 429, headers: { 'retry-after': '7' }, json: {} }
      },
    })
    const waits: number[] = []
    const found = await asking(`${api.url}/x`, {}, { sleep: async (ms) => void waits.push(ms) })
    assert.equal(found.answer, 'paginated')
    assert.equal(found.probes.length, api.asked.length)
    assert.ok(waits.includes(7_000))
  })

  test('one that asks to wait for an hour is not waited for', async () => {
    await using api = await serveApi({
      'GET /x': () => ({ status: 429, headers: { 'retry-after': '3600' }, json: {} }),
    })
    const error = await refusal(asking(`${api.url}/x`))
    assert.deepEqual([error.code, api.asked.length], ['detection/refused', 1])
  })

  for (const [name, trouble] of [
    ['is reset', { raw: (response) => void response.socket?.resetAndDestroy() }],
    ['gets 503', { status: 503, text: 'busy' }],
  ] as const satisfies readonly (readonly [string, Answer])[]) {
    for (const place of [1, 2, 3, 4]) {
      test(`request ${place} ${name}: it is sent again, and counts`, async () => {
        const answer = paged(users(30))
        let requests = 0
        await using api = await serveApi({
          'GET /x': (query, request) => (++requests === place ? trouble : answer(query, request)),
        })
        await using healthy = await serveApi({ 'GET /x': answer })
        const found = await asking(`${api.url}/x`)
        const usual = await asking(`${healthy.url}/x`)
        assert.equal(found.manifest?.replaceAll(api.url, healthy.url), usual.manifest)
        assert.equal(found.probes.length, usual.probes.length + 1)
        assert.match(found.probes[place - 1]?.saw ?? '', /^sent again: /)
        assert.equal(api.asked[place], api.asked[place - 1])
      })
    }
  }

  test('one that stays in trouble is asked twice', async () => {
    await using api = await serveApi({ 'GET /x': () => ({ status: 503, text: 'busy' }) })
    const error = await refusal(asking(`${api.url}/x`))
    assert.deepEqual([error.code, api.asked.length], ['detection/refused', 2])
  })

  test('it can be cancelled while it waits, and ends at once', async () => {
    const cancel = new AbortController()
    await using api = await serveApi({ 'GET /x': paged(users(30)) })
    const sleep = async () => {
      cancel.abort(new Error('enough'))
      throw cancel.signal.reason
    }
    const error = await refusal(asking(`${api.url}/x`, {}, { signal: cancel.signal, sleep }))
    assert.deepEqual([error.code, api.asked.length], ['response/aborted', 1])
  })

  test('it can be cancelled between two requests', async () => {
    const cancel = new AbortController()
    await using api = await serveApi({ 'GET /x': paged(users(30)) })
    const error = await refusal(asking(`${api.url}/x`, {}, { signal: cancel.signal, onProbe: () => cancel.abort() }))
    assert.deepEqual([error.code, api.asked.length], ['response/aborted', 1])
  })
})

describe('an API that refuses', () => {
  const cases: readonly [string, ReturnType<Handler>, string][] = [
    ['401', { status: 401, json: { error: 'no' } }, 'detection/unauthorized'],
    ['403', { status: 403, json: { error: 'no' } }, 'detection/unauthorized'],
    ['404', { status: 404, text: 'nothing' }, 'detection/refused'],
    ['500', { status: 500, text: 'oh' }, 'detection/refused'],
    ['an HTML page', { headers: { 'content-type': 'text/html' }, text: '<!doctype html><p>Hi' }, 'detection/not-json'],
    ['JSON that ends in the middle', { text: '{"data": [1, 2' }, 'detection/not-json'],
    [
      'a single line of JSON Lines',
      { headers: { 'content-type': 'application/x-ndjson' }, text: '{"id":1}\n' },
      'detection/not-json',
    ],
    [
      'a redirect elsewhere',
      { status: 302, headers: { location: 'https://elsewhere.example/x?k=1' } },
      'detection/moved',
    ],
    ['a broken connection', { raw: (response) => void response.destroy() }, 'detection/no-answer'],
  ]
  test('CSV and XML: the hint names the decoder', async () => {
    await using api = await serveApi({
      'GET /csv': () => ({ headers: { 'content-type': 'text/csv' }, text: 'id\n1\n' }),
      'GET /xml': () => ({ headers: { 'content-type': 'application/xml' }, text: '<a><b/></a>' }),
    })
    for (const [path, decoder] of [
      ['csv', 'CsvDecoder'],
      ['xml', 'XmlDecoder'],
    ] as const) {
      const error = await refusal(asking(`${api.url}/${path}`))
      assert.match(error.message, new RegExp(`with ${path}, not JSON`, 'i'))
      assert.ok(error.hint.includes(`\`decoder: { type: ${decoder} }\``), error.hint)
    }
  })
  for (const [name, answer, code] of cases) {
    test(`${name}: ${code}`, async () => {
      await using api = await serveApi({ '*': () => answer })
      const error = await refusal(asking(`${api.url}/x`))
      assert.equal(error.code, code)
      assert.ok(error.hint.length > 0)
    })
  }

  test('one that is silent is left within its time limit', async () => {
    await using api = await serveApi({ '*': () => ({ raw: () => {} }) })
    const network = openNetwork({ limits: { headersMs: 60, totalMs: 80 } })
    try {
      assert.equal((await refusal(asking(`${api.url}/x`, {}, { network }))).code, 'detection/no-answer')
    } finally {
      await network.close()
    }
  })

  test('an address that is none is reported before anything is asked', async () => {
    assert.equal((await refusal(asking('ftp://x.example/'))).code, 'detection/invalid-url')
  })
})

describe('a strict API', () => {
  const strict =
    (known: readonly string[], says: (name: string) => string, answer: Handler): Handler =>
    (query, request) => {
      const stranger = [...query.keys()].find((name) => !known.includes(name))
      return stranger === undefined ? answer(query, request) : { status: 422, json: { message: says(stranger) } }
    }

  test('that lists what it knows is asked with those names', async () => {
    const says = (name: string) => `Unknown parameter ${name}. Allowed parameters: page, per_page.`
    await using api = await serveApi({ 'GET /x': strict(['page', 'per_page'], says, paged(users(37))) })
    const { candidates, manifest } = await asking(`${api.url}/x`)
    assert.equal(candidates[0]?.facts.token?.name, 'page')
    assert.equal((await idsReadWith(manifest)).length, 37)
  })

  test('that wants a page from the first request on gets one, in the manifest too', async () => {
    const answer = paged(users(37))
    await using api = await serveApi({
      'GET /x': (query, request) =>
        query.has('page') ? answer(query, request) : { status: 400, json: { error: 'page is required' } },
    })
    const { manifest } = await asking(`${api.url}/x`)
    assert.match(manifest ?? '', /inject_on_first_request: true/)
    assert.equal((await idsReadWith(manifest)).length, 37)
  })

  test('that refuses a page past the last is read to the end of a full one', async () => {
    const answer = paged(users(100))
    await using api = await serveApi({
      'GET /x': (query, request) => {
        const page = Number(query.get('page') ?? 1)
        const size = Math.min(Number(query.get('per_page') ?? 10), 50)
        return (page - 1) * size >= 100 ? { status: 404, json: { error: 'no such page' } } : answer(query, request)
      },
    })
    const { manifest } = await asking(`${api.url}/x`)
    assert.equal((await idsReadWith(manifest)).length, 100)
  })
})

test('the size is what the API gives, not what is requested', async () => {
  await using api = await serveApi({ 'GET /x': paged(users(120)) })
  const { candidates, manifest } = await asking(`${api.url}/x`)
  const { facts } = candidates[0] ?? assert.fail()
  assert.deepEqual([facts.pageSize, facts.size?.name], [50, 'per_page'])
  assert.equal((await idsReadWith(manifest)).length, 120)
})

test('long ids keep every digit on their way into a request', async () => {
  const base = 9_007_199_254_740_993n
  const ids = Array.from({ length: 25 }, (_, index) => String(base + BigInt(index) * 2n))
  const text = (some: readonly string[], more: boolean) =>
    `{"data": [${some.map((id) => `{"id": ${id}}`).join(',')}], "has_more": ${more}}`
  await using api = await serveApi({
    'GET /x': (query) => {
      const after = query.get('starting_after')
      const at = after === null ? 0 : ids.indexOf(after) + 1
      if (after !== null && at === 0) return { status: 400, json: { error: 'no such id' } }
      const end = at + Number(query.get('limit') ?? 10)
      return { headers: { 'content-type': 'application/json' }, text: text(ids.slice(at, end), end < ids.length) }
    },
  })
  const { candidates, manifest } = await asking(`${api.url}/x`)
  assert.equal(candidates[0]?.method, 'start-after')
  assert.deepEqual((await idsReadWith(manifest)).map(String), ids)
})

describe('secrets', () => {
  const secrets = ['s3cr3t-bearer-value', 'k3y-in-the-query', 'p4ss-in-the-body']
  const guarded =
    (answer: Handler): Handler =>
    (query, request) => {
      const isKnown = request.headers.authorization === `Bearer ${secrets[0]}` && query.get('api_key') === secrets[1]
      return isKnown ? answer(query, request) : { status: 401, json: { error: `not ${query.get('api_key')}` } }
    }

  async function found(api: ServedApi) {
    return asking(`${api.url}/x?api_key=${secrets[1]}`, {
      headers: { Authorization: `Bearer ${secrets[0]}` },
      json: { password: secrets[2], filter: 'a' },
    })
  }

  test('become inputs, and are in no output', async () => {
    await using api = await serveApi({ 'POST /x': guarded(paged(users(37))) })
    const detection = await found(api)
    assert.equal(detection.answer, 'paginated')
    for (const secret of secrets) assert.ok(!JSON.stringify(detection).includes(secret), secret)
    const config = { api_token: secrets[0], api_key: secrets[1], password: secrets[2] }
    assert.equal((await idsReadWith(detection.manifest, config)).length, 37)
  })

  test('are not in an error that quotes them', async () => {
    await using api = await serveApi({
      'POST /x': () => ({ status: 401, json: { error: `${secrets.join(' ')} are wrong` } }),
    })
    const error = await refusal(found(api))
    for (const secret of secrets) assert.ok(!`${error.message} ${error.hint} ${String(error.cause)}`.includes(secret))
  })

  test('of the links that an API gives out are hidden, too', async () => {
    await using api = await serveApi({
      'GET /x': (query) => {
        const at = Number(query.get('start_key') ?? 0)
        const next = `${api.url}/x?start_key=${at + 20}&api_key=0f-the-l1nk&token=als0-0f-the-link`
        return { json: { data: users(45).slice(at, at + 20), next: at + 20 < 45 ? next : null } }
      },
    })
    const detection = await asking(`${api.url}/x`)
    assert.equal(detection.answer, 'paginated')
    assert.ok(api.asked.some((line) => line.includes('0f-the-l1nk')))
    assert.ok(!/0f-the-l/.test(JSON.stringify(detection)))
    assert.match(detection.probes[1]?.url ?? '', /\?start_key=20&api_key=\*{4}&token=\*{4}$/)
  })

  test('stay where they are while places for a cursor are tried', async () => {
    await using api = await serveApi({
      'POST /x': (_, request) => {
        const body = JSON.parse(request.body) as { token?: string; cursor?: string }
        if (body.token !== secrets[2]) return { status: 401, json: { error: 'Who is that?' } }
        const at = Number(body.cursor ?? 0)
        return { json: { data: users(45).slice(at, at + 20), next_token: at + 20 < 45 ? String(at + 20) : null } }
      },
    })
    const { answer, probes } = await asking(`${api.url}/x`, { json: { token: secrets[2] } })
    assert.equal(answer, 'paginated')
    assert.ok(probes.every(({ status }) => status === 200))
  })

  test('do not follow a next link to another host', async () => {
    await using elsewhere = await serveApi({ '*': () => ({ json: { data: users(40).slice(20), next: null } }) })
    await using api = await serveApi({
      'GET /x': () => ({ json: { data: users(20), next: `${elsewhere.url}/x?cursor=2` } }),
    })
    const { answer } = await asking(`${api.url}/x?api_key=${secrets[1]}`, {
      headers: { 'X-Api-Key': secrets[0] as string },
    })
    assert.equal(answer, 'paginated')
    assert.ok(elsewhere.requests.length > 0)
    for (const { headers, query } of elsewhere.requests) {
      assert.deepEqual([headers['x-api-key'], query.get('api_key')], [undefined, null])
    }
  })
})

test('names with quotes, line ends and templates in them make a manifest that is one', async () => {
  const name = `next"'\n{{ 1 }}# cursor`
  await using api = await serveApi({
    'GET /x': (query) => {
      const at = Number(query.get('cursor') ?? 0)
      return { json: { data: users(45).slice(at, at + 20), [name]: at + 20 < 45 ? String(at + 20) : null } }
    },
  })
  const { manifest, answer } = await asking(`${api.url}/x`)
  assert.equal(answer, 'paginated')
  assert.equal((await idsReadWith(manifest)).length, 45)
})

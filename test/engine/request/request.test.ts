/** Where every value goes, and what happens when two want the same place. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, LongDecimal, planStream } from '../../../src/index.ts'
import { requestedSize } from '../../../src/engine/pagination/next-page.ts'
import type { PageToken } from '../../../src/engine/request/page-token.ts'
import { pagedValues } from '../../../src/engine/request/placement.ts'
import { buildRequest, type RequestInput } from '../../../src/engine/request/request.ts'
import { cursorPaginator, manifestOf, offsetPaginator, option, type StreamParts } from '../../helpers/manifests.ts'

function request(parts: StreamParts, token: PageToken | null = null, config: Record<string, unknown> = {}) {
  const stream = planStream(loadManifest(manifestOf(parts)), 'items', config)
  const slice = { partition: {}, window: {} }
  return buildRequest({
    ...stream,
    config,
    slice,
    token,
    placed: pagedValues(stream.pagination, token, requestedSize(stream.pagination, null)),
    trustedOrigins: [],
  })
}

const offsetInto = (token: unknown, size: unknown) =>
  offsetPaginator({ page_size: 3 }, { page_token_option: token, page_size_option: size })

test('placement: query', () => {
  const { url } = request({ paginator: offsetPaginator() }, { value: 6 })
  assert.equal(url, 'https://api.test/v1/items?offset=6&limit=3')
})

test('placement: header', () => {
  const { headers } = request(
    { paginator: offsetInto(option('header', 'X-Offset'), option('header', 'X-Limit')) },
    { value: 6 },
  )
  assert.deepEqual({ ...headers }, { 'X-Offset': '6', 'X-Limit': '3' })
})

test('placement: JSON body by name and by nested path, merged with the author’s own', () => {
  const paginator = offsetInto(option('body_json', ['page', 'from']), option('body_json', 'size'))
  const { body, headers } = request(
    { requester: { http_method: 'POST', request_body_json: { page: { sort: 'id' } } }, paginator },
    { value: 6 },
  )
  assert.deepEqual(JSON.parse(body ?? ''), { page: { sort: 'id', from: 6 }, size: 3 })
  assert.equal(headers['Content-Type'], 'application/json')
})

test('placement: form body', () => {
  const paginator = offsetInto(option('body_data', 'from'), option('body_data', 'size'))
  const { body, headers } = request(
    { requester: { http_method: 'POST', request_body_data: { q: 'a b' } }, paginator },
    { value: 6 },
  )
  assert.equal(body, 'q=a+b&from=6&size=3')
  assert.equal(headers['Content-Type'], 'application/x-www-form-urlencoded')
})

test('placement: path takes the whole address; the link’s own parameters win', () => {
  const parts = {
    requester: { request_parameters: { limit: '10', lang: 'de' } },
    paginator: cursorPaginator('{{ response.next }}', undefined, { page_token_option: { type: 'RequestPath' } }),
  }
  const token = { value: '?page=2', url: 'https://api.test/v1/items?page=2&limit=3' }
  assert.equal(request(parts, token).url, 'https://api.test/v1/items?page=2&limit=3&lang=de')
  assert.equal(request(parts).url, 'https://api.test/v1/items?limit=10&lang=de')
})

test('next_page_token in every generic place', () => {
  const token = "{{ next_page_token['next_page_token'] if next_page_token else 'first' }}"
  const requester = {
    path: `/items/${token}`,
    http_method: 'POST',
    request_parameters: { range: "{{ next_page_token['next_page_token'] or '0' }},50" },
    request_headers: { 'X-Page': token },
    request_body_json: { page: token },
  }
  const paginator = { pagination_strategy: { type: 'PageIncrement', page_size: 50 } }
  const first = request({ requester, paginator })
  assert.equal(first.url, 'https://api.test/v1/items/first?range=0%2C50')
  const next = request({ requester, paginator }, { value: 2 })
  assert.equal(next.url, 'https://api.test/v1/items/2?range=2%2C50')
  assert.equal(next.headers['X-Page'], '2')
  assert.equal(next.body, '{"page": 2}')
})

const url = 'https://api.test/v1'
const bases: [base: string, path: string | undefined, expected: string][] = [
  [url, '/items', `${url}/items`],
  [`${url}/`, 'items', `${url}/items`],
  [url, '', url],
  [url, undefined, url],
  [url, '//items', `${url}/items`],
  [url, 'a b', `${url}/a%20b`],
  [url, 'é', `${url}/%C3%A9`],
  [url, 'items?x=1', `${url}/items?x=1`],
  ['https://api.test//v1', 'items', `${url}/items`],
  [url, 'https://other.test/x', 'https://other.test/x'],
]
for (const [base, path, expected] of bases) {
  test(`address: ${base} + ${path} → ${expected}`, () => {
    const requester = path === undefined ? { path: undefined } : { path }
    assert.equal(
      request({
        url: base,
        requester: JSON.parse(JSON.stringify(requester)) as object & Record<string, unknown>,
      }).url.replace(/\/items$/, path === undefined ? '' : '/items'),
      expected,
    )
  })
}

test('address: the newer `url` field', () => {
  const { url_base: _old, ...requester } = { url_base: '', url: '{{ config.base }}/items' }
  const manifest = manifestOf({ requester }) as { streams: { retriever: { requester: Record<string, unknown> } }[] }
  delete manifest.streams[0]?.retriever.requester.url_base
  delete manifest.streams[0]?.retriever.requester.path
  const config = { base: url }
  const stream = planStream(loadManifest(manifest), 'items', config)
  assert.equal(
    buildRequest({
      ...stream,
      config,
      slice: { partition: {}, window: {} },
      token: null,
      placed: [],
      trustedOrigins: [],
    }).url,
    `${url}/items`,
  )
})

test('the home of a link is where the stream lives', () => {
  const paginator = cursorPaginator('{{ response.next }}', undefined, { page_token_option: { type: 'RequestPath' } })
  const token = { value: 'x', url: 'https://elsewhere.test/x' }
  assert.equal(request({ paginator }, token).home, `${url}/items`)
  assert.equal(request({ paginator }).home, `${url}/items`)
})

test('an address that is none is a typed error', () => {
  assert.throws(() => request({ url: 'not an address' }), { code: 'request/invalid-url' })
  assert.throws(() => request({ url: 'ftp://files.test' }), { code: 'request/invalid-url' })
})

const rate = new LongDecimal('0.12345678901234567891')
const values: [name: string, parameters: Record<string, unknown>, query: string][] = [
  ['a list repeats its name', { a: "{{ ['x', 'y z'] }}" }, 'a=x&a=y+z'],
  ['a list in a list repeats it, too', { a: "{{ ['x', 'y', 'z'] | batch(2) | list }}" }, 'a=x&a=y&a=z'],
  ['an empty value is left out', { a: "{{ '' }}", b: '1' }, 'b=1'],
  ['a missing value is left out', { a: '{{ config.nope }}', b: '1' }, 'b=1'],
  ['a long decimal is sent as a float', { a: '{{ config.rate }}' }, 'a=0.12345678901234568'],
  ['numbers keep their text', { a: '1.0', b: '007', c: '{{ 2.0 }}' }, 'a=1.0&b=007&c=2.0'],
  ['booleans are Python’s', { a: '{{ true }}' }, 'a=True'],
  ['reserved characters are encoded', { 'a[]': 'é&=+/?%20' }, 'a%5B%5D=%C3%A9%26%3D%2B%2F%3F%2520'],
  ['names are templates', { '{{ config.key }}': 'v' }, 'k=v'],
]
for (const [name, request_parameters, query] of values) {
  test(`query: ${name}`, () => {
    assert.equal(request({ requester: { request_parameters } }, null, { key: 'k', rate }).url, `${url}/items?${query}`)
  })
}

const collisions: [name: string, parts: StreamParts, words: RegExp][] = [
  [
    'own parameter and page size',
    { requester: { request_parameters: { limit: '3' } }, paginator: offsetPaginator() },
    /request_parameters and page_size_option/,
  ],
  [
    'own header and token',
    {
      requester: { request_headers: { 'X-O': '1' } },
      paginator: offsetInto(option('header', 'X-O'), option('header', 'X-L')),
    },
    /request_headers and page_token_option/,
  ],
  [
    'authenticator and page size',
    {
      requester: {
        authenticator: {
          type: 'ApiKeyAuthenticator',
          api_token: 'k',
          inject_into: option('request_parameter', 'limit'),
        },
      },
      paginator: offsetPaginator(),
    },
    /authenticator and page_size_option/,
  ],
  [
    'JSON leaves that differ',
    {
      requester: { http_method: 'POST', request_body_json: { limit: 5 } },
      paginator: offsetInto(option('request_parameter', 'o'), option('body_json', 'limit')),
    },
    /request body and page_size_option/,
  ],
  [
    'own header and bearer',
    {
      requester: {
        request_headers: { Authorization: 'x' },
        authenticator: { type: 'BearerAuthenticator', api_token: 'k' },
      },
    },
    /request_headers and authenticator/,
  ],
]
for (const [name, parts, words] of collisions) {
  test(`collision: ${name}`, () => {
    assert.throws(
      () => request(parts, { value: 3 }),
      (error: Error & { code: string }) => error.code === 'request/option-collision' && words.test(error.message),
    )
  })
}

test('equal JSON leaves do not collide', () => {
  const parts = {
    requester: { http_method: 'POST', request_body_json: { limit: 3 } },
    paginator: offsetInto(option('request_parameter', 'o'), option('body_json', 'limit')),
  }
  assert.equal(request(parts).body, '{"limit": 3}')
})

test('a JSON body has a long decimal as a float, as Python writes it', () => {
  const requester = { http_method: 'POST', request_body_json: { rate: '{{ config.rate }}' } }
  assert.equal(request({ requester }, null, { rate }).body, '{"rate": 0.12345678901234568}')
})

test('a text body is sent as it is written, although it looks like a list or a number', () => {
  for (const text of ['["a", "b"]', '1.50', '1,2', '{"a": {{ config.n }}, "b": true}']) {
    const sent = text.replace('{{ config.n }}', '5')
    const typed = { type: 'RequestBodyPlainText', value: text }
    assert.equal(request({ requester: { http_method: 'POST', request_body_data: text } }, null, { n: 5 }).body, sent)
    assert.equal(request({ requester: { http_method: 'POST', request_body: typed } }, null, { n: 5 }).body, sent)
  }
  const requester = { http_method: 'POST', request_body: { type: 'RequestBodyPlainText', value: '{"a": "b"}' } }
  assert.equal(request({ requester }).body, '{"a": "b"}')
})

test('a text body that gives a mapping is a form, as in Airbyte, without what is null', () => {
  const bodies = {
    "{{ {'a': 'x y', 'b': [1, 2], 'c': none} }}": 'a=x+y&b=1&b=2',
    '{"a": "{{ config.n }}"}': 'a=5',
    '{{ {} }}': null,
    '{{ none }}': null,
  }
  for (const [written, body] of Object.entries(bodies)) {
    const requester = { http_method: 'POST', request_body_data: written }
    assert.equal(request({ requester }, null, { n: 5 }).body, body, written)
  }
})

test('two bodies are refused', () => {
  const requester = { http_method: 'POST', request_body_data: { a: '1' } }
  const paginator = offsetInto(option('body_json', 'o'), option('request_parameter', 'l'))
  assert.throws(() => request({ requester, paginator }, { value: 3 }), { code: 'request/two-bodies' })
})

test('a JSON body and form fields in one requester are refused, as in Airbyte', () => {
  const requester = { http_method: 'POST', request_body_json: { a: 1 }, request_body_data: { b: '2' } }
  assert.throws(() => request({ requester }), { code: 'request/two-bodies', message: /`request_body_data` are both/ })
  assert.equal(request({ requester: { ...requester, request_body_data: {} } }).body, '{"a": 1}')
  assert.equal(request({ requester: { ...requester, request_body_json: {} } }).body, 'b=2')
})

test('a header that no header can be is refused', () => {
  assert.throws(() => request({ requester: { request_headers: { 'a b': 'x' } } }), { code: 'request/invalid-header' })
  assert.throws(() => request({ requester: { request_headers: { a: "{{ 'x\\ny' }}" } } }), {
    code: 'request/invalid-header',
  })
})

test('a path that ends in a question mark takes parameters as they come', () => {
  assert.equal(request({ requester: { path: 'items?', request_parameters: { a: '1' } } }).url, `${url}/items?a=1`)
})

test('header names that differ in case are one header; the last is sent', () => {
  const paginator = offsetInto(option('header', 'X-Page'), option('request_parameter', 'l'))
  const { headers } = request({ requester: { request_headers: { 'x-page': 'own' } }, paginator }, { value: 3 })
  assert.deepEqual(headers, { 'X-Page': '3' })
})

test('an object is no parameter', () => {
  const paginator = cursorPaginator('{{ response.next }}')
  assert.throws(() => request({ paginator }, { value: { a: 1 } }), { code: 'request/invalid-parameter' })
})

test('the credential is a mark, in the place and order it will be sent', () => {
  const authenticator = {
    type: 'ApiKeyAuthenticator',
    api_token: '{{ config.key }}',
    inject_into: option('request_parameter', 'key'),
  }
  const { url: address } = request(
    { requester: { authenticator, request_parameters: { a: '1' } }, paginator: offsetPaginator() },
    null,
    { key: 's3cret' },
  )
  assert.equal(address, `${url}/items?a=1&key=****&limit=3`)
})

const keyed = {
  authenticator: {
    type: 'ApiKeyAuthenticator',
    api_token: 'k',
    inject_into: option('request_parameter', 'api_key'),
  },
}
const inPath = cursorPaginator('{{ response.next }}', undefined, { page_token_option: { type: 'RequestPath' } })

/** A request with a key, and with what only some streams have: a slice, values of earlier responses, other origins. */
function requestWith(requester: Record<string, unknown>, more: Partial<RequestInput> = {}, parts: StreamParts = {}) {
  const stream = planStream(loadManifest(manifestOf({ requester: { ...keyed, ...requester }, ...parts })), 'items', {})
  const { token = null } = more
  return buildRequest({
    ...stream,
    config: {},
    slice: { partition: {}, window: {} },
    token,
    placed: pagedValues(stream.pagination, token, requestedSize(stream.pagination, null)),
    trustedOrigins: [],
    ...more,
  })
}

/** Where it goes, what was left out, and whose credentials they are. */
const sentBy = (...args: Parameters<typeof requestWith>) => {
  const { url: sent, withheld, home } = requestWith(...args)
  return [sent, withheld, home]
}
const elsewhere = 'https://elsewhere.test/x'
const ofParent = (partition: Record<string, unknown>) => ({
  slice: { partition: { ...partition, parent_slice: {} }, window: {} },
})

test('templates see extra fields of the slice and values of earlier responses, by their names and in the slice', () => {
  const slice = { partition: {}, window: {}, extra: { shop: 's' } }
  const ofSlice = { a: '{{ shop }}', b: "{{ stream_slice.extra_fields['shop'] }}" }
  const sent = (request_parameters: object, more: Partial<RequestInput>) =>
    requestWith({ request_parameters, authenticator: undefined }, { slice, ...more }).url
  assert.equal(sent(ofSlice, {}), `${url}/items?a=s&b=s`)
  const ofResponse = { c: '{{ job.id }}', d: "{{ stream_slice.extra_fields['job']['id'] }}" }
  assert.equal(sent({ ...ofSlice, ...ofResponse }, { names: { job: { id: 5 } } }), `${url}/items?a=s&b=s&c=5&d=5`)
})

test('an address that the author wrote gets the key, wherever it leads', () => {
  assert.deepEqual(sentBy({ path: elsewhere }), [`${elsewhere}?api_key=****`, undefined, elsewhere])
  assert.deepEqual(sentBy({}), [`${url}/items?api_key=****`, undefined, `${url}/items`])
})

test('an address from a page token keeps the key at home', () => {
  const path = "{{ next_page_token['next_page_token'] if next_page_token else 'items' }}"
  const home = `${url}/items`
  assert.deepEqual(sentBy({ path }, { token: { value: elsewhere } }), [elsewhere, ['api_key'], home])
  assert.deepEqual(sentBy({ path }, { token: { value: 'more' } }), [`${url}/more?api_key=****`, undefined, home])
  const base = { url: "{{ next_page_token['next_page_token'] if next_page_token else 'https://api.test/v1' }}" }
  assert.deepEqual(sentBy({}, { token: { value: 'https://elsewhere.test' } }, base), [
    'https://elsewhere.test/items',
    ['api_key'],
    home,
  ])
})

test('an address from an earlier response keeps the key at home', () => {
  const path = '{{ creation_response.at }}'
  const home = `${url}/`
  const at = (address: string) => ({ names: { creation_response: { at: address } } })
  assert.deepEqual(sentBy({ path }, at(elsewhere)).slice(0, 2), [elsewhere, ['api_key']])
  assert.deepEqual(sentBy({ path }, at('jobs/1')).slice(0, 2), [`${url}/jobs/1?api_key=****`, undefined])
  const whole = { url: '{{ creation_response.at }}' }
  assert.deepEqual(sentBy({ path: '' }, { ...at(elsewhere), home }, whole), [elsewhere, ['api_key'], home])
  assert.deepEqual(sentBy({ path: '' }, { ...at(`${url}/jobs`), home }, whole), [
    `${url}/jobs?api_key=****`,
    undefined,
    home,
  ])
})

test('an address from the record of a parent keeps the key with the host that the author wrote', () => {
  const path = '{{ stream_partition.at }}'
  assert.deepEqual(sentBy({ path }, ofParent({ at: elsewhere })), [elsewhere, ['api_key'], url])
  assert.deepEqual(sentBy({ path }, ofParent({ at: 'a/1' })), [`${url}/a/1?api_key=****`, undefined, url])
  // A partition that the author lists is the author's word.
  assert.deepEqual(sentBy({ path }, { slice: { partition: { at: elsewhere }, window: {} } }).slice(0, 2), [
    `${elsewhere}?api_key=****`,
    undefined,
  ])
  const byExtra = { slice: { partition: {}, window: {}, extra: { parent_slice: {}, link: elsewhere } } }
  assert.deepEqual(sentBy({ path: '{{ link }}' }, byExtra), [elsewhere, ['api_key'], url])
  assert.deepEqual(sentBy({ path: elsewhere }, byExtra), [`${elsewhere}?api_key=****`, undefined, elsewhere])
})

test('the host of the author is found in a base that goes on with a value of the parent', () => {
  const home = (base: string, at: string, more: Partial<RequestInput> = {}) =>
    requestWith({ path: '' }, { ...ofParent({ at }), ...more }, { url: base }).home
  assert.equal(home('https://api.test/{{ stream_partition.at }}', 'a'), 'https://api.test/')
  assert.equal(home('https://api.shop.example{{ stream_partition.at }}', '/a'), 'https://api.shop.example/')
  assert.equal(home('https://{{ stream_partition.at }}.test/v1', 'a', { home: `${url}/` }), `${url}/`)
  assert.equal(home('https://{{ stream_partition.at }}.test/v1', 'a'), 'https://a.test/v1')
})

test('what is no credential is sent elsewhere, and a trusted origin gets all', () => {
  const requester = { request_parameters: { lang: 'de', token: 't' } }
  const token = { value: 'x', url: elsewhere }
  const parts = { paginator: inPath }
  assert.deepEqual(sentBy(requester, { token }, parts), [`${elsewhere}?lang=de`, ['token', 'api_key'], `${url}/items`])
  assert.deepEqual(sentBy(requester, { token, trustedOrigins: ['https://elsewhere.test'] }, parts).slice(0, 2), [
    `${elsewhere}?lang=de&token=t&api_key=****`,
    undefined,
  ])
  assert.equal('withheld' in requestWith(requester, { token: { value: 'x', url: `${url}/b` } }, parts), false)
})

test('nothing is added to a link that is signed', () => {
  const link = `${url}/items?page=2&sig=x`
  const requester = { request_parameters: { lang: 'de' } }
  assert.equal(requestWith(requester, { token: { value: 'x', url: link } }, { paginator: inPath }).url, link)
})

test('a token that is placed into the path is joined to the base, unless it is 0 or empty', () => {
  const at = (value: unknown, parts: StreamParts = {}) =>
    requestWith({ authenticator: undefined }, { token: { value } }, { paginator: inPath, ...parts }).url
  assert.equal(at('6/info.json'), `${url}/6/info.json`)
  assert.equal(at(6), `${url}/6`)
  assert.equal(at(0), `${url}/items`)
  assert.equal(at(''), `${url}/items`)
  // Placed elsewhere, it is no address.
  assert.equal(
    at('6/info.json', { paginator: cursorPaginator('{{ response.next }}') }).startsWith(`${url}/items?`),
    true,
  )
})

test('a parameter that the path holds already is not repeated with the same value', () => {
  const requester = { path: 'items?a=1&b=2', request_parameters: { a: '1', b: '3' }, authenticator: undefined }
  assert.equal(requestWith(requester).url, `${url}/items?a=1&b=2&b=3`)
})

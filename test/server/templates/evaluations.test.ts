import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { stringifyJson } from '../../../src/std/json.ts'
import type { Evaluation, TemplateContext } from '../../../src/server/wire/evaluation.ts'
import type { ApiProblem } from '../../../src/server/wire/problem.ts'
import { manifestOf } from '../../helpers/manifests.ts'
import { type ServedApi, serveApi } from '../../helpers/serve-api.ts'
import { jsonOf, testApi } from '../api.ts'
import { idOf, readEvents } from '../test-reads/ask.ts'

const api = testApi()
after(() => api[Symbol.dispose]())

const body = '{"data":[{"id":9007199254740993,"tags":["a"]},{"id":2}],"next":"007","ratio":2.0,"echo":"s3cr3t-key"}'
const spec = {
  type: 'object',
  properties: { api_key: { type: 'string', airbyte_secret: true }, start: { type: 'string' } },
}
const config = { api_key: 's3cr3t-key', start: '2024-01-01' }
const manifest = {
  ...manifestOf({
    paginator: {
      pagination_strategy: { type: 'CursorPagination', cursor_value: '{{ response.next }}' },
      page_token_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'cursor' },
    },
    requester: { authenticator: { type: 'BearerAuthenticator', api_token: '{{ config.api_key }}' } },
    selector: { record_filter: { type: 'RecordFilter', condition: '{{ record.id == 2 }}' } },
    spec,
  }),
}

let server: ServedApi
let page: { read: string; slice: number; page: number }

before(async () => {
  const link = '<https://shop.example/items?p=2>; rel="next"'
  server = await serveApi({
    'GET /items': () => ({ text: body, headers: { link, 'content-type': 'application/json' } }),
  })
  const text = JSON.stringify(manifest).replace('https://api.test/v1', server.url)
  page = { read: idOf(await readEvents(api, { text, stream: 'items', config, maxPages: 1 })), slice: 0, page: 0 }
})
after(() => server[Symbol.asyncDispose]())

const evaluate = async (template: string, more: object = {}) =>
  jsonOf<Evaluation>(await api.post('/v1/evaluations', { template, page, ...more }))

describe('a template on a captured page', () => {
  const cases: [template: string, json: string, type: string, repr: string][] = [
    ['{{ response.next }}', '"007"', 'str', "'007'"],
    ['{{ response.data[0].id }}', '9007199254740993', 'int', '9007199254740993'],
    ['{{ response.ratio }}', '2', 'float', '2.0'],
    ['{{ response.missing }}', '""', 'str', "''"],
    ['{{ response.data[0].tags }}', '["a"]', 'list', "['a']"],
    ['{{ response.data[1] }}', '{"id":2}', 'dict', "{'id': 2}"],
    ['{{ last_page_size }}', '2', 'int', '2'],
    ['{{ last_records | length }}', '2', 'int', '2'],
    ['{{ last_record.id }}', '2', 'int', '2'],
    ['{{ record.id }}', '2', 'int', '2'],
    ["{{ headers['LINK'].split(';')[1] }}", '" rel=\\"next\\""', 'str', '\' rel="next"\''],
    ['{{ headers.link.next.url }}', '"https://shop.example/items?p=2"', 'str', "'https://shop.example/items?p=2'"],
    ["{{ next_page_token['next_page_token'] }}", '"007"', 'str', "'007'"],
    ['{{ stream_partition }}', '{}', 'dict', '{}'],
    ['{{ config.start }}', '"2024-01-01"', 'str', "'2024-01-01'"],
    ['{{ none }}', 'null', 'NoneType', 'None'],
    ['plain text', '"plain text"', 'str', "'plain text'"],
  ]
  for (const [template, json, type, repr] of cases) {
    test(`${template} is ${repr}`, async () => {
      const { value, ...rest } = await evaluate(template)
      assert.deepEqual([stringifyJson(value), rest.type, rest.repr], [json, type, repr])
    })
  }

  test('is read as its field reads it', async () => {
    assert.equal((await evaluate('{{ response.data }}', { as: 'boolean' })).value, true)
    assert.equal((await evaluate('{{ response.next }}', { as: 'param' })).value, '007')
    const { value, isLeftOut } = await evaluate('{{ response.missing }}', { as: 'param' })
    assert.deepEqual([value, isLeftOut], [null, true])
  })

  test('accepts further names, and values that are being entered', async () => {
    assert.equal((await evaluate('{{ response.a }}', { context: { response: { a: 1 } } })).value, 1)
    assert.equal((await evaluate('{{ config.start }}', { config: { start: 'now' } })).value, 'now')
    const alone = await api.post('/v1/evaluations', { template: '{{ config.a + 1 }}', config: { a: 1 } })
    assert.equal((await jsonOf<Evaluation>(alone)).value, 2)
  })

  test('never shows a secret, whatever is made of it', async () => {
    for (const template of [
      '{{ config.api_key }}',
      '{{ config }}',
      '{{ config.api_key | base64encode }}',
      '{{ config.api_key[::-1] }}',
      '{{ config.api_key | list }}',
      '{{ response.echo }}',
      '{{ response }}',
      '{{ response.echo + 1 }}',
      '{{ response.echo.nothing.there }}',
    ]) {
      const text = await (await api.post('/v1/evaluations', { template, page })).text()
      for (const form of ['s3cr3t-key', 'czNjcjN0LWtleQ', 'yek-t3rc3s', "'3', 'c', 'r'"]) {
        assert.ok(!text.includes(form), `${template} shows ${text}`)
      }
    }
    const spoken = { template: '{{ config.api_key }}', config, text: JSON.stringify(manifest) }
    assert.equal((await jsonOf<Evaluation>(await api.post('/v1/evaluations', spoken))).value, '••••')
    const unsaid = { template: '{{ config.password }}', config: { password: 'hunter22' } }
    assert.equal((await jsonOf<Evaluation>(await api.post('/v1/evaluations', unsaid))).value, '••••')
  })

  test('that is wrong says what, and where in it', async () => {
    const reply = await api.post('/v1/evaluations', { template: '{{ response.next | nope }}', page })
    assert.equal(reply.status, 422)
    const problem = await jsonOf<ApiProblem>(reply)
    assert.equal(problem.code, 'template/unknown-function')
    assert.equal(problem.at?.column, 20)
    assert.doesNotMatch(problem.detail, /^Template/)
    const multi = await jsonOf<ApiProblem>(await api.post('/v1/evaluations', { template: 'a\n{{ b', page }))
    assert.deepEqual([multi.code, multi.at?.line], ['template/syntax', 2])
  })

  test('works within limits, and what it gives is cut', async () => {
    const long = await evaluate("{{ 'x' * 2000000 }}")
    assert.ok(long.isCut)
    assert.ok(stringifyJson(long).length < 300_000)
    assert.match(long.repr, /…$/)
    const many = await evaluate('{{ range(0, 90000) | list }}')
    assert.ok(stringifyJson(many).length < 300_000)
    const endless = await api.post('/v1/evaluations', { template: "{{ 'x' * 999999999 }}", page })
    assert.equal((await jsonOf<ApiProblem>(endless)).code, 'template/too-much-work')
  })

  test('of a page that is gone is refused', async () => {
    const reply = await api.post('/v1/evaluations', { template: '{{ 1 }}', page: { ...page, read: 'x' } })
    assert.equal(reply.status, 410)
  })
})

describe('what a place offers', () => {
  const offered = async (more: object) => jsonOf<TemplateContext>(await api.post('/v1/template-contexts', more))

  test('comes with members, types and samples of the values', async () => {
    const { names, functions, filters } = await offered({ place: 'pagination', page })
    const byName = new Map(names.map((one) => [one.name, one]))
    assert.deepEqual(byName.get('response.data[0].id'), {
      name: 'response.data[0].id',
      type: 'int',
      sample: '9007199254740993',
    })
    assert.equal(byName.get('last_page_size')?.sample, '2')
    assert.equal(byName.get("config['api_key']")?.sample, "'••••'")
    assert.equal(byName.get('headers.link.next.url')?.type, 'str')
    assert.ok(!byName.has('next_page_token'))
    assert.ok(functions.includes('now_utc') && filters.includes('length'))
    assert.ok(!JSON.stringify(names).includes('s3cr3t'))
  })

  test('is known without a page, only not what it holds', async () => {
    const { names } = await offered({ place: 'request', config: { start: 'x' } })
    assert.deepEqual(
      names.map(({ name }) => name),
      [
        'config',
        "config['start']",
        'parameters',
        'next_page_token',
        'stream_slice',
        'stream_partition',
        'stream_interval',
      ],
    )
  })
})

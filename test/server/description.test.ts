/** Whether the API is as it describes itself: every operation of a typical session, its responses held to the description. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { startLab } from '../../src/lab/lab.ts'
import { createApi } from '../../src/server/server.ts'
import { facts } from './api.ts'
import { testServices } from './services.ts'

type Operation = { readonly operationId: string; readonly responses: Record<string, Answer> }
type Answer = { readonly content?: Record<string, { readonly schema: object }> }
type Description = { readonly paths: Record<string, Record<string, Operation>> }

test('every operation answers as the description says, problems included', async () => {
  await using lab = await startLab()
  await using services = testServices({ lab: lab.url })
  const app = createApi(facts, services)
  const description = (await (await app.request('/openapi.json')).json()) as Description
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(description, 'api')
  const answered = new Set<string>()

  /** @returns what the body holds: a value, the values of its lines, or text. */
  // oxlint-disable-next-line typescript/no-explicit-any -- what a response holds, the session knows.
  async function ask(method: string, path: string, body?: unknown): Promise<any> {
    const headers = { 'Content-Type': 'application/json' }
    const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) }
    const reply = await app.request(`${facts.apiUrl}${path}`, { method, ...sent })
    const { operationId, responses } = operationAt(description, method, path)
    const what = `${operationId} ${reply.status}`
    const described = responses[reply.status]
    assert.ok(described, `${what} is not described`)
    answered.add(operationId)
    const type = reply.headers.get('content-type')?.split(';')[0]
    if (type === undefined) {
      assert.equal(described.content, undefined, what)
      return null
    }
    const schema = described.content?.[type]?.schema
    assert.ok(schema, `${what} is not described as ${type}`)
    const isValid = ajv.compile(within(schema))
    const check = (value: unknown) => {
      assert.ok(isValid(value), `${what}: ${ajv.errorsText(isValid.errors)} in ${JSON.stringify(value)}`)
      return value
    }
    if (type.endsWith('json') && type !== 'application/x-ndjson') return check(await reply.json())
    if (type === 'text/event-stream') return firstEvent(reply).then(check)
    const text = await reply.text()
    if (type !== 'application/x-ndjson') return check(text)
    return text.split('\n').flatMap((line) => (line === '' ? [] : [check(JSON.parse(line))]))
  }

  for (const path of ['/health', '/capabilities', '/openapi.json']) await ask('GET', path)
  const { text } = await ask('GET', '/v1/sample')

  await ask('GET', '/v1/connectors')
  const created = await ask('POST', '/v1/connectors', { name: 'shop', text })
  await ask('POST', '/v1/connectors', { name: 'shop', text })
  await ask('POST', '/v1/connectors', { name: 'No name' })
  await ask('GET', '/v1/connectors/shop')
  await ask('GET', '/v1/connectors/none')
  await ask('GET', '/v1/connectors/No-name')
  const changed = `${text}\n# changed\n`
  const hears = ask('GET', '/v1/changes')
  await ask('PUT', '/v1/connectors/shop', { text: changed, basedOn: created.version })
  await hears
  await ask('PUT', '/v1/connectors/shop', { text, basedOn: 'another' })
  await ask('GET', '/v1/connectors/shop/versions')
  await ask('GET', `/v1/connectors/shop/versions/${created.version}`)
  await ask('GET', '/v1/connectors/shop/versions/0000')
  await ask('PUT', `/v1/connectors/shop/versions/${created.version}/label`, { label: 'the first' })
  await ask('PUT', '/v1/connectors/shop/versions/0000/label', { label: 'none' })
  await ask('GET', '/v1/connectors/shop/versions')
  await ask('POST', '/v1/connectors/shop/rename', { to: 'store' })
  await ask('POST', '/v1/connectors/none/rename', { to: 'other' })
  await ask('POST', '/v1/connectors/store/rename', { to: 'shop' })
  const className = 'source_shop.components.Paging'
  await ask('POST', '/v1/connectors/shop/classes', { className, type: 'CustomPaginationStrategy' })
  await ask('POST', '/v1/connectors/shop/classes', { className, type: 'CustomPaginationStrategy' })
  await ask('GET', '/v1/collection?search=shop')
  await ask('POST', '/v1/collection/copies', { of: 'shop', name: 'copy' })
  await ask('GET', '/v1/docs?search=pagination')
  await ask('GET', '/v1/connectors/shop/export')
  await ask('GET', '/v1/connectors/shop/export?format=typescript')
  await ask('GET', '/v1/connectors/shop/export?format=python')
  await ask('POST', '/v1/exports', { name: 'shop', text, format: 'typescript' })
  await ask('POST', '/v1/exports', { name: 'shop', text: 'streams: 1', format: 'typescript' })
  await ask('POST', '/v1/imports', { source: readFileSync('test/import/shop.openapi.yaml', 'utf8') })
  await ask('POST', '/v1/imports', { source: 'just words' })
  await ask('POST', '/v1/imports', { only: [] })

  await ask('POST', '/v1/inspections', { text, stream: 'customers' })
  await ask('POST', '/v1/inspections', { text: 'streams: [' })
  await ask('POST', '/v1/inspections', { text: 1 })
  const [{ id: read }] = await ask('POST', '/v1/test-reads', { text, stream: 'payments', maxPages: 2 })
  await ask('POST', '/v1/test-reads', { text, stream: 'none' })
  const pageAt = (page: number | string) => `/v1/test-reads/${read}/slices/0/pages/${page}`
  for (const part of ['records', 'body']) {
    await ask('GET', `${pageAt(0)}/${part}?count=3`)
    await ask('GET', `${pageAt(9)}/${part}`)
    await ask('GET', `${pageAt('first')}/${part}`)
    await ask('GET', `/v1/test-reads/none/slices/0/pages/0/${part}`)
  }
  await ask('POST', `/v1/test-reads/${read}/more`, { maxPages: 1 })
  await ask('POST', '/v1/test-reads/none/more', {})
  await ask('GET', `/v1/test-reads/${read}/records?count=3&search=a`)
  await ask('GET', '/v1/test-reads/none/records')
  await ask('GET', `/v1/test-reads/${read}/comparison?with=${read}`)
  await ask('GET', `/v1/test-reads/${read}/comparison?with=none`)
  const page = { read, slice: 0, page: 0 }
  await ask('POST', '/v1/evaluations', { template: '{{ response.meta.next_token }}', page })
  await ask('POST', '/v1/evaluations', { template: '{{ nothing( }}' })
  await ask('POST', '/v1/evaluations', { template: '{{ 1 }}', page: { ...page, read: 'none' } })
  await ask('POST', '/v1/template-contexts', { place: 'pagination', page })

  await ask('POST', '/v1/checks', { text })
  await ask('POST', '/v1/checks', { text, config: { key: '${NOT_SET}' } })
  await ask('POST', '/v1/variables', { config: { key: '${NOT_SET}' } })
  await ask('PUT', '/v1/variables/NOT_SET', { origins: [lab.url] })
  await ask('GET', '/v1/secret-store')
  await ask('GET', '/v1/connectors/shop/test-configs')
  await ask('POST', '/v1/secret-store', { kind: 'passphrase', passphrase: 'short' })
  await ask('POST', '/v1/secret-store', { kind: 'passphrase', passphrase: 'long enough' })
  await ask('POST', '/v1/secret-store/unlock', { passphrase: 'a wrong one' })
  const keep = { text, values: { api_key: 'a-secret' }, origins: [lab.url], basedOn: null }
  const kept = await ask('PUT', '/v1/connectors/shop/test-configs/sandbox', keep)
  await ask('PUT', '/v1/connectors/shop/test-configs/sandbox', keep)
  await ask('GET', '/v1/connectors/shop/test-configs')
  await ask('DELETE', '/v1/connectors/shop/test-configs/sandbox?basedOn=another')
  await ask('DELETE', `/v1/connectors/shop/test-configs/sandbox?basedOn=${kept.version}`)
  await ask('POST', '/v1/secret-store/lock')
  await ask('DELETE', '/v1/secret-store')
  await ask('DELETE', '/v1/secret-store')

  await ask('POST', '/v1/diagnoses', { text, stream: 'payments' })
  await ask('POST', '/v1/diagnoses', { text: cappedAt(lab.url), stream: 'items' })
  await ask('POST', '/v1/diagnoses', { text, stream: 'none' })
  await ask('POST', '/v1/diagnoses', { text, stream: 'payments', maxPages: 0 })
  await ask('POST', '/v1/detections', { url: `${lab.url}/cursor` })
  await ask('POST', '/v1/detections', { url: `${lab.url}/nowhere` })
  await ask('POST', '/v1/detections', { text, stream: 'customers' })
  await ask('POST', '/v1/detections', { stream: 'customers' })
  await ask('POST', '/v1/surveys', { text, stream: 'customers' })
  await ask('POST', '/v1/surveys', { text, stream: 'none' })

  await ask('GET', '/v1/tables')
  const { id: sync } = await ask('POST', '/v1/syncs', { connector: 'shop', streams: ['customers'] })
  await ask('GET', `/v1/syncs/${sync}/events`)
  await ask('GET', '/v1/syncs/none/events')
  await ask('GET', '/v1/syncs')
  await ask('DELETE', `/v1/syncs/${sync}`)
  await ask('GET', '/v1/connectors/shop/held')
  await ask('GET', '/v1/connectors/shop/runs?limit=1')
  await ask('GET', '/v1/runs/latest')
  await ask('POST', '/v1/connectors/shop/publish', { stream: 'customers' })
  await ask('POST', '/v1/syncs', { connector: 'none' })
  const { tables } = await ask('GET', '/v1/tables')
  assert.deepEqual(
    tables.map(({ name }: { name: string }) => name),
    ['customers'],
  )
  await ask('POST', '/v1/queries', { sql: 'select * from shop.customers limit 2' })
  await ask('POST', '/v1/queries', { sql: 'drop table shop.customers' })

  mkdirSync(join(services.home, 'connections/shop'), { recursive: true })
  writeFileSync(join(services.home, 'connections/shop/connection.yaml'), 'connector: shop\nstreams: [customers]\n')
  await ask('GET', '/v1/connectors/shop/connections')
  await ask('POST', '/v1/connectors/shop/connections', { name: 'second', to: 'jsonl:data' })
  await ask('POST', '/v1/connectors/shop/connections', { name: 'second' })
  await ask('POST', '/v1/connectors/none/connections', {})
  await ask('GET', '/v1/schedules')
  await ask('PUT', '/v1/schedules/shop', { cron: '0 6 * * *', timezone: 'Europe/Berlin', webhook: `${lab.url}/hook` })
  await ask('PUT', '/v1/schedules/shop', { every: '0s' })
  await ask('PUT', '/v1/schedules/shop', { every: '1h', webhook: 'https://x.test/${HOME}' })
  await ask('PUT', '/v1/schedules/none', { every: '1h' })
  for (const verb of ['pause', 'resume', 'run', 'run']) await ask('POST', `/v1/schedules/shop/${verb}`)
  await ask('POST', '/v1/schedules/none/run')
  const { schedules: listed } = await ask('GET', '/v1/schedules')
  assert.equal(listed[0].last.status, 'running')
  await ask('DELETE', '/v1/schedules/shop')
  await ask('DELETE', '/v1/schedules/shop')

  const { manifest } = await ask('POST', '/v1/manifest/resolve', { manifest: manifestAt(lab.url) })
  await ask('POST', '/v1/manifest/full_resolve', { manifest, config: {} })
  await ask('POST', '/v1/manifest/check', { manifest, config: {} })
  await ask('POST', '/v1/manifest/discover', { manifest, config: {} })
  await ask('POST', '/v1/manifest/test_read', { manifest, config: {}, stream_name: 'items' })
  await ask('POST', '/v1/manifest/test_read', { manifest, config: {}, stream_name: 'none' })
  await ask('POST', '/v1/manifest/test_read', { manifest: {}, config: {}, stream_name: 'items' })
  await ask('POST', '/v1/manifest/test_read', { manifest })

  await ask('DELETE', '/v1/connectors/shop')
  await ask('DELETE', '/v1/connectors/shop')
  await ask('POST', '/v1/connectors/shop/restoration')
  await ask('POST', '/v1/connectors/shop/restoration')
  await ask('GET', '/.well-known/api-catalog')

  const operations = Object.values(description.paths).flatMap((path) => Object.values(path))
  const untried = operations.map(({ operationId }) => operationId).filter((id) => !answered.has(id))
  assert.deepEqual(untried, [])
})

function operationAt({ paths }: Description, method: string, path: string): Operation {
  const [address = ''] = path.split('?')
  const isHere = (pattern: string) => new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(address)
  const exact = paths[address] ?? Object.entries(paths).find(([pattern]) => isHere(pattern))?.[1]
  const operation = exact?.[method.toLowerCase()]
  if (operation === undefined) throw new Error(`${method} ${path} is not described`)
  return operation
}

/** A schema of the description, whose references lead into it. */
function within(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as object
}

async function firstEvent(reply: Response): Promise<unknown> {
  let text = ''
  for await (const part of (reply.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    text += part
    const [, event] = /^data: (.*)\n\n/m.exec(text) ?? []
    if (event !== undefined) return JSON.parse(event)
  }
  throw new Error(`no event in ${text}`)
}

function manifestAt(url: string) {
  const requester = { type: 'HttpRequester', url_base: url, path: '/offset' }
  const record_selector = { type: 'RecordSelector', extractor: { type: 'DpathExtractor', field_path: ['data'] } }
  const schema_loader = { type: 'InlineSchemaLoader', schema: { type: 'object', properties: {} } }
  const retriever = { type: 'SimpleRetriever', requester, record_selector }
  return {
    version: '6.0.0',
    type: 'DeclarativeSource',
    check: { type: 'CheckStream', stream_names: ['items'] },
    streams: [{ type: 'DeclarativeStream', name: 'items', retriever, schema_loader }],
  }
}

/** Asks for more than the API gives at once. */
function cappedAt(url: string): string {
  const source = manifestAt(`${url}/faults/capped-size`)
  const option = (field_name: string) => ({ type: 'RequestOption', inject_into: 'request_parameter', field_name })
  const paginator = {
    type: 'DefaultPaginator',
    pagination_strategy: { type: 'OffsetIncrement', page_size: 500 },
    page_size_option: option('limit'),
    page_token_option: option('offset'),
  }
  const streams = source.streams.map((stream) => ({ ...stream, retriever: { ...stream.retriever, paginator } }))
  return JSON.stringify({ ...source, streams })
}

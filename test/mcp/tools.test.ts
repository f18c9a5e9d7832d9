/** Tools that the story does not need: problems with their places, surveys, syncs that are cancelled or left, exact numbers. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCli } from '../cli/run-cli.ts'
import { type Answer, serveApi } from '../helpers/serve-api.ts'
import { openHttp, openStdio } from './mcp-clients.ts'

function cursorManifest(url: string): string {
  return `version: 6.0.0
type: DeclarativeSource
check: { type: CheckStream, stream_names: [orders] }
streams:
  - type: DeclarativeStream
    name: orders
    primary_key: id
    retriever:
      type: SimpleRetriever
      requester: { type: HttpRequester, url_base: ${url}, path: /orders }
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [data] } }
      paginator:
        type: DefaultPaginator
        page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: after }
        pagination_strategy: { type: CursorPagination, cursor_value: "{{ response['next'] }}" }
`
}

/** Five pages of two orders. The one after `held` waits until it is released. */
function servePages(held: string | null) {
  const state = { held, waiting: [] as ServerResponse[], onHeld: () => {} }
  const page = (after: number) => {
    const data = [1, 2].map((index) => ({ id: after * 2 + index }))
    return { data, next: after < 4 ? String(after + 1) : null, total: 10 }
  }
  const respond = (query: URLSearchParams): Answer => {
    const after = query.get('after') ?? '0'
    if (after !== state.held) return { json: page(Number(after)) }
    return { raw: (response) => (state.waiting.push(response), state.onHeld()) }
  }
  const isHeld = new Promise<void>((resolve) => (state.onHeld = resolve))
  return { state, isHeld, api: serveApi({ 'GET /orders': respond }) }
}

test('validate_manifest names each problem with its line, and what to do', async () => {
  await using opened = await openHttp()
  await using one = await opened.open()
  const text = cursorManifest('https://a.example').replace('type: CursorPagination', 'type: CursorPaginatoin')
  type Checked = { errors: number; problems: { code: string; hint: string; at: { line: number } }[] }
  const { errors, problems } = await one.call<Checked>('validate_manifest', { text })
  assert.equal(errors > 0, true)
  const line = text.split('\n').findIndex((written) => written.includes('Paginatoin')) + 1
  assert.ok(
    problems.some(({ at, hint }) => at.line === line && hint !== ''),
    JSON.stringify(problems),
  )
})

test('a stream or a sync that does not exist is reported as such, with what to do', async () => {
  await using opened = await openHttp()
  await using one = await opened.open()
  const { client } = one
  const given = { text: cursorManifest('https://a.example'), stream: 'ordres' }
  const { content, structuredContent } = await client.callTool({ name: 'preview_requests', arguments: given })
  const [summary] = content as { text: string }[]
  assert.equal(summary?.text, 'No request can be shown; `trouble` says why.')
  const { trouble } = structuredContent as { trouble: string }
  assert.equal(trouble, 'There is no stream "ordres"; the manifest has orders. Did you mean "orders"?')
  for (const tool of ['follow_sync', 'cancel_sync']) {
    const { code, hint } = await one.fails(tool, { sync: 'none' })
    assert.equal(code, 'server/not-found')
    assert.match(hint, /the tool sync returned.*list_runs/)
  }
})

test('an edit that does not match once is refused, and nothing is saved', async () => {
  await using opened = await openHttp()
  await using one = await opened.open()
  const text = cursorManifest('https://a.example')
  const { version: basedOn } = await one.call<{ version: string }>('create_connector', { connector: 'shop', text })
  for (const find of ['not there', 'type:']) {
    const edit = { connector: 'shop', basedOn, changes: [{ find, replace: 'x' }] }
    assert.equal((await one.fails('edit_manifest', edit)).code, 'mcp/no-match')
  }
  assert.equal((await one.call<{ version: string }>('read_manifest', { connector: 'shop' })).version, basedOn)
  const part = await one.call<{ text: string; nextLine: number }>('read_manifest', {
    connector: 'shop',
    fromLine: 2,
    lines: 2,
  })
  assert.deepEqual([part.text, part.nextLine], [text.split('\n').slice(1, 3).join('\n'), 4])
})

test('survey_stream sends nothing to the API', async () => {
  await using api = await servePages(null).api
  await using opened = await openHttp()
  await using one = await opened.open()
  const given = { text: cursorManifest(api.url), stream: 'orders' }
  type Surveyed = { survives: number; reports: number; results: { outcome: string }[]; problem: unknown }
  const { survives, reports, results, problem } = await one.call<Surveyed>('survey_stream', given)
  assert.equal(problem, null)
  assert.ok(survives > 0 && reports > 0 && results.length > 5)
  assert.deepEqual(api.asked, [])
})

test('a sync is cancelled by the client, and the next one resumes', async () => {
  const pages = servePages('3')
  await using api = await pages.api
  await using opened = await openHttp()
  await using one = await opened.open()
  await one.call('create_connector', { connector: 'shop', text: cursorManifest(api.url) })
  type Synced = { sync: string; status: string; fromApi: { receipts: { records: number }[] } }
  const begun = await one.call<Synced>('sync', { connector: 'shop', waitSeconds: 0 })
  assert.equal(begun.status, 'running')
  assert.equal((await one.fails('sync', { connector: 'shop' })).code, 'server/busy')
  await pages.isHeld
  assert.equal((await one.call<{ status: string }>('cancel_sync', { sync: begun.sync })).status, 'interrupted')
  pages.state.held = null
  const next = await one.call<Synced>('sync', { connector: 'shop', waitSeconds: 50 })
  assert.equal(next.status, 'complete')
  assert.equal(next.fromApi.receipts[0]?.records, 10)
  assert.equal(api.asked.filter((line) => line === 'GET /orders').length, 1, 'the first page was requested again')
})

test('list_runs has the runs of connections too, and names destinations that cannot be read', async () => {
  await using api = await servePages(null).api
  await using opened = await openHttp()
  await using one = await opened.open()
  await one.call('create_connector', { connector: 'shop', text: cursorManifest(api.url) })
  const none = await one.client.callTool({ name: 'list_runs', arguments: { connector: 'shop' } })
  assert.match(JSON.stringify(none.content), /has not been synced yet; the tool sync starts a run/)
  for (const [name, destination] of [
    ['nightly', 'jsonl:../../rows'],
    ['elsewhere', '${NO_SUCH_DATABASE}'],
  ]) {
    const folder = join(opened.home, 'connections', String(name))
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'connection.yaml'), `connector: shop\ndestination: ${destination}\n`)
  }
  const { code, stderr } = await runCli(['sync', 'nightly'], { env: { TURNLEAF_HOME: opened.home } })
  assert.equal(code, 0, stderr)
  await one.call('sync', { connector: 'shop', waitSeconds: 50 })

  type Run = { connection: string; to: string; status: string; fromApi: { receipts: { records: number }[] } }
  type Listed = { total: number; runs: Run[]; unreadable: { to: string; code: string; message: string }[] }
  const { total, runs, unreadable } = await one.call<Listed>('list_runs', { connector: 'shop' })
  assert.equal(total, 2)
  assert.deepEqual(
    runs.map(({ connection, status, fromApi }) => [connection, status, fromApi.receipts[0]?.records]),
    [
      ['shop', 'complete', 10],
      ['nightly', 'complete', 10],
    ],
  )
  assert.match(String(runs[1]?.to), /^jsonl:.*rows$/)
  assert.deepEqual(
    unreadable.map(({ to }) => to),
    ['connection elsewhere'],
  )
  assert.match(String(unreadable[0]?.message), /NO_SUCH_DATABASE/)
  const second = await one.call<Listed>('list_runs', { connector: 'shop', from: 1, count: 1 })
  assert.deepEqual([second.total, second.runs.map(({ connection }) => connection)], [2, ['nightly']])
})

test('a connector that got another name keeps its tables: list_tables finds them by both names', async () => {
  await using api = await servePages(null).api
  await using opened = await openHttp()
  await using one = await opened.open()
  await one.call('create_connector', { connector: 'shop', text: cursorManifest(api.url) })
  await one.call('sync', { connector: 'shop', waitSeconds: 50 })
  const origin = new URL(opened.url).origin
  const renamed = await fetch(`${origin}/v1/connectors/shop/rename`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ to: 'store' }),
  })
  assert.equal(renamed.status, 200, await renamed.text())
  type Tables = { fromApi: { tables: { schema: string; name: string }[] } }
  for (const schema of ['shop', 'store']) {
    const { fromApi } = await one.call<Tables>('list_tables', { schema })
    assert.deepEqual(
      fromApi.tables.map((table) => [table.schema, table.name]),
      [['shop', 'orders']],
    )
  }
  assert.equal((await one.call<{ total: number }>('list_runs', { connector: 'store' })).total, 1)
})

test('stdio: a client that leaves during a sync loses nothing that was read', async () => {
  const pages = servePages('3')
  await using api = await pages.api
  await using opened = await openStdio()
  {
    await using one = await opened.open()
    await one.call('create_connector', { connector: 'shop', text: cursorManifest(api.url) })
    await one.call('sync', { connector: 'shop', waitSeconds: 0 })
    await pages.isHeld
  }
  pages.state.held = null
  await using two = await opened.open()
  type Synced = { status: string; fromApi: { receipts: { records: number; verdict: string }[] } }
  const { status, fromApi } = await two.call<Synced>('sync', { connector: 'shop', waitSeconds: 50 })
  assert.equal(status, 'complete')
  assert.equal(fromApi.receipts[0]?.records, 10)
  assert.equal(api.asked.filter((line) => line === 'GET /orders').length, 1, 'the first page was requested again')
})

test('numbers with many digits reach the client with every digit', async () => {
  const long = '{"data":[{"id":12345678901234567890,"price":2.0,"rate":0.12345678901234567891}]}'
  await using api = await serveApi({ '*': () => ({ text: long, headers: { 'content-type': 'application/json' } }) })
  await using opened = await openHttp()
  await using one = await opened.open()
  const given = { text: cursorManifest(api.url), stream: 'orders', maxPages: 1, showRecords: 1 }
  const { shown } = await one.call<{ shown: { fromApi: { records: unknown[] } }[] }>('test_read', given)
  assert.deepEqual(shown[0]?.fromApi.records, [
    { id: '12345678901234567890', price: 2, rate: '0.12345678901234567891' },
  ])
})

test('a secret that cannot be used stops the command before it serves', () => {
  const env = { PATH: process.env.PATH ?? '', SHORT: 'abc' }
  for (const secret of ['bad', 'MISSING=https://a.example', 'SHORT=https://a.example']) {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/turnleaf.js', 'mcp', '--secret', secret], {
      env,
    })
    assert.equal(status, 2)
    assert.equal(stdout.toString(), '')
    assert.match(stderr.toString(), /^mcp\/invalid-secret: /)
  }
})

test('a description becomes a connector: streams listed, one written, created', async () => {
  const source = readFileSync('test/import/shop.openapi.yaml', 'utf8')
  await using opened = await openHttp()
  await using one = await opened.open()
  type Imported = { total: number; fromApi: { streams: { name: string }[]; manifest: string | null } }
  const listed = await one.call<Imported>('import_description', { source, filter: 'orders', count: 1 })
  assert.ok(listed.total >= 1)
  const [stream] = listed.fromApi.streams
  assert.ok(stream)
  const { fromApi } = await one.call<Imported>('import_description', { source, only: [stream.name] })
  const created = await one.call<{ errors: number; streams: { name: string; runs: boolean }[] }>('create_connector', {
    connector: 'imported',
    text: fromApi.manifest ?? '',
  })
  assert.equal(created.errors, 0)
  assert.ok(created.streams.some(({ name, runs }) => name === stream.name && runs))
  assert.equal((await one.fails('import_description', { source: 'just words' })).code.split('/')[0], 'import')
})

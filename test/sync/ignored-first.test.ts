/** A first page that a response filter ignores: no end of the list, since the list was never seen. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { destinationAt, loadManifest, readPages, sync } from '../../src/index.ts'
import { runCli } from '../cli/run-cli.ts'
import { tempFolder } from '../cli/shop.ts'
import { collect } from '../helpers/collect.ts'
import { offsetPaginator, sourceOf, streamOf } from '../helpers/manifests.ts'
import { type Answer, serveApi } from '../helpers/serve-api.ts'

const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1 }))

/** By status; by the words that a fix writes for a refused page past the end; by a predicate on a response with status 200. */
const filters: readonly [name: string, filter: object, answer: Answer][] = [
  ['a status', { http_codes: [404] }, { status: 404, json: { error: 'gone' } }],
  [
    'words about the end',
    { error_message_contains: 'page is out of range' },
    { status: 400, json: { message: 'page is out of range' } },
  ],
  ['a predicate', { predicate: "{{ response.code == 'none' }}" }, { json: { code: 'none' } }],
]

const ignoring = (filter: object) => ({
  error_handler: {
    type: 'DefaultErrorHandler',
    response_filters: [{ type: 'HttpResponseFilter', action: 'IGNORE', ...filter }],
  },
})

const sourceAt = (url: string, filter: object) =>
  sourceOf([streamOf({ url, paginator: offsetPaginator({ page_size: 10 }), requester: ignoring(filter) })])

async function serve(answer: Answer) {
  const api = { from: 30 }
  const served = await serveApi({
    'GET /items': (query) => {
      const offset = Number(query.get('offset') ?? 0)
      return offset >= api.from ? answer : { json: { data: rows(30).slice(offset, offset + 10) } }
    },
  })
  return Object.assign(api, { url: served.url, [Symbol.asyncDispose]: () => served[Symbol.asyncDispose]() })
}

for (const [name, filter, answer] of filters) {
  test(`ignored by ${name}: after pages it ends a read, as the first page it does not`, async () => {
    await using api = await serve(answer)
    await using files = await tempFolder()
    const manifest = loadManifest(sourceAt(api.url, filter))
    const to = destinationAt(`duckdb:${join(files.folder, 'kept.duckdb')}`)
    const count = async () => Number((await to.query?.('select count(*) from items', 1))?.rows[0]?.[0])

    const first = await sync(manifest, { to })
    assert.deepEqual([first.ending, first.receipts[0]?.verdict], ['complete', 'unproven'])
    assert.equal(await count(), 30)

    api.from = 0
    const again = await sync(manifest, { to })
    assert.deepEqual([again.ending, again.receipts[0]?.verdict], ['held', 'incomplete'])
    assert.match(again.receipts[0]?.reason ?? '', /the first response was ignored/)
    assert.equal(await count(), 30)

    const path = await files.write('manifest.json', sourceAt(api.url, filter))
    const fresh = `duckdb:${join(files.folder, 'fresh.duckdb')}`
    assert.equal((await runCli(['sync', '--manifest-path', path, '--to', fresh])).code, 1)
    const read = await runCli(['read', '--manifest-path', path, '--stream', 'items'])
    assert.equal(read.code, 1)
    assert.match(read.stdout, /"status":"INCOMPLETE"/)
  })
}

const childrenAt = (url: string) =>
  loadManifest(
    sourceOf([
      streamOf({
        url,
        requester: { path: '/teams/{{ stream_partition.team }}', ...ignoring({ http_codes: [404] }) },
        retriever: {
          partition_router: { type: 'ListPartitionRouter', values: ['1', '2', '3', '4'], cursor_field: 'team' },
        },
      }),
    ]),
  )

test('of slices, a single one may be ignored; where all are, no list was seen', async () => {
  let missing = ['2']
  await using api = await serveApi({
    '*': (_, { path }) =>
      missing.includes(path.slice(-1))
        ? { status: 404, json: { error: 'no such team' } }
        : { json: { data: rows(5), total: 5 } },
  })
  await using files = await tempFolder()
  const to = destinationAt(`duckdb:${join(files.folder, 'teams.duckdb')}`)
  const run = async () => {
    const { ending, receipts } = await sync(childrenAt(api.url), { to })
    const last = (await collect(readPages(childrenAt(api.url)))).findLast(({ receipt }) => receipt)?.receipt
    assert.equal(last?.stream.verdict, receipts[0]?.verdict)
    return [ending, receipts[0]?.verdict, receipts[0]?.reason]
  }
  const ignored = 'the first response was ignored, as the manifest says, so no list was seen'
  assert.deepEqual(await run(), ['complete', 'unproven', `1 of 4 slices: ${ignored}`])
  missing = ['1', '2', '3']
  assert.deepEqual((await run()).slice(0, 2), ['held', 'unproven'])
  missing = ['1', '2', '3', '4']
  assert.deepEqual(await run(), ['held', 'incomplete', `4 of 4 slices: ${ignored}`])
})

/** Lists that decide what is read, of streams and of properties: one that is known to lack members does not pass without a word. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadManifest, sync, type SyncEvent } from '../../src/index.ts'
import { runCli } from '../cli/run-cli.ts'
import { tempFolder } from '../cli/shop.ts'
import { offsetPaginator, sourceOf, streamOf } from '../helpers/manifests.ts'
import { type Answer, serveApi } from '../helpers/serve-api.ts'

const names = (...given: string[]) => given.map((name) => ({ name }))

/** The pages of a list of names, two at a time, and whether it is known to be cut short. */
const lists: [name: string, pages: Answer[], isShort: boolean][] = [
  [
    'ends at its total',
    [{ json: { data: names('a', 'b'), total: 3 } }, { json: { data: names('c'), total: 3 } }],
    false,
  ],
  ['says nothing about its end', [{ json: { data: names('a') } }], false],
  ['has nothing', [{ json: { data: [] } }], false],
  ['is ignored', [{ status: 404, json: {} }], false],
  ['ends before its total', [{ json: { data: names('a', 'b'), total: 5 } }, { json: { data: [], total: 5 } }], true],
  ['says that there is more', [{ json: { data: names('a'), has_more: true } }], true],
]

/** What is read by such a list: the retriever of it, and a stream. */
function retrieverAt(url: string) {
  const { retriever } = streamOf({
    url,
    paginator: offsetPaginator({ page_size: 2 }),
    requester: {
      path: '/names',
      error_handler: {
        type: 'DefaultErrorHandler',
        response_filters: [{ type: 'HttpResponseFilter', http_codes: [404], action: 'IGNORE' }],
      },
    },
  })
  return retriever
}

function streamsFrom(url: string) {
  const mapping = (field_path: string[], value: string) => ({ type: 'ComponentMappingDefinition', field_path, value })
  return {
    ...sourceOf([streamOf({ url, stream: { name: 'written' } })]),
    dynamic_streams: [
      {
        type: 'DynamicDeclarativeStream',
        name: 'made',
        stream_template: streamOf({ url }),
        components_resolver: {
          type: 'HttpComponentsResolver',
          retriever: retrieverAt(url),
          components_mapping: [mapping(['name'], '{{ components_values.name }}')],
        },
      },
    ],
  }
}

function propertiesFrom(url: string) {
  const property_list = { type: 'PropertiesFromEndpoint', property_field_path: ['name'], retriever: retrieverAt(url) }
  const fields = { type: 'QueryProperties', property_list }
  return sourceOf([streamOf({ url, requester: { request_parameters: { fields } } })])
}

const serve = (pages: readonly Answer[]) =>
  serveApi({
    'GET /names': (query) => pages[Number(query.get('offset') ?? 0) / 2] ?? { json: { data: [] } },
    'GET /items': () => ({ json: { data: [{ id: 1 }], total: 1 } }),
  })

for (const [name, pages, isShort] of lists) {
  test(`a list of streams that ${name}`, async () => {
    await using api = await serve(pages)
    await using files = await tempFolder()
    const to = `duckdb:${join(files.folder, 'out.duckdb')}`
    const manifest = loadManifest(streamsFrom(api.url))
    const notices: string[] = []
    const onEvent = (event: SyncEvent) => void (event.kind === 'notice' && notices.push(JSON.stringify(event.notice)))
    const { ending, receipts } = await sync(manifest, { to, onEvent })
    assert.equal(ending, isShort ? 'incomplete' : 'complete')
    assert.ok(receipts.every((receipt) => receipt.ending === 'complete'))
    assert.equal(/The list that streams are made of is incomplete/.test(notices.join()), isShort)
    // What is named is known.
    if (isShort) assert.equal((await sync(manifest, { to, streams: ['a', 'written'] })).ending, 'complete')
  })

  test(`a list of properties that ${name}`, async () => {
    await using api = await serve(pages)
    await using files = await tempFolder()
    const manifest = loadManifest(propertiesFrom(api.url))
    const { ending, receipts } = await sync(manifest, { to: `duckdb:${join(files.folder, 'out.duckdb')}` })
    const [receipt] = receipts
    assert.deepEqual(
      [ending, receipt?.verdict, receipt?.error?.code],
      isShort ? ['failed', 'incomplete', 'records/list-incomplete'] : ['complete', 'complete', undefined],
    )
  })
}

test('a sync, a read and a discovery of all streams of such a list say so', async () => {
  await using api = await serve([{ json: { data: names('a'), has_more: true } }])
  await using files = await tempFolder()
  const manifest = await files.write('manifest.json', streamsFrom(api.url))
  const given = ['--manifest-path', manifest, '--config', await files.write('config.json', {})]
  for (const [command, expected] of Object.entries({ discover: 0, read: 0, sync: 1 })) {
    const { code, stdout, stderr } = await runCli([command, ...given], { cwd: files.folder })
    assert.match(stdout + stderr, /The list that streams are made of is incomplete: the last page says there is more/)
    assert.equal(code, expected, command)
  }
})

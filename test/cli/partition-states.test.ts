import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { serveApi } from '../helpers/serve-api.ts'
import { recordsIn, runCli, said, startCli, statesIn } from './run-cli.ts'
import { daily, manifestOf, stream, tempFolder } from './shop.ts'

/** A stream with a cursor for each of so many shops, read in one window. */
function byShop(url: string, shops: number): object {
  const { step: _step, cursor_granularity: _granularity, ...whole } = daily.incremental_sync
  const plain = stream(url, { name: 'orders', stream: { incremental_sync: whole } }) as { retriever: object }
  const partition_router = {
    type: 'ListPartitionRouter',
    values: Array.from({ length: shops }, (_, shop) => String(shop)),
    cursor_field: 'shop',
    request_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'shop' },
  }
  return manifestOf([
    { ...plain, retriever: { ...plain.retriever, paginator: { type: 'NoPagination' }, partition_router } },
  ])
}

const order = (shop: string | null) => ({ json: { data: [{ id: shop, at: '2024-01-02T00:00:00Z' }] } })

type PartitionStates = { states: { partition: { shop: string }; cursor: { at: string } }[] }

test('a state that lists 300 partitions is written once, at the end, not again and again', async () => {
  await using api = await serveApi({ 'GET /orders': (query) => order(query.get('shop')) })
  await using files = await tempFolder()
  const manifest = await files.write('manifest.json', byShop(api.url, 300))
  const ran = await runCli(['read', '--manifest-path', manifest])
  assert.equal(ran.code, 0, ran.stderr)
  assert.equal(recordsIn(ran).length, 300)
  const states = statesIn(ran)
  assert.equal(states.length, 1)
  const [, state, count] = states[0] ?? []
  assert.equal((state as PartitionStates).states.length, 300)
  assert.equal(count, 300)
})

test('a read that is interrupted writes how far its partitions got', async () => {
  await using api = await serveApi({
    'GET /orders': (query) => (query.get('shop') === '3' ? { raw: () => {} } : order(query.get('shop'))),
  })
  await using files = await tempFolder()
  const manifest = await files.write('manifest.json', byShop(api.url, 5))
  await using started = startCli(['read', '--manifest-path', manifest, '--concurrency', '1'])
  const before = await said(started.child.stdout, '"id":"2"')
  started.child.kill('SIGTERM')
  const stdout = before + (await text(started.child.stdout))
  assert.equal(await started.ended, 'SIGTERM')
  const [, state] = statesIn({ stdout }).at(-1) ?? []
  const read = (state as PartitionStates).states.filter(({ cursor }) => cursor.at > '2024-01-01T00:00:00Z')
  assert.deepEqual(
    read.map(({ partition }) => partition.shop),
    ['0', '1', '2'],
  )
})

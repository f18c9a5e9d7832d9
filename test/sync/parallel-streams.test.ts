/** Several streams of one sync are read at the same time, and written one commit after the other. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, sync, type SyncOptions } from '../../src/index.ts'
import { offsetPaginator, option, sourceOf, streamOf } from '../helpers/manifests.ts'
import { memoryDestination } from '../helpers/memory-destination.ts'
import { type Handler, serveApi } from '../helpers/serve-api.ts'

const names = ['a', 'b', 'c', 'd', 'e', 'f']

const streamsAt = (url: string, extra: object = {}) =>
  names.map((name) =>
    streamOf({ url, name, requester: { path: `/${name}` }, paginator: offsetPaginator({ page_size: 3 }), ...extra }),
  )

/** Seven records under each name. */
const seven: Handler = (query, { path }) => {
  const offset = Number(query.get('offset') ?? 0)
  const ids = [1, 2, 3, 4, 5, 6, 7].slice(offset, offset + 3)
  return { json: { data: ids.map((id) => ({ id: `${path}${id}` })) } }
}

const idsIn = (rows: readonly Record<string, unknown>[] = []) => rows.map(({ id }) => id)

async function syncSeven(url: string, to = memoryDestination(), options: Partial<SyncOptions> = {}) {
  const result = await sync(loadManifest(sourceOf(streamsAt(url))), { to, ...options })
  for (const name of names) {
    assert.deepEqual(
      idsIn(to.tables.get(name)),
      [1, 2, 3, 4, 5, 6, 7].map((id) => `/${name}${id}`),
    )
  }
  return result
}

test('four streams wait for their first page at the same time, and the receipts keep the order of the manifest', async () => {
  const waiting = new Set<() => void>()
  let most = 0
  const firstTogether: Handler = async (query, request) => {
    if (query.has('offset')) return seven(query, request)
    await new Promise<void>((resolve) => {
      waiting.add(resolve)
      most = Math.max(most, waiting.size)
      // The last two of the six are only two.
      if (waiting.size < 4 && most < 4) return
      for (const go of waiting) go()
      waiting.clear()
    })
    return seven(query, request)
  }
  await using api = await serveApi({ '*': firstTogether })
  const { receipts, ending } = await syncSeven(api.url)
  assert.deepEqual(
    receipts.map(({ stream }) => stream),
    names,
  )
  assert.equal(ending, 'complete')
})

test('one at a time, streams are read in the order of the manifest', async () => {
  await using api = await serveApi({ '*': seven })
  await syncSeven(api.url, memoryDestination(), { streamsAtOnce: 1, prefetch: 'off' })
  const paths = api.requests.map(({ path }) => path)
  assert.deepEqual(
    paths,
    names.flatMap((name) => [`/${name}`, `/${name}`, `/${name}`]),
  )
})

test('commits of several streams never overlap', async () => {
  await using api = await serveApi({ '*': seven })
  const to = memoryDestination()
  let under = 0
  to.onCommit = async () => {
    assert.equal(++under, 1)
    await new Promise((resolve) => setTimeout(resolve, 2))
    under--
  }
  await syncSeven(api.url, to, { now: everySecond() })
  assert.ok(to.commits.length >= 12, `${to.commits.length} commits`)
})

test('streams and their slices share the number of slices that are read at a time', async () => {
  let under = 0
  let most = 0
  const slow: Handler = async (query, request) => {
    most = Math.max(most, ++under)
    await new Promise((resolve) => setTimeout(resolve, 3))
    under--
    return seven(query, request)
  }
  await using api = await serveApi({ '*': slow })
  const partition_router = {
    type: 'ListPartitionRouter',
    values: ['x', 'y', 'z'],
    cursor_field: 'part',
    request_option: option('request_parameter', 'part'),
  }
  const manifest = {
    ...sourceOf(streamsAt(api.url, { retriever: { partition_router } })),
    concurrency_level: { type: 'ConcurrencyLevel', default_concurrency: 3 },
  }
  const to = memoryDestination()
  // A page ahead that is cancelled is over here, while this server still works on it.
  await sync(loadManifest(manifest), { to, prefetch: 'off' })
  for (const name of names) assert.equal(to.tables.get(name)?.length, 21)
  assert.ok(most <= 3, `${most} at a time`)
})

test('a destination that fails ends every stream, with its own error', async () => {
  for (const when of ['before', 'after'] as const) {
    await using api = await serveApi({ '*': seven })
    const to = memoryDestination()
    to.breakAt = { commit: 4, when }
    await assert.rejects(syncSeven(api.url, to, { now: everySecond() }), /The line went dead/)
    assert.equal(to.commits.length, 4, 'nothing is written after a commit of unknown outcome')
    to.breakAt = null
    await syncSeven(api.url, to)
  }
})

/** Moves a second with every look: each page is committed on its own. */
function everySecond(): () => number {
  let now = Date.UTC(2026, 0, 1)
  return () => (now += 1000)
}

/** A sync that is broken off at every commit, before it and after it, and gone on with: the tables are always the same. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectorError, loadManifest, sync, type SyncEvent, type SyncMode, type SyncOptions } from '../../src/index.ts'
import { cursorPaginator, offsetPaginator, option, sourceOf, streamOf } from '../helpers/manifests.ts'
import { hasEnded, type MemoryDestination, memoryDestination } from '../helpers/memory-destination.ts'
import { firstSeed, isWhole } from '../helpers/proof.ts'
import { type Handler, serveApi } from '../helpers/serve-api.ts'

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    at: `2024-01-${String(1 + (index % 28)).padStart(2, '0')}`,
  }))

/** 23 records by offset, 17 by cursor, 3 parts of 5 each by region. */
const routes: Record<string, Handler> = {
  'GET /items': (query) => {
    const offset = Number(query.get('offset') ?? 0)
    return { json: { data: rowsOf(23).slice(offset, offset + 4) } }
  },
  'GET /feed': (query) => {
    const from = Number(query.get('cursor') ?? 0)
    const next = from + 3 < 17 ? from + 3 : null
    return { json: { data: rowsOf(17).slice(from, from + 3), next } }
  },
  'GET /parts': (query) => {
    const offset = Number(query.get('offset') ?? 0)
    const region = query.get('region')
    return {
      json: {
        data: rowsOf(5)
          .slice(offset, offset + 2)
          .map((row) => ({ ...row, region })),
      },
    }
  },
}

const offsets = (size: number) => ({ paginator: offsetPaginator({ page_size: size }) })
const feed = (url: string) =>
  streamOf({
    url,
    name: 'feed',
    requester: { path: '/feed' },
    paginator: cursorPaginator('{{ response.next }}'),
  })
const manifestAt = (url: string) =>
  sourceOf([
    streamOf({ url, name: 'items', ...offsets(4), stream: { primary_key: 'id' } }),
    feed(url),
    streamOf({
      url,
      name: 'parts',
      requester: { path: '/parts' },
      ...offsets(2),
      retriever: {
        partition_router: {
          type: 'ListPartitionRouter',
          values: ['eu', 'us', 'asia'],
          cursor_field: 'region',
          request_option: option('request_parameter', 'region'),
        },
      },
    }),
  ])

/** A clock that moves a second with every look: each page is committed on its own. */
function restless(): () => number {
  let now = Date.UTC(2026, 0, 1)
  return () => (now += 1000)
}

async function syncTo(to: MemoryDestination, url: string, options: Partial<SyncOptions> = {}) {
  const events: SyncEvent[] = []
  const result = await sync(loadManifest(manifestAt(url)), {
    to,
    now: restless(),
    onEvent: (event) => events.push(event),
    ...options,
  })
  return { result, events }
}

/** What must not depend on interruptions: the rows, and which page each came from. */
function contents({ tables }: MemoryDestination): Record<string, string[]> {
  return Object.fromEntries(
    [...tables].map(([name, rows]) => [
      name,
      rows.map((row) => JSON.stringify({ ...row, _turnleaf_run: null })).toSorted(),
    ]),
  )
}

const modes: SyncMode[] = ['full_refresh_overwrite', 'full_refresh_append']

for (const mode of modes) {
  test(`${mode}: broken at any commit and gone on with, the tables equal those of one go`, async () => {
    await using api = await serveApi(routes)
    const whole = memoryDestination()
    await syncTo(whole, api.url, { mode })
    const expected = contents(whole)
    const counts = Object.entries(expected).map(([name, rows]) => [name, rows.length])
    // In any order: streams are read at the same time.
    assert.deepEqual(Object.fromEntries(counts), { items: 23, feed: 17, parts: 15 })
    assert.ok(whole.commits.length > 15)
    // Every fourth, and all with `npm run test:proof`.
    const [first, step] = isWhole ? [1, 1] : [1 + (firstSeed % 4), 4]
    for (let commit = first; commit < whole.commits.length; commit += step) {
      for (const when of isWhole && commit % 2 ? (['before'] as const) : (['after', 'before'] as const)) {
        const to = memoryDestination()
        to.breakAt = { commit, when }
        await assert.rejects(syncTo(to, api.url, { mode }), { code: 'destinations/lost' })
        if (hasEnded(to)) continue
        const { result } = await syncTo(to, api.url, { mode })
        assert.equal(result.ending, 'complete')
        assert.deepEqual(contents(to), expected, `${when} commit ${commit}`)
        assert.deepEqual(
          result.receipts.map(({ stream, records, pages }) => [stream, records, pages]),
          [
            ['items', 23, 6],
            ['feed', 17, 6],
            ['parts', 15, 9],
          ],
          `${when} commit ${commit}`,
        )
      }
    }
  })
}

for (const mode of modes) {
  test(`${mode}: a link that holds the credential is never stored: its slice starts over, and no row comes twice`, async () => {
    await using api = await serveApi({
      'GET /links': (query) => {
        const from = Number(query.get('from') ?? 0)
        if (from > 0 && query.get('by') !== 'hidden-4711') return { status: 403 }
        const next = from + 2 < 7 ? `${api.url}/links?from=${from + 2}&by=hidden-4711` : null
        return { json: { data: rowsOf(7).slice(from, from + 2), next } }
      },
    })
    const manifest = sourceOf([
      streamOf({
        url: api.url,
        name: 'links',
        requester: { path: '/links', authenticator: { type: 'BearerAuthenticator', api_token: 'hidden-4711' } },
        paginator: {
          pagination_strategy: { type: 'CursorPagination', cursor_value: '{{ response.next }}' },
          page_token_option: { type: 'RequestPath' },
        },
      }),
    ])
    const syncLinks = (to: MemoryDestination) => sync(loadManifest(manifest), { to, mode, now: restless() })
    const whole = memoryDestination()
    await syncLinks(whole)
    const expected = contents(whole)
    assert.equal(expected.links?.length, 7)
    for (let commit = 1; commit < whole.commits.length; commit++) {
      const to = memoryDestination()
      to.breakAt = { commit, when: 'after' }
      await assert.rejects(syncLinks(to), { code: 'destinations/lost' })
      assert.doesNotMatch(JSON.stringify([...to.notes]), /hidden-4711/)
      if (hasEnded(to)) continue
      const { ending } = await syncLinks(to)
      assert.equal(ending, 'complete')
      assert.deepEqual(contents(to), expected, `commit ${commit}`)
    }
  })
}

test('of what was committed only the last page is requested again: it shows that nothing moved', async () => {
  await using api = await serveApi(routes)
  const to = memoryDestination()
  to.breakAt = { commit: 5, when: 'after' }
  await assert.rejects(syncTo(to, api.url, { streams: ['items'], prefetch: 'off' }))
  const before = api.asked.length
  const kept = [...to.notes].find(([key]) => key.startsWith('slice/items/'))?.[1] ?? ''
  const { result, events } = await syncTo(to, api.url, { streams: ['items'], prefetch: 'off' })
  const { emitted } = JSON.parse(kept)
  const resumed = [emitted - 4, emitted].map((offset) => `GET /items?offset=${offset}&limit=4`)
  assert.deepEqual(api.asked.slice(before, before + 2), resumed)
  assert.ok(before >= 4)
  assert.ok(events.some((event) => event.kind === 'run-started' && event.continues))
  assert.equal(result.receipts[0]?.records, 23)
})

test('a stream that fails keeps what it has; the next run resumes it, the other streams are read again', async () => {
  let isBroken = true
  await using api = await serveApi({
    ...routes,
    'GET /feed': (query, request) =>
      isBroken && query.get('cursor') === '9' ? { status: 403 } : (routes['GET /feed'] as Handler)(query, request),
  })
  const to = memoryDestination()
  const first = await syncTo(to, api.url, { mode: 'full_refresh_append', streams: ['items', 'feed'] })
  assert.equal(first.result.ending, 'failed')
  assert.deepEqual(
    first.result.receipts.map(({ ending, verdict }) => [ending, verdict]),
    [
      ['complete', 'unproven'],
      ['failed', 'incomplete'],
    ],
  )
  assert.equal(first.result.receipts[1]?.error?.code, 'response/rejected')
  isBroken = false
  const second = await syncTo(to, api.url, { mode: 'full_refresh_append', streams: ['items', 'feed'] })
  assert.equal(second.result.ending, 'complete')
  assert.equal(to.tables.get('feed')?.length, 17)
  // Appending was requested: the stream that had ended is read and written a second time.
  assert.equal(to.tables.get('items')?.length, 46)
  assert.deepEqual(api.asked.filter((line) => line === 'GET /feed').length, 1)
})

test('a cursor that expired is recognised: the slice starts over, and nothing is duplicated', async () => {
  let expired = false
  await using api = await serveApi({
    'GET /feed': (query, request) => {
      if (expired && query.get('cursor') !== null) return { status: 410, json: { error: 'cursor expired' } }
      expired &&= query.get('cursor') !== null
      return (routes['GET /feed'] as Handler)(query, request)
    },
  })
  for (const mode of modes) {
    const to = memoryDestination()
    to.breakAt = { commit: 5, when: 'after' }
    expired = false
    await assert.rejects(syncTo(to, api.url, { mode, streams: ['feed'], prefetch: 'off' }))
    expired = true
    const { result, events } = await syncTo(to, api.url, { mode, streams: ['feed'] })
    assert.equal(result.ending, 'complete', JSON.stringify(result.receipts))
    assert.equal(to.tables.get('feed')?.length, 17)
    assert.equal(result.receipts[0]?.records, 17)
    assert.ok(events.some((event) => event.kind === 'notice' && JSON.stringify(event).includes('starts over')))
  }
})

const html = { text: '<h1>Sign in</h1>', headers: { 'content-type': 'text/html' } }

/** The page to resume from answers this once more; the beginning always answers. */
const notExpired: [stream: 'feed' | 'items', name: string, answer: object][] = [
  ['feed', '401', { status: 401 }],
  ['feed', '403', { status: 403 }],
  ['feed', 'HTML', html],
  ['items', '400', { status: 400 }],
  ['items', '404', { status: 404 }],
]

for (const [name, says, answer] of notExpired) {
  test(`${says} where ${name} resumes says nothing about the page: nothing is read again, and the next run resumes there`, async () => {
    let isRefusing = false
    await using api = await serveApi({
      ...routes,
      [`GET /${name}`]: (query, request) =>
        isRefusing && [...query.values()].some((value) => Number(value) > 4)
          ? answer
          : (routes[`GET /${name}`] as Handler)(query, request),
    })
    const to = memoryDestination()
    to.breakAt = { commit: 5, when: 'after' }
    const options = { mode: 'full_refresh_append', streams: [name], prefetch: 'off' } as const
    await assert.rejects(syncTo(to, api.url, options))
    const kept = to.tables.get(name)?.length ?? 0
    assert.ok(kept > 0)
    isRefusing = true
    const before = api.asked.length
    const { result, events } = await syncTo(to, api.url, options)
    assert.equal(result.ending, 'failed')
    assert.ok(
      api.asked.slice(before).every((line) => /cursor=|offset=/.test(line)),
      api.asked.slice(before).join(),
    )
    assert.ok(!events.some((event) => JSON.stringify(event).includes('starts over')))
    assert.equal(to.tables.get(name)?.length, kept)
    isRefusing = false
    assert.equal((await syncTo(to, api.url, options)).result.ending, 'complete')
    assert.equal(to.tables.get(name)?.length, name === 'feed' ? 17 : 23)
  })
}

test('when the first page is refused as well, the token is not the cause: nothing is deleted', async () => {
  let isClosed = false
  await using api = await serveApi({
    'GET /feed': (query, request) => (isClosed ? { status: 403 } : (routes['GET /feed'] as Handler)(query, request)),
  })
  const to = memoryDestination()
  to.breakAt = { commit: 5, when: 'after' }
  const options = { mode: 'full_refresh_append', streams: ['feed'], prefetch: 'off' } as const
  await assert.rejects(syncTo(to, api.url, options))
  const kept = to.tables.get('feed')?.length
  isClosed = true
  const { result } = await syncTo(to, api.url, options)
  assert.equal(result.ending, 'failed')
  assert.equal(to.tables.get('feed')?.length, kept)
})

test('a manifest or config that changed starts the read over, without what the old one left', async () => {
  await using api = await serveApi(routes)
  const to = memoryDestination()
  to.breakAt = { commit: 5, when: 'after' }
  const options = { mode: 'full_refresh_append', streams: ['items'] } as const
  await assert.rejects(syncTo(to, api.url, options))
  assert.ok((to.tables.get('items')?.length ?? 0) > 0)
  await syncTo(to, api.url, { ...options, config: { team: 'other' } })
  assert.equal(to.tables.get('items')?.length, 23)
})

test('a run is resumed only with the same streams and modes', async () => {
  await using api = await serveApi(routes)
  const interrupted = async () => {
    const to = memoryDestination()
    const controller = new AbortController()
    const onEvent = (event: SyncEvent) => {
      if (event.kind === 'page' && event.stream === 'feed') controller.abort()
    }
    await syncTo(to, api.url, { streams: ['items', 'feed'], streamsAtOnce: 1, signal: controller.signal, onEvent })
    return to
  }
  const skippedIn = (events: readonly SyncEvent[]) =>
    events.flatMap((event) => (event.kind === 'stream-skipped' ? [event.receipt.stream] : []))

  const same = await syncTo(await interrupted(), api.url, { streams: ['items', 'feed'] })
  assert.deepEqual(skippedIn(same.events), ['items'])
  const mode = { items: 'full_refresh_append' } as const
  const otherMode = await syncTo(await interrupted(), api.url, { streams: ['items', 'feed'], mode })
  assert.deepEqual(skippedIn(otherMode.events), [])

  // The receipts of an attempt that read other streams stay with the run.
  const to = await interrupted()
  await syncTo(to, api.url, { streams: ['feed'] })
  const notes = [...to.notes].flatMap(([key, text]) => (key.startsWith('run/') ? [JSON.parse(text)] : []))
  assert.deepEqual(
    notes.map(({ streams }) => streams.map(({ stream }: { stream: string }) => stream)),
    [['items', 'feed']],
  )
})

test('a table that is not ours fails its stream, and no other', async () => {
  await using api = await serveApi(routes)
  const to = memoryDestination()
  to.onCommit = ({ steps }) => {
    if (steps.some(({ table }) => table.name === 'items')) {
      throw new ConnectorError('destinations/table-taken', 'There is a table "items" already.')
    }
  }
  const { result } = await syncTo(to, api.url, { streams: ['items', 'feed'] })
  assert.equal(result.ending, 'failed')
  assert.deepEqual(
    result.receipts.map(({ stream, ending, error }) => [stream, ending, error?.code]),
    [
      ['items', 'failed', 'destinations/table-taken'],
      ['feed', 'complete', undefined],
    ],
  )
})

test('records that the destination refuses fail their stream, which keeps what was committed before, and no other', async () => {
  await using api = await serveApi(routes)
  const to = memoryDestination()
  to.onCommit = ({ steps }) => {
    const pages = steps.flatMap((step) => (step.kind === 'write' && step.table.name === 'items' ? step.pages : []))
    if (pages.some(({ page }) => page >= 3)) throw new ConnectorError('destinations/data-refused', 'No such number.')
  }
  for (let attempt = 0; attempt < 2; attempt++) {
    const { result } = await syncTo(to, api.url, { streams: ['items', 'feed'] })
    assert.equal(result.ending, 'failed')
    assert.deepEqual(
      result.receipts.map(({ stream, ending, pages, records, error }) => [stream, ending, pages, records, error?.code]),
      [
        ['items', 'failed', 2, 8, 'destinations/data-refused'],
        ['feed', 'complete', 6, 17, undefined],
      ],
    )
  }
  to.onCommit = () => {}
  const { result } = await syncTo(to, api.url, { streams: ['items', 'feed'] })
  assert.equal(result.ending, 'complete')
  assert.equal(to.tables.get('items')?.length, 23)
})

test('a cancelled sync keeps its pages and resumes', async () => {
  await using api = await serveApi(routes)
  const to = memoryDestination()
  const controller = new AbortController()
  const options = { mode: 'full_refresh_append', streams: ['items'] } as const
  const { result } = await syncTo(to, api.url, {
    ...options,
    signal: controller.signal,
    onEvent: (event) => event.kind === 'page' && event.page === 3 && controller.abort(),
  })
  assert.equal(result.ending, 'interrupted')
  assert.equal(result.receipts[0]?.ending, 'cancelled')
  const kept = to.tables.get('items')?.length ?? 0
  assert.ok(kept >= 8 && kept < 23, String(kept))
  assert.equal((await syncTo(to, api.url, options)).result.ending, 'complete')
  assert.equal(to.tables.get('items')?.length, 23)
})

test('a second sync at the same time is refused', async () => {
  await using api = await serveApi(routes)
  const to = memoryDestination()
  let second: Promise<unknown> | undefined
  to.onCommit = () => {
    second ??= assert.rejects(syncTo(to, api.url), { code: 'destinations/busy' })
  }
  await syncTo(to, api.url)
  await second
})

test('a slow destination holds back the requests', async () => {
  await using api = await serveApi({
    'GET /items': (query) => {
      const offset = Number(query.get('offset') ?? 0)
      return { json: { data: rowsOf(60_000).slice(offset, offset + 2500) } }
    },
  })
  const to = memoryDestination()
  let release = () => {}
  let wasAsked = 0
  let isHeld = false
  to.onCommit = async ({ steps }) => {
    if (isHeld || !steps.some(({ kind }) => kind === 'write')) return
    isHeld = true
    await new Promise<void>((resolve) => {
      release = resolve
      const settle = (last: number) => {
        wasAsked = api.asked.length
        // No new request for a while: the reader waits.
        if (wasAsked === last) resolve()
        else setTimeout(settle, 100, wasAsked)
      }
      setTimeout(settle, 100, -1)
    })
  }
  const manifest = sourceOf([streamOf({ url: api.url, name: 'items', ...offsets(2500) })])
  await sync(loadManifest(manifest), { to, now: () => 0, prefetch: 4 })
  release()
  // One batch is being committed, one is full, and four pages are on their way.
  assert.ok(wasAsked <= 9, `${wasAsked} pages were requested while the first commit was held`)
  assert.equal(to.tables.get('items')?.length, 60_000)
})

const wrongOptions: [code: string, options: object][] = [
  ['sync/unknown-mode', { mode: 'incremental' }],
  ['sync/unknown-mode', { mode: { items: 'incremental-dedup' } }],
  ['plan/invalid-option', { require: 'compelte' }],
  ['plan/invalid-option', { streamsAtOnce: 0 }],
  ['plan/invalid-option', { concurrency: Number.NaN }],
  ['plan/invalid-option', { to: 5 }],
  ['plan/invalid-option', { to: undefined }],
  ['plan/invalid-option', { connection: 5 }],
  ['plan/invalid-option', { connection: '' }],
  ['plan/invalid-option', { schema: 5 }],
  ['plan/invalid-option', { streams: 'items' }],
  ['plan/invalid-option', { streams: [] }],
  ['plan/invalid-option', { isFresh: 'yes' }],
  ['plan/invalid-option', { onEvent: 'print' }],
  ['plan/invalid-option', { stream: 'items' }],
  ['plan/invalid-option', { maxPages: 3 }],
  ['plan/invalid-option', { acceptdrop: true }],
]

test('an option that a program got wrong is refused, and nothing is requested', async () => {
  await using api = await serveApi(routes)
  for (const [code, options] of wrongOptions) {
    const given = { to: memoryDestination(), ...options } as SyncOptions
    await assert.rejects(sync(loadManifest(manifestAt(api.url)), given), { code })
  }
  assert.deepEqual(api.requests, [])
})

test('a mode for a stream that does not exist is refused; for one that is not synced this time, it is not', async () => {
  await using api = await serveApi(routes)
  const syncWith = (mode: SyncOptions['mode'], streams?: string[]) =>
    syncTo(memoryDestination(), api.url, { mode, streams, streamsAtOnce: 1 })
  const append = 'full_refresh_append'
  await assert.rejects(syncWith({ items: append, feeed: append }, ['items']), {
    code: 'manifest/unknown-stream',
    message: 'There is no stream "feeed"; the manifest has items, feed, parts.',
  })
  assert.deepEqual(api.requests, [])
  const { result } = await syncWith({ items: append, feed: append, '*': append }, ['items'])
  assert.deepEqual(
    result.receipts.map(({ stream, mode }) => [stream, mode]),
    [['items', append]],
  )
})

test('another config than that of the last sync is warned of, unless everything is read afresh', async () => {
  await using api = await serveApi(routes)
  const spec = { type: 'object', properties: { key: { type: 'string', airbyte_secret: true } } }
  const manifest = loadManifest({
    ...manifestAt(api.url),
    spec: { type: 'Spec', connection_specification: spec },
  })
  const to = memoryDestination()
  const warnedWith = async (config: Record<string, string>, isFresh?: boolean) => {
    const warned: string[] = []
    const onEvent = (event: SyncEvent) => {
      if (event.kind !== 'notice' || event.stream !== '' || event.notice.kind !== 'warning') return
      warned.push(event.notice.text)
    }
    await sync(manifest, { to, config, isFresh, streams: ['feed'], connection: 'shop', onEvent })
    return warned.map((text) => text.split('.')[0])
  }
  const differs = ['The config differs from that of the last sync of "shop"']
  assert.deepEqual(await warnedWith({ team: 'a', key: 'hidden-1' }), [])
  // A secret may change: the account is the same.
  assert.deepEqual(await warnedWith({ team: 'a', key: 'hidden-2' }), [])
  assert.deepEqual(await warnedWith({ team: 'b', key: 'hidden-2' }), differs)
  assert.deepEqual(await warnedWith({ team: 'c', key: 'hidden-2' }, true), [])
  assert.deepEqual(await warnedWith({ team: 'c', key: 'hidden-2' }), [])
})

test('a sync ends with `onEnd`, also where it fails, and closes its destination before', async () => {
  await using api = await serveApi(routes)
  const to = memoryDestination()
  const order: string[] = []
  const isClosed = () => to.open('default').then((opened) => opened.close())
  const onEnd = async () => {
    await isClosed()
    order.push('ended')
  }
  await syncTo(to, api.url, {
    streams: ['feed'],
    onEnd,
    onEvent: ({ kind }) => kind === 'run-ended' && order.push(kind),
  })
  assert.deepEqual(order, ['run-ended', 'ended'])
  await assert.rejects(syncTo(to, api.url, { streams: ['fed'], onEnd }), { code: 'manifest/unknown-stream' })
  to.breakAt = { commit: to.commits.length + 1, when: 'before' }
  await assert.rejects(syncTo(to, api.url, { streams: ['feed'], onEnd }), { code: 'destinations/lost' })
  assert.deepEqual(order, ['run-ended', 'ended', 'ended', 'ended'])
})

test('a sync that is cancelled begins no further stream, and the run is resumed', async () => {
  await using api = await serveApi(routes)
  const to = memoryDestination()
  const controller = new AbortController()
  const { result } = await syncTo(to, api.url, {
    streams: ['feed', 'items'],
    streamsAtOnce: 1,
    signal: controller.signal,
    onEvent: ({ kind }) => kind === 'stream-ended' && controller.abort(),
  })
  assert.deepEqual([result.ending, result.receipts.map(({ ending }) => ending)], ['interrupted', ['complete']])
  assert.equal(result.connection, 'default')
  const rest = await syncTo(to, api.url, { streams: ['feed', 'items'] })
  const [started] = rest.events
  assert.equal(started?.kind === 'run-started' && started.continues, true)
  assert.deepEqual([rest.result.run, rest.result.ending], [result.run, 'complete'])
})

/** Receipts of whole reads by the library: several slices at once, reads that begin elsewhere, classes of one's own. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadManifest, type Receipt, readPages, type ReadOptions } from '../../src/index.ts'
import { cursorPaginator, manifestOf, offsetPaginator, option, type StreamParts } from '../helpers/manifests.ts'
import { verdictOf } from '../helpers/receipts.ts'
import { type Handler, serveApi } from '../helpers/serve-api.ts'

async function receiptsOf(parts: StreamParts, options: ReadOptions = {}): Promise<Receipt[]> {
  const receipts: Receipt[] = []
  for await (const { receipt } of readPages(loadManifest(manifestOf(parts)), options)) {
    if (receipt !== undefined) receipts.push(receipt)
  }
  return receipts
}

const rowsOf = (count: number) => Array.from({ length: count }, (_, id) => ({ id }))

/** Two records a page; `sizes` says how many each shop has. */
const shops =
  (sizes: Record<string, number>): Handler =>
  (query) => {
    const offset = Number(query.get('offset') ?? 0)
    const size = sizes[query.get('shop') ?? ''] ?? 0
    return { json: { data: rowsOf(size).slice(offset, offset + 2), total: size } }
  }

const byShop = (values: string[]) => ({
  partition_router: {
    type: 'ListPartitionRouter',
    values,
    cursor_field: 'shop',
    request_option: option('request_parameter', 'shop'),
  },
})

const paged = (url: string, rest: Partial<StreamParts> = {}): StreamParts => ({
  url,
  paginator: offsetPaginator({ page_size: 2 }),
  stream: { primary_key: 'id' },
  ...rest,
})

describe('slices side by side', () => {
  test('each has its own claims and keys, and the last receipt speaks for all of them', async () => {
    await using api = await serveApi({ 'GET /items': shops({ a: 5, b: 3, c: 0, d: 4 }) })
    const receipts = await receiptsOf(paged(api.url, { retriever: byShop(['a', 'b', 'c', 'd']) }), { concurrency: 4 })
    assert.deepEqual(receipts.map(({ verdict, reason }) => `${verdict}: ${reason}`).toSorted(), [
      'complete: total 0',
      'complete: total 3',
      'complete: total 4',
      'complete: total 5',
    ])
    const { stream } = receipts.at(-1) as Receipt
    assert.equal(verdictOf(stream), 'complete: each of 4 slices is complete')
    assert.deepEqual([stream.slices, stream.pages, stream.received, stream.keys?.unique], [4, 9, 12, 12])
    // The same key in two shops is no repetition: each counts for itself.
    assert.equal(stream.keys?.repeated, 0)
    assert.deepEqual(stream.claimed.total, { value: 12, at: 'total' })
  })

  test('a total that all of them name is claimed once', async () => {
    await using api = await serveApi({
      'GET /items': (query) => ({ json: { data: rowsOf(query.get('shop') === 'a' ? 1 : 0), total: 9 } }),
    })
    const receipts = await receiptsOf(paged(api.url, { retriever: byShop(['a', 'b']) }))
    assert.equal(receipts.at(-1)?.stream.claimed.total?.value, 9)
  })
})

describe('a read that does not see everything claims nothing about it', () => {
  test('from a token: the rest may be the total by chance, and less than it on purpose', async () => {
    await using api = await serveApi({ 'GET /items': shops({ '': 4 }) })
    const [receipt] = await receiptsOf(paged(api.url), { from: { value: 2 } })
    assert.equal(receipt?.received, 2)
    assert.equal(verdictOf(receipt), 'unproven: started in the middle of the slice')
  })

  test('from a token, what the last page says still counts', async () => {
    await using api = await serveApi({ 'GET /items': () => ({ json: { data: rowsOf(1), has_more: true } }) })
    const [receipt] = await receiptsOf(paged(api.url), { from: { value: 2 } })
    assert.match(verdictOf(receipt) ?? '', /^incomplete: the last page says there is more/)
  })

  test('from a slice: those before it were left out', async () => {
    await using api = await serveApi({ 'GET /items': shops({ a: 1, b: 1 }) })
    const slice = { partition: { shop: 'b' }, window: {} }
    const [receipt] = await receiptsOf(paged(api.url, { retriever: byShop(['a', 'b']) }), { slice })
    assert.equal(verdictOf(receipt), 'complete: total 1')
    assert.equal(verdictOf(receipt?.stream), 'unproven: total 1, but 1 slice left out')
  })

  test('up to a limit', async () => {
    await using api = await serveApi({ 'GET /items': shops({ '': 4 }) })
    const [receipt] = await receiptsOf(paged(api.url), { maxPages: 1 })
    assert.equal(verdictOf(receipt), 'incomplete: stopped at the page limit')
  })

  test('to a page whose next one cannot be found: the code is in the receipt', async () => {
    await using api = await serveApi({ 'GET /items': () => ({ json: { data: rowsOf(1), next: 'x' } }) })
    const parts = { url: api.url, paginator: cursorPaginator('{{ response.next.nothing() }}') }
    const receipts: Receipt[] = []
    await assert.rejects(async () => {
      for await (const { receipt } of readPages(loadManifest(manifestOf(parts)))) if (receipt) receipts.push(receipt)
    })
    assert.equal(receipts[0]?.stop, 'error')
    assert.match(receipts[0].error ?? '', /^template\//)
    assert.equal(verdictOf(receipts[0]), `incomplete: ended by an error: ${receipts[0].error}`)
  })
})

describe('what the API sends is held against what was requested', () => {
  const capped: Handler = (query) => {
    const offset = Number(query.get('offset') ?? 0)
    const size = Math.min(Number(query.get('limit')), 100)
    return { json: { data: rowsOf(250).slice(offset, offset + size), paging: { count_all: 250, total: 250 } } }
  }

  test('a largest size of its own is named', async () => {
    await using api = await serveApi({ 'GET /items': capped })
    const [receipt] = await receiptsOf(paged(api.url, { paginator: offsetPaginator({ page_size: 500 }) }))
    assert.equal(
      verdictOf(receipt),
      'incomplete: the API counts 250, received 100; it sends at most 100 a page where 500 were requested',
    )
    assert.equal(receipt?.at, 'paging.total')
  })

  test('a size that it honours is not', async () => {
    await using api = await serveApi({ 'GET /items': capped })
    const [receipt] = await receiptsOf(paged(api.url, { paginator: offsetPaginator({ page_size: 100 }) }))
    assert.equal(verdictOf(receipt), 'complete: total 250')
  })
})

test('a flag of any name is heard where the stop condition reads it', async () => {
  const pages = (isLying: boolean): Handler => {
    let page = 0
    return () => {
      page++
      return { json: { data: [{ id: page }, { id: -page }], blatt: { weiter: page < 3 || isLying, naechstes: page } } }
    }
  }
  const paginator = {
    pagination_strategy: {
      type: 'CursorPagination',
      cursor_value: '{{ response.blatt.naechstes }}',
      stop_condition: '{{ not response.blatt.weiter or last_page_size == 0 }}',
    },
    page_token_option: option('request_parameter', 'blatt'),
  }
  await using api = await serveApi({ 'GET /items': pages(false) })
  const [receipt] = await receiptsOf({ url: api.url, paginator })
  assert.equal(receipt?.pages, 3)
  assert.equal(verdictOf(receipt), 'complete: the API says that this was the last page')
  assert.equal(receipt.at, 'blatt.weiter')
  await using other = await serveApi({ 'GET /items': pages(true) })
  const [cut] = await receiptsOf({ url: other.url, paginator }, { maxPages: 4 })
  assert.deepEqual(cut?.claimed.more, { value: true, at: 'blatt.weiter', by: 'flag' })
})

test('a receipt holds nothing that is secret, and is plain JSON', async () => {
  await using api = await serveApi({
    'GET /items': () => ({ json: { data: [{ id: 'k-3f9a' }, { id: 'k-3f9a' }], total: 2, next: '/x?api_key=k-3f9a' } }),
  })
  const auth = { type: 'ApiKeyAuthenticator', api_token: "{{ config['key'] }}", inject_into: option('header', 'x-key') }
  const parts = { url: api.url, requester: { authenticator: auth }, stream: { primary_key: 'id' } }
  const receipts = await receiptsOf(parts, { config: { key: 'k-3f9a' } })
  assert.equal(receipts.length, 1)
  assert.ok(!JSON.stringify(receipts).includes('k-3f9a'), JSON.stringify(receipts))
  assert.deepEqual(JSON.parse(JSON.stringify(receipts)), receipts)
})

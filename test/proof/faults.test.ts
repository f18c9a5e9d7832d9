/** Reads over a real server whose envelopes are drawn by a seed: healthy ones raise no alarm, cut ones do. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest } from '../../src/index.ts'
import { judge } from '../helpers/judge.ts'
import { manifestOf } from '../helpers/manifests.ts'
import { firstSeed, partOf } from '../helpers/proof.ts'
import { serveApi } from '../helpers/serve-api.ts'

type Shown = { total: number; page: number; pages: number; size: number; count: number; isLast: boolean; next: string }
type Envelope = (shown: Shown) => { body?: object; headers?: Record<string, string> }

const envelopes: Record<string, Envelope> = {
  total: ({ total }) => ({ body: { total } }),
  'meta.total_count': ({ total, count }) => ({ body: { meta: { total_count: total, count } } }),
  'count and next': ({ total, isLast, next }) => ({ body: { count: total, next: isLast ? null : next } }),
  'page.totalElements': ({ total, page, pages, size }) => ({
    body: { page: { totalElements: total, totalPages: pages, number: page, size } },
  }),
  last_page: ({ page, pages }) => ({ body: { current_page: page, last_page: Math.max(pages, 1) } }),
  total_pages: ({ pages }) => ({ body: { total_pages: pages } }),
  has_more: ({ isLast, count }) => ({ body: { has_more: !isLast, count } }),
  is_last: ({ isLast }) => ({ body: { pagination: { is_last: isLast } } }),
  'links.next': ({ isLast, next }) => ({ body: { links: { next: isLast ? null : next } } }),
  'next is gone': ({ isLast, next }) => ({ body: isLast ? {} : { next } }),
  'x-total-count': ({ total }) => ({ headers: { 'x-total-count': String(total) } }),
  'content-range': ({ total }) => ({ headers: { 'content-range': `items 0-0/${total}` } }),
  link: ({ isLast, next }) => ({ headers: isLast ? {} : { link: `<${next}>; rel="next"` } }),
}

/** They say that a page is the last one, and nothing of where the first one is. */
const endOnly = ['has_more', 'is_last', 'links.next', 'next is gone']

/** A Link header that is gone altogether says nothing. */
const goneWhole = ['link']

/** Nothing can be learned from these, and nothing may be. */
const silent: Record<string, Envelope> = {
  nothing: () => ({}),
  'the size of the page': ({ count }) => ({ body: { count, limit: 100, offset: 0 } }),
  'the size of the page, called total': ({ count }) => ({ body: { total: count } }),
  'a sum': ({ count }) => ({ body: { total: count * 12.5, summary: { total: count * 100 } } }),
  'a whole sum': ({ count }) => ({ body: { total: count * 5 } }),
  'a token for the next poll': ({ page }) => ({ body: { next_token: `t${page}` } }),
}

const paginator = (size: number) => ({
  pagination_strategy: { type: 'PageIncrement', page_size: size, start_from_page: 1, inject_on_first_request: true },
  page_token_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'page' },
  page_size_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'size' },
})

/** `cap`: the largest page the server gives, whatever was requested. */
async function judgeRead(
  envelope: Envelope,
  { total, size, cap = size }: { total: number; size: number; cap?: number },
) {
  await using api = await serveApi({
    'GET /items': (query) => {
      const page = Number(query.get('page'))
      const given = Math.min(Number(query.get('size')), cap)
      const start = (page - 1) * given
      const count = Math.max(0, Math.min(given, total - start))
      const pages = Math.ceil(total / given)
      const next = `https://api.test/items?page=${page + 1}`
      const { body, headers } = envelope({ total, page, pages, size: given, count, isLast: page >= pages, next })
      const data = Array.from({ length: count }, (_, index) => ({ id: start + index, total: 5, next: '/x' }))
      return { json: { data, ...body }, ...(headers && { headers }) }
    },
  })
  const manifest = loadManifest(manifestOf({ url: api.url, paginator: paginator(size), stream: { primary_key: 'id' } }))
  const { stream } = await judge(manifest, {})
  return stream
}

/** A small generator of our own, so that a failure can be run again. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

const seed = firstSeed + 7

for (const [name, envelope] of Object.entries(envelopes)) {
  test(`healthy reads under ${name} are complete, or unproven where one page says nothing (seed ${seed})`, async () => {
    const roll = dice(seed)
    for (let round = 0; round < partOf(8); round++) {
      const size = 1 + roll(6)
      const total = roll(4 * size + 1)
      const { verdict, reason } = await judgeRead(envelope, { total, size })
      const isShown =
        total > size && ![...endOnly, ...goneWhole].includes(name) ? ['complete'] : ['complete', 'unproven']
      assert.ok(isShown.includes(verdict), `total ${total}, size ${size}: ${verdict}, ${reason}`)
    }
  })

  test(`a page size that the server caps shows under ${name} (seed ${seed})`, async () => {
    const roll = dice(seed)
    for (let round = 0; round < partOf(4); round++) {
      const cap = 2 + roll(5)
      const total = cap + 1 + roll(3 * cap)
      const { verdict, reason } = await judgeRead(envelope, { total, size: cap + 5, cap })
      assert.equal(verdict, 'incomplete', `total ${total}, cap ${cap}: ${reason}`)
    }
  })
}

for (const name of endOnly) {
  test(`pages from 1 under ${name} are complete only where the API shows that its first page was read (seed ${seed})`, async () => {
    const roll = dice(seed)
    for (let round = 0; round < partOf(4); round++) {
      const size = 2 + roll(5)
      const total = size + 1 + roll(3 * size)
      const silentStart = await judgeRead(envelopes[name] as Envelope, { total, size })
      assert.match(
        `${silentStart.verdict}: ${silentStart.reason}`,
        /^unproven: .*nothing shows that the read began with the first page$/,
      )
      const withStart: Envelope = (shown) => {
        const { body, headers } = (envelopes[name] as Envelope)(shown)
        return { body: { ...body, previous: shown.page > 1 ? '/before' : null }, ...(headers && { headers }) }
      }
      assert.equal((await judgeRead(withStart, { total, size })).verdict, 'complete')
    }
  })
}

for (const [name, envelope] of Object.entries(silent)) {
  test(`${name} proves nothing, and raises no alarm (seed ${seed})`, async () => {
    const roll = dice(seed)
    for (let round = 0; round < partOf(8); round++) {
      const size = 1 + roll(6)
      const total = size + 1 + roll(3 * size)
      const { verdict, reason } = await judgeRead(envelope, { total, size })
      assert.equal(verdict, 'unproven', `total ${total}, size ${size}: ${reason}`)
    }
  })
}

/** Pages requested ahead: the same pages, receipts and errors as one by one, within bounds that the API can see. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConnectorError, loadManifest, type Page, type ReadOptions, readPages } from '../../../src/index.ts'
import { type Dice, diceOf } from '../../helpers/dice.ts'
import { manifestOf, offsetPaginator, option } from '../../helpers/manifests.ts'
import { seedsOf } from '../../helpers/proof.ts'
import { type Answer, type Handler, serveApi } from '../../helpers/serve-api.ts'

const instantly = { sleep: async () => {}, random: () => 0 }

type Shown = { pages: unknown[]; error: string | null; inVain: number }

/** What a reader sees, but for the time it took and the requests made in vain. */
async function shownBy(manifest: object, options: ReadOptions): Promise<Shown> {
  const pages: unknown[] = []
  let inVain = 0
  try {
    for await (const page of readPages(loadManifest(manifest), { ...instantly, ...options })) {
      const { requestsInVain = 0, ...receipt } = page.receipt ?? ({} as NonNullable<Page['receipt']>)
      inVain += requestsInVain
      const { timing: _, response, request, ...rest } = page
      const { method, url, headers, body: sent } = request
      pages.push({ ...rest, method, url, headers, sent, body: response.body, status: response.status, receipt })
    }
    return { pages, error: null, inVain }
  } catch (error) {
    const { code, message } = error as ConnectorError
    return { pages, error: `${code}: ${message}`, inVain }
  }
}

type Drawn = {
  readonly paginator: Record<string, unknown>
  readonly requester: Record<string, unknown>
  readonly serve: () => Handler
  readonly isSteady: boolean
  readonly hasTotal: boolean
  readonly story: string
}

/** An API and its manifest. */
function draw(dice: Dice): Drawn {
  const rows = Array.from(
    {
      length: dice.weigh([
        [1, 0],
        [4, dice.int(1, 400)],
      ]),
    },
    (_, index) => ({ id: index + 1 }),
  )
  const size = dice.int(1, 12)
  const cap = dice.chance(0.2) ? dice.int(1, size) : size
  const isOffset = dice.chance(0.5)
  const first = isOffset ? 0 : dice.pick([0, 1])
  const hasSize = dice.chance(0.8)
  const hasTotal = dice.chance(0.4)
  const past = dice.pick(['empty', 'empty', 400, 404, 416] as const)
  const isIgnored = dice.chance(0.4)
  const isStuck = dice.chance(0.05)
  const isUneven = !hasSize && isOffset && dice.chance(0.5)
  const failing = dice.chance(0.4) ? dice.some([...rows.keys()], 0.15) : []
  const status = dice.pick([429, 500, 503])
  const fatal = dice.chance(0.15) ? dice.pick([...rows.keys(), 0]) : null
  const mostFailures = dice.int(1, 2)
  const delay = dice.int(0, 3)

  const serve = (): Handler => {
    const tries = new Map<number, number>()
    return async (query) => {
      const token = Number(query.get('at') ?? first)
      const at = isStuck ? 0 : isOffset ? token : (token - first) * cap
      await new Promise((resolve) => setTimeout(resolve, (token * 7) % (delay + 1)))
      const tried = (tries.get(token) ?? 0) + 1
      tries.set(token, tried)
      if (fatal !== null && at >= fatal && at < fatal + cap) return { status: 403, json: { message: 'not this one' } }
      if (failing.includes(at) && tried <= mostFailures) return refusal(status)
      if (at >= rows.length && rows.length > 0 && past !== 'empty')
        return { status: past, json: { message: 'past the end' } }
      const length = isUneven ? 1 + ((at * 5) % cap) : cap
      return { json: { data: rows.slice(at, at + length), ...(hasTotal && { total: rows.length }) } }
    }
  }
  const strategy = isOffset
    ? { type: 'OffsetIncrement', ...(hasSize && { page_size: size }) }
    : { type: 'PageIncrement', start_from_page: first, ...(hasSize && { page_size: size }) }
  const filter = { type: 'HttpResponseFilter', action: 'IGNORE', http_codes: [400, 404, 416] }
  return {
    paginator: { pagination_strategy: strategy, page_token_option: option('request_parameter', 'at') },
    requester: isIgnored ? { error_handler: { type: 'DefaultErrorHandler', response_filters: [filter] } } : {},
    serve,
    isSteady: failing.length === 0 && fatal === null && !isUneven && !isStuck,
    hasTotal,
    story: JSON.stringify({
      rows: rows.length,
      size,
      cap,
      isOffset,
      first,
      hasSize,
      hasTotal,
      past,
      isIgnored,
      isStuck,
      isUneven,
      failing: failing.length,
      status,
      fatal,
    }),
  }
}

const refusal = (status: number): Answer => ({
  status,
  ...(status === 429 && { headers: { 'retry-after': '1' } }),
  json: { message: 'not now' },
})

test('random APIs: pages, receipts and errors are those of a read page by page', async () => {
  let ahead = 0
  for (const seed of seedsOf(240)) {
    const dice = diceOf(seed)
    const drawn = draw(dice)
    const { story } = drawn
    const stream = { primary_key: dice.chance(0.5) ? 'id' : undefined }
    const prefetch = dice.pick(['auto', 'auto', 2, 5, 40] as const)
    const maxPages = dice.chance(0.2) ? dice.int(1, 30) : undefined
    const read = async (how: ReadOptions) => {
      await using api = await serveApi({ 'GET /items': drawn.serve() })
      const manifest = manifestOf({ url: api.url, paginator: drawn.paginator, requester: drawn.requester, stream })
      const shown = await shownBy(manifest, { maxPages, ...how })
      return { shown: withoutHost(shown, api.url), asked: api.asked.length }
    }
    const byOne = await read({ prefetch: 'off' })
    const several = await read({ prefetch })
    const { inVain, ...result } = several.shown
    assert.deepEqual({ ...result, inVain: 0 }, byOne.shown, `seed ${seed}: ${story}`)
    const most = prefetch === 'auto' ? 16 : prefetch
    if (drawn.isSteady) assert.ok(inVain <= most, `seed ${seed}: ${inVain} in vain, ${story}`)
    if (drawn.isSteady && drawn.hasTotal && several.shown.error === null)
      assert.equal(inVain, 0, `seed ${seed}: ${story}`)
    if (drawn.isSteady && result.error === null)
      assert.ok(several.asked <= byOne.asked + inVain, `seed ${seed}: ${story}`)
    ahead += several.shown.pages.length

    // From any page on, too.
    const next = dice.pick(byOne.shown.pages as Page[])?.next
    if (next === undefined || next === null) continue
    const resumed = await read({ prefetch, from: next })
    const resumedByOne = await read({ prefetch: 'off', from: next })
    assert.deepEqual({ ...resumed.shown, inVain: 0 }, resumedByOne.shown, `seed ${seed}, resumed: ${story}`)
  }
  assert.ok(ahead > 500, 'enough pages were read')
})

function withoutHost(shown: Shown, url: string): Shown {
  return JSON.parse(JSON.stringify(shown).replaceAll(url, 'http://api')) as Shown
}

/** Answers when told to, so that a test sees what is under way at the same time. */
function held(rows: number, size: number, extra: object = {}) {
  const open: { at: number; answer: () => void }[] = []
  let most = 0
  const handler: Handler = (query) =>
    new Promise((resolve) => {
      const at = Number(query.get('offset') ?? 0)
      const data = Array.from({ length: Math.max(0, Math.min(size, rows - at)) }, (_, index) => ({ id: at + index }))
      open.push({ at, answer: () => resolve({ json: { data, ...extra } }) })
      most = Math.max(most, open.length)
    })
  return {
    handler,
    most: () => most,
    /** Answers all that are open, the last one first. */
    answerAll: () =>
      open
        .splice(0)
        .toReversed()
        .forEach(({ answer }) => answer()),
    offsets: () => open.map(({ at }) => at).toSorted((one, other) => one - other),
  }
}

/** Fails with what there is instead, long before the limit of the test run. */
async function until(isTrue: () => boolean, instead: () => unknown): Promise<void> {
  for (let tries = 0; !isTrue(); tries++) {
    if (tries > 5_000) assert.fail(JSON.stringify(instead()))
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

test('the window doubles with every full page, up to the most, and pages come in order', async () => {
  const server = held(3 * 40, 3)
  await using api = await serveApi({ 'GET /items': server.handler })
  const reader = readPages(loadManifest(manifestOf({ url: api.url, paginator: offsetPaginator() })), { prefetch: 8 })
  const read: number[] = []
  const readOne = async () => {
    const { value } = await reader.next()
    read.push(Number(value?.token?.value ?? 0))
  }
  /** These requests, and no others, wait for their response. */
  const underWay = (...pages: number[]) => {
    const offsets = pages.map((page) => page * 3)
    return until(
      () => JSON.stringify(server.offsets()) === JSON.stringify(offsets),
      () => server.offsets(),
    )
  }
  const first = readOne()
  await underWay(0)
  server.answerAll()
  await first
  await underWay(1, 2)
  server.answerAll()
  await readOne()
  await underWay(3, 4, 5)
  await readOne()
  await underWay(3, 4, 5, 6, 7, 8, 9, 10)
  server.answerAll()
  await readOne()
  await underWay(11)
  const timer = setInterval(server.answerAll, 1)
  for await (const page of reader) read.push(Number(page.token?.value))
  clearInterval(timer)
  assert.deepEqual(
    read,
    Array.from({ length: 41 }, (_, page) => page * 3),
  )
  assert.equal(server.most(), 8)
})

test('no page is requested past a total that the API names', async () => {
  await using api = await serveApi({
    'GET /items': (query) => {
      const at = Number(query.get('offset') ?? 0)
      const data = Array.from({ length: Math.max(0, Math.min(3, 20 - at)) }, (_, index) => ({ id: at + index }))
      return { json: { data, meta: { total_count: 20 } } }
    },
  })
  const { pages, inVain } = await shownBy(manifestOf({ url: api.url, paginator: offsetPaginator() }), {})
  assert.equal(pages.length, 7)
  assert.equal(inVain, 0)
  assert.equal(api.asked.length, 7)
})

test('a short last page does not move the end that the API names', async () => {
  const size = 8
  const rows = 311
  await using api = await serveApi({
    'GET /items': (query) => {
      const at = (Number(query.get('page') ?? 1) - 1) * size
      const data = Array.from({ length: Math.max(0, Math.min(size, rows - at)) }, (_, index) => ({ id: at + index }))
      return { json: { data, total: rows } }
    },
  })
  const paginator = {
    pagination_strategy: { type: 'PageIncrement', start_from_page: 1 },
    page_token_option: option('request_parameter', 'page'),
  }
  const { pages, inVain } = await shownBy(manifestOf({ url: api.url, paginator }), { prefetch: 5 })
  // Without a page size the empty page is the last one.
  assert.equal(pages.length, 40)
  assert.equal(inVain, 0)
  assert.equal(api.asked.length, 40)
})

test('the number of requests at a time stays within the concurrency of the manifest', async () => {
  const server = held(3 * 30, 3)
  await using api = await serveApi({ 'GET /items': server.handler })
  const manifest = manifestOf({ url: api.url, paginator: offsetPaginator() })
  const limited = { ...manifest, concurrency_level: { type: 'ConcurrencyLevel', default_concurrency: 3 } }
  const timer = setInterval(server.answerAll, 2)
  const { pages } = await shownBy(limited, {})
  clearInterval(timer)
  assert.equal(pages.length, 31)
  assert.ok(server.most() <= 3, `${server.most()} at a time`)
})

test('a 429 on a page ahead halves the window, and the page is read in its turn', async () => {
  let refused = 0
  let under = 0
  let most = 0
  await using api = await serveApi({
    'GET /items': async (query) => {
      const at = Number(query.get('offset') ?? 0)
      under++
      if (refused > 0) most = Math.max(most, under)
      await new Promise((resolve) => setTimeout(resolve, 2))
      under--
      if (at === 60 && refused++ === 0) return { status: 429, headers: { 'retry-after': '1' }, text: '' }
      return { json: { data: Array.from({ length: at < 150 ? 3 : 0 }, (_, index) => ({ id: at + index })) } }
    },
  })
  const { pages, error } = await shownBy(manifestOf({ url: api.url, paginator: offsetPaginator() }), {})
  assert.equal(error, null)
  assert.equal(pages.length, 51)
  assert.ok(refused > 0)
  assert.ok(most < 16, `${most} at a time after the refusal`)
})

const classes = `
import { Authenticator, ErrorHandler, Requester } from 'turnleaf'

export class Own extends Requester {}
export class Signed extends Authenticator {
  authenticate() { return { headers: { 'x-signed': '1' } } }
}
export class Watchful extends ErrorHandler {
  interpret() { return null }
}
`

const classNamed = (type: string, name: string) => ({ type, class_name: `source_x.components.${name}` })

for (const [who, parts] of Object.entries({
  'a custom requester': { requester: classNamed('CustomRequester', 'Own') },
  'a custom authenticator': { requester: { authenticator: classNamed('CustomAuthenticator', 'Signed') } },
  'a custom error handler': { requester: { error_handler: classNamed('CustomErrorHandler', 'Watchful') } },
})) {
  test(`${who} may watch the order of requests: pages are read one by one`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'turnleaf-ahead-'))
    await mkdir(join(folder, 'source_x'))
    await writeFile(join(folder, 'source_x/components.ts'), classes)
    const server = held(3 * 10, 3)
    await using api = await serveApi({ 'GET /items': server.handler })
    const timer = setInterval(server.answerAll, 2)
    const manifest = manifestOf({ url: api.url, paginator: offsetPaginator(), ...parts })
    let pages = 0
    for await (const _ of readPages(loadManifest(manifest, { folder }), instantly)) pages++
    clearInterval(timer)
    await rm(folder, { recursive: true })
    assert.deepEqual([pages, server.most()], [11, 1])
  })
}

test('cursors are read page by page', async () => {
  const server = held(9, 3)
  await using api = await serveApi({ 'GET /items': server.handler })
  const timer = setInterval(server.answerAll, 2)
  const paginator = {
    pagination_strategy: {
      type: 'CursorPagination',
      cursor_value: '{{ last_record.id + 1 }}',
      stop_condition: '{{ last_page_size < 3 }}',
    },
    page_token_option: option('request_parameter', 'offset'),
  }
  const { pages } = await shownBy(manifestOf({ url: api.url, paginator }), {})
  clearInterval(timer)
  assert.equal(pages.length, 4)
  assert.equal(server.most(), 1)
})

/** Streams that a connector's own class reads, against a real server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LoadClass } from '../../../src/engine/custom/component.ts'
import { openNetwork, openRun, openStreamNamed, type Page, readSlicePages } from '../../../src/engine/index.ts'
import { loadManifest, Retriever, type RetrieverContext, type Slice } from '../../../src/index.ts'
import { manifestOf } from '../../helpers/manifests.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { hasCode } from '../response/asking.ts'

type Parts = { retriever?: Record<string, unknown>; stream?: Record<string, unknown>; maxPages?: number }

/** Every page of every slice, read by this class. */
async function read(Class: new (...given: never[]) => Retriever, { retriever, stream, maxPages }: Parts = {}) {
  const source = manifestOf({
    stream: { retriever: { type: 'CustomRetriever', class_name: 'a.b.C', ...retriever }, ...stream },
  })
  const network = openNetwork()
  const loadClass: LoadClass = async () => Class as never
  const tools = { network, now: Date.now, sleep: async () => {}, random: () => 0, report: () => {}, loadClass }
  const pages: Page[] = []
  try {
    const open = await openStreamNamed(openRun(loadManifest(source), { config: {} }, tools), 'items')
    for await (const slice of open.slices({})) {
      for await (const page of readSlicePages(open, slice, { maxPages })) pages.push(page)
    }
  } finally {
    await network.close()
  }
  return pages
}

const authenticator = { type: 'BearerAuthenticator', api_token: 'own-s3cr3t' }
const requesterAt = (url: string) => ({
  type: 'HttpRequester',
  url_base: url,
  path: '/rows',
  http_method: 'GET',
  request_parameters: { kind: 'all' },
  authenticator,
})

/** Two pages, by the requester of the manifest. */
class TwoPages extends Retriever {
  async *readSlice({ slice, fetchJson }: RetrieverContext) {
    for (const page of [1, 2]) {
      const { body } = await fetchJson({ query: { page, ...(slice.partition as Record<string, string>) } })
      yield { records: (body as { rows: { id: number }[] }).rows }
    }
  }
}

const rows = () =>
  serveApi({
    '*': (query) => ({ json: { rows: [{ id: Number(query.get('page')) * 2.5 }, { id: 0 }] } }),
  })

test('its pages carry what it requested, signed by the requester of the manifest', async () => {
  await using api = await rows()
  const pages = await read(TwoPages, { retriever: { requester: requesterAt(api.url) } })

  assert.deepEqual(api.asked, ['GET /rows?kind=all&page=1', 'GET /rows?kind=all&page=2'])
  assert.deepEqual(
    api.requests.map(({ headers }) => headers.authorization),
    ['Bearer own-s3cr3t', 'Bearer own-s3cr3t'],
  )
  assert.deepEqual(
    pages.map(({ index, stop, records, request }) => [index, stop, records[0]?.id, request.url]),
    [
      [0, null, 2.5, `${api.url}/rows?kind=all&page=1`],
      [1, 'strategy', 5, `${api.url}/rows?kind=all&page=2`],
    ],
  )
  assert.deepEqual(pages[1]?.receipt, { pages: 2, received: 4, emitted: 4, stop: 'strategy' })
  assert.doesNotMatch(JSON.stringify(pages), /own-s3cr3t/)
})

test('filter and transformations of the manifest apply; its extractor does not', async () => {
  await using api = await rows()
  const pages = await read(TwoPages, {
    retriever: {
      requester: requesterAt(api.url),
      record_selector: {
        type: 'RecordSelector',
        extractor: { type: 'DpathExtractor', field_path: ['elsewhere'] },
        record_filter: { type: 'RecordFilter', condition: '{{ record.id > 3 }}' },
      },
    },
    stream: { transformations: [{ type: 'RemoveFields', field_pointers: [['none']] }] },
  })
  assert.deepEqual(
    pages.flatMap(({ records }) => records),
    [{ id: 5 }],
  )
})

test('slices come from the manifest, or from the class', async () => {
  await using api = await rows()
  const partition_router = { type: 'ListPartitionRouter', values: ['eu', 'us'], cursor_field: 'region' }
  const retriever = { requester: requesterAt(api.url), partition_router }
  const regions = (pages: Page[]) => pages.map(({ slice }) => slice.partition.region)
  assert.deepEqual(regions(await read(TwoPages, { retriever })), ['eu', 'eu', 'us', 'us'])

  class OwnSlices extends TwoPages {
    override *slices(): Iterable<Partial<Slice>> {
      yield { partition: { region: 'mars' } }
    }
  }
  assert.deepEqual(regions(await read(OwnSlices, { retriever })), ['mars', 'mars'])
})

test('a link elsewhere goes without the credentials', async () => {
  await using home = await rows()
  await using store = await rows()
  class Elsewhere extends Retriever {
    async *readSlice({ fetchJson }: RetrieverContext) {
      await fetchJson()
      const { body } = await fetchJson({ url: `${store.url}/file?page=4`, method: 'post', json: { a: 1 } })
      yield (body as { rows: { id: number }[] }).rows
    }
  }
  const pages = await read(Elsewhere, { retriever: { requester: requesterAt(home.url) } })
  assert.deepEqual(store.asked, ['POST /file?page=4'])
  assert.equal(store.requests[0]?.headers.authorization, undefined)
  assert.deepEqual(
    [store.requests[0]?.body, store.requests[0]?.headers['content-type']],
    ['{"a":1}', 'application/json'],
  )
  assert.equal(pages[0]?.request.url, `${store.url}/file?page=4`)
})

/** Ends at an empty page. */
class UntilEmpty extends Retriever {
  async *readSlice({ fetchJson }: RetrieverContext) {
    for (let number = 1; ; number++) {
      const { body } = await fetchJson({ query: this.query(number) })
      const page = (body as { rows: { id: number }[] }).rows
      if (page.length === 0) return
      yield page
    }
  }
  query(page: number): Record<string, number> {
    return { page }
  }
}

test('a class that gets the same page for ever is ended, soon where it sends the same request', async () => {
  await using api = await serveApi({ '*': () => ({ json: { rows: [{ id: 1 }, { id: 2 }] } }) })
  class SameRequest extends UntilEmpty {
    override query() {
      return {}
    }
  }
  class Repeating extends Retriever {
    *readSlice() {
      for (;;) yield [{ id: 1 }, { id: 2 }]
    }
  }
  class Silent extends Retriever {
    *readSlice() {
      for (;;) yield []
    }
  }
  const retriever = { requester: requesterAt(api.url) }
  const loop = (words: RegExp) => (error: unknown) =>
    hasCode('pagination/loop')(error) &&
    words.test(String(error)) &&
    /`a\.b\.C`/.test((error as { hint?: string }).hint ?? '')
  await assert.rejects(read(SameRequest, { retriever }), loop(/pages 3 to 4 repeat page 2, requests too/))
  assert.equal(api.asked.length, 5)
  await assert.rejects(read(UntilEmpty, { retriever }), loop(/repeat page.*, though the requests differ/))
  await assert.rejects(read(Repeating), loop(/pages 3 to 1,002 repeat page 2\./))
  await assert.rejects(read(Silent), loop(/are empty/))
})

test('a class that gets the same records for many days, or none for most, is no loop', async () => {
  await using api = await serveApi({
    '*': (query) => {
      const page = Number(query.get('page'))
      return { json: { rows: page > 300 ? [] : [{ id: 1 }, { id: 2 }] } }
    },
  })
  class Calendar extends Retriever {
    *readSlice() {
      for (let day = 0; day < 3000; day++) yield day === 2999 ? [{ id: 1 }] : []
    }
  }
  const retriever = { requester: requesterAt(api.url) }
  assert.equal((await read(UntilEmpty, { retriever, stream: { primary_key: 'id' } })).length, 300)
  assert.equal((await read(Calendar)).length, 3000)
})

test('records that came without a request are shown without one', async () => {
  class Counting extends Retriever {
    *readSlice() {
      yield [{ id: 1 }]
    }
  }
  const [page] = await read(Counting)
  assert.deepEqual([page?.records, page?.request.url, page?.response.status], [[{ id: 1 }], '', 0])
})

test('a slice that brings nothing is one empty page with a receipt', async () => {
  class Nothing extends Retriever {
    async *readSlice() {}
  }
  const pages = await read(Nothing)
  assert.deepEqual(
    pages.map(({ records, receipt }) => [records, receipt]),
    [[[], { pages: 1, received: 0, emitted: 0, stop: 'strategy' }]],
  )
})

test('a page limit stops the class, and informs it', async () => {
  const stopped: boolean[] = []
  class Endless extends Retriever {
    async *readSlice({ signal }: RetrieverContext) {
      try {
        for (let id = 0; ; id++) yield [{ id }]
      } finally {
        stopped.push(true)
        signal.throwIfAborted()
      }
    }
  }
  const pages = await read(Endless, { maxPages: 2 })
  assert.deepEqual(
    pages.map(({ stop }) => stop),
    [null, 'limit'],
  )
  assert.deepEqual(stopped, [true])
})

test('what it gave before it failed is handed over, then the failure, in its name', async () => {
  class Failing extends Retriever {
    *readSlice(): Generator<{ id: number }[]> {
      yield [{ id: 1 }]
      throw new Error('no idea')
    }
  }
  await assert.rejects(read(Failing), (error) => hasCode('custom/class-failed')(error) && /no idea/.test(String(error)))
})

test('records that are no list are its failure', async () => {
  class Wrong extends Retriever {
    *readSlice(): Generator<never> {
      yield { records: 'many' } as never
    }
  }
  await assert.rejects(read(Wrong), hasCode('custom/class-failed'))
})

test('without a requester in the manifest, an address is needed', async () => {
  class Lost extends Retriever {
    async *readSlice({ fetchJson }: RetrieverContext) {
      yield [await fetchJson()] as never
    }
  }
  await assert.rejects(read(Lost), hasCode('request/invalid-url'))
})

/** One page, made of more requests at once than Node expects listeners for. */
class ManyAtOnce extends Retriever {
  async *readSlice({ fetchJson }: RetrieverContext) {
    const pages = await Promise.all(Array.from({ length: 12 }, (_, page) => fetchJson({ query: { page } })))
    yield { records: pages.flatMap(({ body }) => (body as { rows: { id: number }[] }).rows) }
  }
}

test('a class that sends many requests at once is no leak: Node does not warn', async () => {
  await using api = await rows()
  const warnings: string[] = []
  const onWarning = ({ name }: Error) => void warnings.push(name)
  process.on('warning', onWarning)
  try {
    const [page] = await read(ManyAtOnce, { retriever: { requester: requesterAt(api.url) } })
    assert.equal(page?.records.length, 24)
  } finally {
    process.off('warning', onWarning)
  }
  assert.deepEqual(warnings, [])
})

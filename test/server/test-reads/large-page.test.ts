import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { openCaptures } from '../../../src/server/test-reads/captures.ts'
import { manifestOf } from '../../helpers/manifests.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { jsonOf, testApi } from '../api.ts'
import { endOf, idOf, pagesIn, readEvents } from './ask.ts'

const api = testApi()
after(() => api[Symbol.dispose]())

test('a page of 50 MB: its event is small, and its parts can be requested', async () => {
  const count = 50_000
  const item = (id: number) => ({ id, text: 'x'.repeat(1000) })
  const text = `{"data":[${Array.from({ length: count }, (_, id) => JSON.stringify(item(id))).join(',')}]}`
  assert.ok(text.length > 50_000_000)
  await using server = await serveApi({ 'GET /items': () => ({ text }) })
  const events = await readEvents(api, {
    text: JSON.stringify(manifestOf({ url: server.url })),
    stream: 'items',
    maxRecords: 1_000_000,
  })
  const [page] = pagesIn(events)
  assert.equal(endOf(events).emitted, count)
  assert.equal(page?.records.length, 100)
  assert.equal(page.response.bytes, text.length)
  assert.ok(JSON.stringify(events).length < 400_000)

  const at = `/v1/test-reads/${idOf(events)}/slices/0/pages/0`
  const last = await jsonOf<{ records: unknown[] }>(await api.get(`${at}/records?from=${count - 1}`))
  assert.deepEqual(last.records, [item(count - 1)])
  const { total } = await jsonOf<{ total: number }>(await api.get(`${at}/body?count=1`))
  const end = await jsonOf<{ text: string }>(await api.get(`${at}/body?from=${total - 60}`))
  assert.ok(end.text.endsWith(`${'x'.repeat(20)}"\n    }\n  ]\n}`))
})

test('a single record that is larger than an event is not in it, and can be requested', async () => {
  const whole = { id: 1, items: Array.from({ length: 100_000 }, (_, index) => index) }
  await using server = await serveApi({ 'GET /items': () => ({ json: whole }) })
  const text = JSON.stringify(manifestOf({ url: server.url, fieldPath: [] }))
  const events = await readEvents(api, { text, stream: 'items' })
  const [page] = pagesIn(events)
  assert.deepEqual([page?.records, page?.emitted], [[], 1])
  const part = await jsonOf<{ records: unknown[] }>(
    await api.get(`/v1/test-reads/${idOf(events)}/slices/0/pages/0/records`),
  )
  assert.deepEqual(part.records, [whole])
})

const lines = { retriever: { decoder: { type: 'JsonlDecoder' } }, fieldPath: [] as string[] }

test('a body that comes in parts is one page', async () => {
  const text = Array.from({ length: 60_000 }, (_, id) => JSON.stringify({ id, text: 'y'.repeat(50) })).join('\n')
  await using server = await serveApi({ 'GET /items': () => ({ text }) })
  const manifest = JSON.stringify(manifestOf({ url: server.url, ...lines }))
  const events = await readEvents(api, { text: manifest, stream: 'items', maxRecords: 1_000_000 })
  const [page, ...others] = pagesIn(events)
  assert.deepEqual([page?.emitted, others.length, page?.stop], [60_000, 0, 'not-paginated'])
  assert.equal(page?.response.bytes, text.length)
  assert.equal(endOf(events).ending, 'complete')
})

test('a body without an end is read as far as records are wanted', async () => {
  const raw = (response: ServerResponse) => {
    const line = `${JSON.stringify({ id: 1, text: 'y'.repeat(500) })}\n`.repeat(100)
    const more = () => {
      while (!response.destroyed && response.write(line));
    }
    response.on('drain', more)
    more()
  }
  await using server = await serveApi({ 'GET /items': () => ({ raw }) })
  const manifest = JSON.stringify(manifestOf({ url: server.url, ...lines }))
  const events = await readEvents(api, { text: manifest, stream: 'items', maxRecords: 5000 })
  const [page] = pagesIn(events)
  assert.deepEqual([page?.stop, page?.stopWords], ['limit', 'record limit: 5,000 records'])
  assert.equal(endOf(events).ending, 'limit')
  assert.equal(endOf(events).pages, 1)
})

test('a body whose records are all left out is not gathered without end', async () => {
  const text = `${JSON.stringify({ id: 1, text: 'y'.repeat(5000) })}\n`.repeat(20_000)
  await using server = await serveApi({ 'GET /items': () => ({ text }) })
  const selector = { record_filter: { type: 'RecordFilter', condition: '{{ record.id == 2 }}' } }
  const manifest = JSON.stringify(manifestOf({ url: server.url, ...lines, selector }))
  const events = await readEvents(api, { text: manifest, stream: 'items' })
  assert.equal(pagesIn(events)[0]?.stopWords, 'size limit: 64 MB per page')
  assert.equal(endOf(events).ending, 'limit')
})

test('the oldest pages go when there is no more room, and it is known that they were there', () => {
  const captures = openCaptures({ maxBytes: 100 })
  const read = captures.begin()
  read.stream = {} as never
  const page = { bytes: 60 } as never
  captures.add(read, { slice: 0, page: 0 }, page)
  captures.add(read, { slice: 0, page: 1 }, page)
  assert.throws(() => captures.find(read.id, { slice: 0, page: 0 }), { code: 'server/gone' })
  assert.equal(captures.find(read.id, { slice: 0, page: 1 }).page, page)
  assert.throws(() => captures.find(read.id, { slice: 0, page: 2 }), { code: 'server/not-found' })
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRedactor } from '../../../src/engine/secrets/redact.ts'
import { openAllRecords } from '../../../src/server/test-reads/all-records.ts'
import { type CapturedPage, openCaptures } from '../../../src/server/test-reads/captures.ts'
import { hasText } from '../../../src/std/values/has-text.ts'
import type { AllRecordsPart, RecordsComparison } from '../../../src/server/wire/test-read.ts'
import { manifestOf } from '../../helpers/manifests.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { jsonOf, testApi } from '../api.ts'
import { idOf, readEvents } from './ask.ts'

const api = testApi()
after(() => api[Symbol.dispose]())

test('a search looks at every value, in any case, and at no name', () => {
  const record = { Name: 'Ada', tags: [{ deep: 'Grün' }], size: 12.5, ok: true, none: null }
  for (const wanted of ['ada', 'grün', '12.5', 'true', 'null']) assert.ok(hasText(record, wanted), wanted)
  for (const wanted of ['name', 'deep', 'adb']) assert.ok(!hasText(record, wanted), wanted)
})

test('records of all pages are one list, searched as a whole and compared with another read', async () => {
  let renamed = false
  await using server = await serveApi({
    'GET /items': (query) => {
      const from = Number(query.get('offset') ?? 0)
      const ids = [0, 1, 2, 3, 4].slice(from, from + 2)
      return {
        json: {
          data: ids.map((id) => ({ id, name: renamed && id === 3 ? 'Renamed' : `Item ${id}`, key: 'secret-key' })),
        },
      }
    },
  })
  const option = (field_name: string) => ({ type: 'RequestOption', inject_into: 'request_parameter', field_name })
  const text = JSON.stringify(
    manifestOf({
      url: server.url,
      requester: { request_headers: { 'X-Key': "{{ config['key'] }}" } },
      paginator: {
        pagination_strategy: { type: 'OffsetIncrement', page_size: 2 },
        page_token_option: option('offset'),
        page_size_option: option('limit'),
      },
      stream: { primary_key: 'id' },
      spec: { type: 'object', properties: { key: { type: 'string', airbyte_secret: true } } },
    }),
  )
  const request = { text, stream: 'items', config: { key: 'secret-key' } }
  const first = idOf(await readEvents(api, request))
  const part = async (query: string) =>
    jsonOf<AllRecordsPart>(await api.get(`/v1/test-reads/${first}/records?${query}`))
  const all = await part('from=1&count=3')
  assert.deepEqual([all.total, all.found, all.notKept], [5, 5, 0])
  assert.deepEqual(
    all.records.map(({ page, record }) => [page, record.id]),
    [
      [0, 1],
      [1, 2],
      [1, 3],
    ],
  )
  const one = await part('search=ITEM%204')
  assert.deepEqual([one.found, one.records[0]?.page, one.records[0]?.record.name], [1, 2, 'Item 4'])
  assert.equal((await part('search=secret-key')).found, 0, 'a secret cannot be searched for')
  assert.equal((await part('search=item&from=4')).records.length, 1)

  renamed = true
  const second = idOf(await readEvents(api, request))
  const compared = await jsonOf<RecordsComparison>(await api.get(`/v1/test-reads/${second}/comparison?with=${first}`))
  assert.deepEqual([compared.same, compared.changed, compared.key], [4, 1, ['id']])
  assert.deepEqual(compared.examples[0]?.fields, ['name'])
  assert.ok(!JSON.stringify(compared).includes('secret-key'))
})

test('a search that was made before a page was forgotten is made again after it', async () => {
  const captures = openCaptures({ maxBytes: 10 })
  const read = captures.begin()
  read.stream = { redactor: createRedactor([]) } as unknown as NonNullable<typeof read.stream>
  const add = (page: number, names: readonly string[], bytes: number) =>
    captures.add(read, { slice: 0, page }, {
      records: names.map((name) => ({ name })),
      bytes,
    } as unknown as CapturedPage)
  add(0, ['found', 'other'], 5)
  add(1, ['other', 'found too'], 5)
  const search = async (records = openAllRecords()) => ({
    records,
    names: (await records(captures.pages(read.id), { from: 0, count: 9, search: 'found' })).records.map(
      ({ record }) => record.name,
    ),
  })
  const { records, names } = await search()
  assert.deepEqual(names, ['found', 'found too'])
  // Another read needs the space.
  captures.add(captures.begin(), { slice: 0, page: 0 }, { records: [], bytes: 5 } as unknown as CapturedPage)
  assert.deepEqual((await search(records)).names, ['found too'])
})

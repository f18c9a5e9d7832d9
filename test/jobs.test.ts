/** Streams that an API prepares on request, read whole against a server that plays the jobs. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { loadManifest, type Notice, type Page, type ReadOptions, readPages } from '../src/index.ts'
import { openNetwork, openRun, openStreamNamed, readSlicePages, type Tools } from '../src/engine/index.ts'
import { hasCode } from './engine/response/asking.ts'
import { offsetPaginator } from './helpers/manifests.ts'
import { countsOf, verdictOf } from './helpers/receipts.ts'
import { serveApi } from './helpers/serve-api.ts'
import { enders, jobManifest, serveJobs } from './helpers/serve-jobs.ts'

type Told = { pages: Page[]; waits: number[]; notices: Notice[] }

/** Nothing sleeps: the clock moves by what is waited. */
async function read(manifest: object, options: ReadOptions = {}, told: Told = { pages: [], waits: [], notices: [] }) {
  let now = Date.UTC(2026, 0, 1)
  const tools: ReadOptions = {
    now: () => now,
    sleep: async (ms) => {
      told.waits.push(ms)
      now += ms
    },
    random: () => 0,
    onNotice: (notice) => told.notices.push(notice),
    ...options,
  }
  for await (const page of readPages(loadManifest(manifest), tools)) told.pages.push(page)
  return told
}

const statesIn = ({ notices }: Told) => notices.flatMap((notice) => (notice.kind === 'job' ? [notice.state] : []))
const recordsIn = ({ pages }: Told) => pages.flatMap(({ records }) => records)

describe('the life of a job', { concurrency: true }, () => {
  test('created, polled at once and every 5 s while it runs, downloaded, deleted', async () => {
    await using api = await serveJobs({ statuses: [['running', 'running', 'done']] })
    const told = await read(jobManifest(api.url, { retriever: enders(api.url) }))

    assert.deepEqual(api.asked, [
      'POST /jobs',
      'GET /jobs/1',
      'GET /jobs/1',
      'GET /jobs/1',
      'GET /results/1',
      'DELETE /jobs/1',
    ])
    assert.deepEqual(told.waits, [5000, 5000])
    assert.deepEqual(recordsIn(told), [{ from: '/results/1' }])
    assert.deepEqual(statesIn(told), ['created', 'running', 'completed', 'deleted'])
  })

  test('the page of a download carries the slice, the target and the receipt', async () => {
    await using api = await serveJobs()
    const { pages } = await read(jobManifest(api.url))
    const [page] = pages
    assert.equal(pages.length, 1)
    assert.equal(page?.target, `${api.url}/results/1`)
    assert.deepEqual(page?.slice, { partition: {}, window: {} })
    assert.deepEqual(countsOf(page?.receipt), { pages: 1, received: 1, emitted: 1, stop: 'not-paginated' })
  })

  test('a failed job is created anew after the wait of the manifest', async () => {
    await using api = await serveJobs({ statuses: [['running', 'failed'], ['done']] })
    const told = await read(jobManifest(api.url, { retriever: { failed_retry_wait_time_in_seconds: 1800 } }))

    assert.deepEqual(api.steps, ['create 1', 'poll 1', 'poll 1', 'create 2', 'poll 2'])
    assert.deepEqual(told.waits, [5000, 1_800_000])
    assert.deepEqual(recordsIn(told), [{ from: '/results/2' }])
  })

  test('a job that fails three times fails the read, and is not aborted', async () => {
    await using api = await serveJobs({ statuses: [['failed']] })
    const manifest = jobManifest(api.url, { retriever: enders(api.url) })
    await assert.rejects(read(manifest), (error) => {
      assert.ok(hasCode('jobs/failed')(error))
      assert.match(String(error), /3 tries.*`failed`/)
      return true
    })
    assert.deepEqual(api.steps, ['create 1', 'poll 1', 'create 2', 'poll 2', 'create 3', 'poll 3'])
  })

  test('a job that runs past polling_job_timeout is aborted, and tried three times', async () => {
    await using api = await serveJobs({ statuses: [['running']] })
    const told: Told = { pages: [], waits: [], notices: [] }
    const manifest = jobManifest(api.url, { retriever: { ...enders(api.url), polling_job_timeout: 1 } })

    await assert.rejects(read(manifest, {}, told), hasCode('jobs/timed-out'))

    assert.deepEqual(
      api.steps.filter((step) => !step.startsWith('poll')),
      ['create 1', 'abort 1', 'create 2', 'abort 2', 'create 3', 'abort 3'],
    )
    // 0, 5 … 60 s: the limit itself is not past.
    assert.equal(api.steps.filter((step) => step === 'poll 1').length, 13)
  })

  test('a status that means timeout ends the job in the same way', async () => {
    await using api = await serveJobs({ statuses: [['expired'], ['done']] })
    const told = await read(jobManifest(api.url, { retriever: enders(api.url) }))
    assert.deepEqual(api.steps, ['create 1', 'poll 1', 'abort 1', 'create 2', 'poll 2', 'delete 2'])
    assert.equal(recordsIn(told).length, 1)
  })

  test('a skipped job brings no page, and says so', async () => {
    await using api = await serveJobs({ statuses: [['running', 'empty']] })
    const told = await read(jobManifest(api.url))
    assert.deepEqual(told.pages, [])
    assert.deepEqual(statesIn(told), ['created', 'running', 'skipped'])
  })

  test('an unknown status is an error that names it and the mapping; the job is aborted', async () => {
    await using api = await serveJobs({ statuses: [['running', 'PAUSED']] })
    await assert.rejects(read(jobManifest(api.url, { retriever: enders(api.url) })), (error) => {
      assert.ok(hasCode('jobs/unknown-status')(error))
      assert.match(String(error), /`PAUSED` at `status`.*running \(running\), done \(completed\)/)
      return true
    })
    assert.deepEqual(api.steps, ['create 1', 'poll 1', 'poll 1', 'abort 1'])
  })

  test('no status at all is the word None, which a mapping may hold', async () => {
    await using api = await serveJobs()
    const status_mapping = { running: [], completed: ['None'], failed: [], timeout: [] }
    const status_extractor = { type: 'DpathExtractor', field_path: ['state'] }
    const told = await read(jobManifest(api.url, { retriever: { status_mapping, status_extractor } }))
    assert.equal(recordsIn(told).length, 1)
  })

  test('a refused creation is tried three times; one that blames the credentials is not', async () => {
    for (const [status, times] of [
      [400, 3],
      [401, 1],
    ] as const) {
      await using api = await serveJobs({ routes: { 'POST /jobs': () => ({ status, json: { message: 'no' } }) } })
      await assert.rejects(read(jobManifest(api.url)), hasCode('response/rejected'))
      assert.equal(api.asked.length, times, `status ${status}`)
    }
  })

  test('a long job is polled at a twentieth of its age, at most every half minute', async () => {
    await using api = await serveJobs({ statuses: [[...Array<string>(60).fill('running'), 'done']] })
    const { waits } = await read(jobManifest(api.url))
    assert.deepEqual(waits.slice(0, 21), Array<number>(21).fill(5000))
    assert.ok((waits[30] ?? 0) > 5000)
    assert.equal(waits.at(-1), 30_000)
  })
})

describe('downloads', { concurrency: true }, () => {
  const pagesOfTarget = { json: [{ id: 1 }, { id: 2 }] }

  test('several targets are read page by page, numbered and counted as one slice', async () => {
    await using api = await serveJobs({
      targets: ['{url}/part/a', '{url}/part/b'],
      routes: {
        'GET /part/a': (query) => ({ json: [{ id: 'a1' }, { id: 'a2' }].slice(query.has('offset') ? 2 : 0) }),
        'GET /part/b': () => ({ json: [{ id: 'b1' }] }),
      },
    })
    const download_paginator = { type: 'DefaultPaginator', ...offsetPaginator({ page_size: 2 }) }
    const told = await read(jobManifest(api.url, { retriever: { download_paginator } }))

    assert.deepEqual(api.asked.slice(2), ['GET /part/a?limit=2', 'GET /part/a?offset=2&limit=2', 'GET /part/b?limit=2'])
    assert.deepEqual(
      told.pages.map(({ index, stop, target, receipt }) => [index, stop, target, receipt?.pages]),
      [
        [0, null, `${api.url}/part/a`, undefined],
        [1, null, `${api.url}/part/a`, undefined],
        [2, 'short-page', `${api.url}/part/b`, 3],
      ],
    )
    assert.deepEqual(countsOf(told.pages.at(-1)?.receipt), { pages: 3, received: 3, emitted: 3, stop: 'short-page' })
    assert.equal(verdictOf(told.pages.at(-1)?.receipt), 'unproven: the API reports no total')
  })

  test('a page limit ends the slice in the middle of its targets, and the job is deleted', async () => {
    await using api = await serveJobs({
      targets: ['{url}/part/a', '{url}/part/b', '{url}/part/c'],
      routes: { 'GET /part/a': () => pagesOfTarget, 'GET /part/b': () => pagesOfTarget },
    })
    const { pages } = await read(jobManifest(api.url, { retriever: enders(api.url) }), { maxPages: 2 })
    assert.deepEqual(
      pages.map(({ stop }) => stop),
      [null, 'limit'],
    )
    assert.deepEqual(countsOf(pages.at(-1)?.receipt), { pages: 2, received: 4, emitted: 4, stop: 'limit' })
    assert.equal(verdictOf(pages.at(-1)?.receipt), 'incomplete: stopped at the page limit')
    assert.equal(api.asked.at(-1), 'DELETE /jobs/1')
  })

  test('a completed job that names no download is an empty slice with a receipt', async () => {
    await using api = await serveJobs({ targets: [] })
    const { pages } = await read(jobManifest(api.url))
    assert.deepEqual(countsOf(pages.at(-1)?.receipt), {
      pages: 1,
      received: 0,
      emitted: 0,
      stop: 'nothing-to-download',
    })
    assert.equal(verdictOf(pages.at(-1)?.receipt), 'unproven: the job listed nothing to download')
    assert.equal(pages[0]?.request.url, `${api.url}/jobs/1`)
  })

  test('targets may come from a request of their own, which knows both earlier responses', async () => {
    await using api = await serveJobs({
      routes: { 'GET /files': () => ({ json: { urls: [{ href: `${api.url}/results/x` }] } }) },
    })
    const told = await read(
      jobManifest(api.url, {
        retriever: {
          download_target_requester: {
            type: 'HttpRequester',
            url_base: api.url,
            path: "/files?job={{ polling_response['id'] }}-{{ creation_response.headers['Content-Type'] | length }}",
            http_method: 'GET',
          },
          download_target_extractor: { type: 'DpathExtractor', field_path: ['urls'] },
          download_requester: { type: 'HttpRequester', url_base: "{{ download_target['href'] }}", http_method: 'GET' },
        },
      }),
    )
    assert.deepEqual(api.asked.slice(2), ['GET /files?job=1-16', 'GET /results/x'])
    assert.deepEqual(recordsIn(told), [{ from: '/results/x' }])
  })

  test('the older names of requester and extractor still work', async () => {
    await using api = await serveJobs({
      routes: { 'GET /files': () => ({ json: { urls: [`${api.url}/results/x`] } }) },
    })
    const url_requester = { type: 'HttpRequester', url_base: api.url, path: '/files', http_method: 'GET' }
    const urls_extractor = { type: 'DpathExtractor', field_path: ['urls'] }
    const manifest = jobManifest(api.url, {
      retriever: { url_requester, urls_extractor, download_target_extractor: undefined },
    })
    assert.deepEqual(
      loadManifest(manifest).problems.map(({ code }) => code),
      ['manifest/older-spelling', 'manifest/older-spelling'],
    )
    assert.deepEqual(recordsIn(await read(manifest)), [{ from: '/results/x' }])
  })

  test('without an extractor there is one download, by what the responses said', async () => {
    await using api = await serveJobs()
    const told = await read(
      jobManifest(api.url, {
        retriever: {
          download_target_extractor: undefined,
          download_requester: {
            type: 'HttpRequester',
            url_base: api.url,
            path: "results/{{ polling_response['request'].url.split('/')[-1] }}-{{ stream_slice.extra_fields['creation_response'].id }}",
            http_method: 'GET',
          },
        },
      }),
    )
    assert.deepEqual(recordsIn(told), [{ from: '/results/1-1' }])
  })

  test('a path that is a whole address needs no base', async () => {
    await using api = await serveJobs()
    const download_requester = {
      type: 'HttpRequester',
      url_base: '',
      path: '{{ download_target }}',
      http_method: 'GET',
    }
    assert.equal(recordsIn(await read(jobManifest(api.url, { retriever: { download_requester } }))).length, 1)
  })

  test('records are found by download_extractor, then filtered and changed by the stream', async () => {
    await using api = await serveJobs({
      routes: { 'GET /results/1': () => ({ json: { rows: [{ id: 1 }, { id: 2 }] } }) },
    })
    const told = await read(
      jobManifest(api.url, {
        fieldPath: ['ignored'],
        selector: { record_filter: { type: 'RecordFilter', condition: '{{ record.id > 1 }}' } },
        retriever: { download_extractor: { type: 'DpathExtractor', field_path: ['rows'] } },
        stream: { transformations: [{ type: 'AddFields', fields: [{ path: ['new'], value: 'yes' }] }] },
      }),
    )
    assert.deepEqual(recordsIn(told), [{ id: 2, new: 'yes' }])
    assert.equal(told.pages[0]?.receipt?.received, 2)
  })

  const csv = 'id,name\n1,NA\n2,\n'
  const csvDecoder = { type: 'CsvDecoder' }
  const sent = (bytes: Uint8Array | string) => ({
    'GET /results/1': () => ({ raw: (answer: ServerResponse) => answer.end(bytes) }),
  })
  for (const [name, bytes, retriever, names] of [
    ['packed CSV', gzipSync(csv), { download_decoder: { type: 'GzipDecoder', decoder: csvDecoder } }, ['NA', '']],
    ['ResponseToFileExtractor', csv, { download_extractor: { type: 'ResponseToFileExtractor' } }, [null, null]],
    ['it, packed', gzipSync(csv), { download_extractor: { type: 'ResponseToFileExtractor' } }, [null, null]],
    [
      'it, keeping NA',
      csv,
      { download_extractor: { type: 'ResponseToFileExtractor', preserve_na_values: true } },
      ['NA', null],
    ],
  ] as const) {
    test(`downloads are decoded: ${name}`, async () => {
      await using api = await serveJobs({ routes: sent(bytes) })
      const told = await read(jobManifest(api.url, { retriever }))
      assert.deepEqual(
        recordsIn(told).map((record) => record.name),
        names,
      )
    })
  }

  test('a download in parts is one page', async () => {
    const rows = Array.from({ length: 2500 }, (_, id) => `${id}\n`).join('')
    await using api = await serveJobs({
      targets: ['{url}/part/a', '{url}/part/b'],
      routes: { 'GET /part/a': () => ({ text: `id\n${rows}` }), 'GET /part/b': () => ({ text: 'id\n1\n' }) },
    })
    const { pages } = await read(jobManifest(api.url, { retriever: { download_decoder: csvDecoder } }), { maxPages: 2 })
    assert.deepEqual(
      pages.map(({ index, part }) => [index, part]),
      [
        [0, 0],
        [0, 1],
        [0, 2],
        [1, 0],
      ],
    )
    assert.deepEqual(countsOf(pages.at(-1)?.receipt), {
      pages: 2,
      received: 2501,
      emitted: 2501,
      stop: 'not-paginated',
    })
  })

  test('answers about the job have a decoder of their own', async () => {
    const status = '<job><status>done</status><file>results/x</file></job>'
    await using api = await serveJobs({ routes: { 'GET /jobs/1': () => ({ text: status }) } })
    const told = await read(
      jobManifest(api.url, {
        retriever: {
          decoder: { type: 'XmlDecoder' },
          creation_requester: { type: 'HttpRequester', url_base: api.url, path: '/jobs', http_method: 'POST' },
          polling_requester: { type: 'HttpRequester', url_base: api.url, path: '/jobs/1', http_method: 'GET' },
          status_extractor: { type: 'DpathExtractor', field_path: ['job', 'status'] },
          download_target_extractor: { type: 'DpathExtractor', field_path: ['job', 'file'] },
          download_requester: {
            type: 'HttpRequester',
            url_base: api.url,
            path: '{{ download_target }}',
            http_method: 'GET',
          },
        },
      }),
    )
    assert.deepEqual(recordsIn(told), [{ from: '/results/x' }])
  })

  test('a job cannot be gone on from one of its pages', async () => {
    await using api = await serveJobs()
    await assert.rejects(read(jobManifest(api.url), { from: { value: 2 } }), hasCode('slices/invalid-state'))
    assert.deepEqual(api.asked, [])
  })

  test('a download that fails ends the read; the job is deleted all the same', async () => {
    await using api = await serveJobs({ routes: { 'GET /results/1': () => ({ status: 404 }) } })
    await assert.rejects(read(jobManifest(api.url, { retriever: enders(api.url) })), hasCode('response/rejected'))
    assert.equal(api.asked.at(-1), 'DELETE /jobs/1')
  })

  test('a job that cannot be deleted is reported, and the read is complete', async () => {
    await using api = await serveJobs({ routes: { 'DELETE /jobs/1': () => ({ status: 403 }) } })
    const told = await read(jobManifest(api.url, { retriever: enders(api.url) }))
    assert.equal(recordsIn(told).length, 1)
    assert.equal(statesIn(told).at(-1), 'left-behind')
  })
})

describe('credentials of jobs', { concurrency: true }, () => {
  const authenticator = { type: 'BearerAuthenticator', api_token: 'job-s3cr3t' }
  const withToken = (requester: object) => ({ ...requester, authenticator })
  const signedParts = (url: string, base: string, path: string) => ({
    creation_requester: withToken({ type: 'HttpRequester', url_base: url, path: '/jobs', http_method: 'POST' }),
    polling_requester: withToken({
      type: 'HttpRequester',
      url_base: url,
      path: "/jobs/{{ creation_response['id'] }}",
      http_method: 'GET',
    }),
    download_requester: withToken({ type: 'HttpRequester', url_base: base, path, http_method: 'GET' }),
  })

  for (const [where, base, path] of [
    ['as the base', '{{ download_target }}', ''],
    ['as the path', '', '{{ download_target }}'],
    ['as an extra field of the slice', "{{ stream_slice.extra_fields['download_target'] }}", ''],
  ] as const) {
    test(`a pre-signed address on another host, ${where}, gets none`, async () => {
      await using store = await serveApi({ '*': () => ({ json: [{ id: 1 }] }) })
      await using api = await serveJobs({ targets: [`${store.url}/file?X-Amz-Signature=abc`] })
      const told = await read(jobManifest(api.url, { retriever: signedParts(api.url, base, path) }))

      assert.equal(recordsIn(told).length, 1)
      assert.deepEqual(store.asked, ['GET /file?X-Amz-Signature=abc'])
      assert.equal(store.requests[0]?.headers.authorization, undefined)
      assert.deepEqual(
        api.requests.map(({ headers }) => headers.authorization),
        ['Bearer job-s3cr3t', 'Bearer job-s3cr3t'],
      )
      assert.doesNotMatch(JSON.stringify([told.pages, told.notices]), /job-s3cr3t|Signature=abc/)
    })
  }

  test('a key that the author wrote into the query stays at home, whatever its value', async () => {
    await using store = await serveApi({ '*': () => ({ json: [{ id: 1 }] }) })
    await using api = await serveJobs({ targets: [`${store.url}/file`] })
    const request_parameters = { api_key: 'plain', format: 'json' }
    const download_requester = { type: 'HttpRequester', url_base: '{{ download_target }}', request_parameters }
    await read(
      jobManifest(api.url, { retriever: { download_requester: { ...download_requester, http_method: 'GET' } } }),
    )
    assert.deepEqual(store.asked, ['GET /file?format=json'])
  })

  test('a download at home gets them', async () => {
    await using api = await serveJobs()
    await read(jobManifest(api.url, { retriever: signedParts(api.url, '{{ download_target }}', '') }))
    assert.equal(api.requests.at(-1)?.headers.authorization, 'Bearer job-s3cr3t')
  })

  test('an address that the creation named on another host is polled without them', async () => {
    await using elsewhere = await serveApi({ '*': () => ({ json: { status: 'done', results: [] } }) })
    await using api = await serveJobs({
      routes: { 'POST /jobs': () => ({ json: { poll: `${elsewhere.url}/status` } }) },
    })
    const retriever = {
      ...signedParts(api.url, '{{ download_target }}', ''),
      polling_requester: withToken({
        type: 'HttpRequester',
        url_base: "{{ creation_response['poll'] }}",
        http_method: 'GET',
      }),
    }
    await read(jobManifest(api.url, { retriever }))
    assert.deepEqual(elsewhere.asked, ['GET /status'])
    assert.equal(elsewhere.requests[0]?.headers.authorization, undefined)
  })
})

describe('a read that is cancelled', { concurrency: true }, () => {
  test('while the job runs: the job is aborted', async () => {
    await using api = await serveJobs({ statuses: [['running']] })
    const cancel = new AbortController()
    const sleep = async () => cancel.abort(new Error('enough'))
    await assert.rejects(
      read(jobManifest(api.url, { retriever: enders(api.url) }), { sleep, signal: cancel.signal }),
      hasCode('response/aborted'),
    )
    assert.deepEqual(api.steps, ['create 1', 'poll 1', 'abort 1'])
  })

  test('where a job can only be deleted, it is deleted', async () => {
    await using api = await serveJobs({ statuses: [['running']] })
    const cancel = new AbortController()
    const sleep = async () => cancel.abort(new Error('enough'))
    const { delete_requester } = enders(api.url)
    await assert.rejects(
      read(jobManifest(api.url, { retriever: { delete_requester } }), { sleep, signal: cancel.signal }),
      hasCode('response/aborted'),
    )
    assert.deepEqual(api.steps, ['create 1', 'poll 1', 'delete 1'])
  })

  test('while the job is being created: it is still learned which, and aborted', async () => {
    const cancel = new AbortController()
    await using api = await serveJobs({
      routes: {
        'POST /jobs': () => {
          cancel.abort(new Error('enough'))
          return { json: { id: 7 } }
        },
      },
    })
    const manifest = jobManifest(api.url, { retriever: enders(api.url) })
    await assert.rejects(read(manifest, { signal: cancel.signal }), hasCode('response/aborted'))
    assert.deepEqual(api.asked, ['POST /jobs', 'POST /jobs/7/abort'])
  })

  test('before anything began: nothing is asked', async () => {
    await using api = await serveJobs()
    const signal = AbortSignal.abort(new Error('too late'))
    await assert.rejects(read(jobManifest(api.url), { signal }), hasCode('response/aborted'))
    assert.deepEqual(api.asked, [])
  })

  test('while another job has the only place: the line is left', async () => {
    await using api = await serveJobs({ statuses: [['running']] })
    const cancel = new AbortController()
    const { run, network } = openJobs(jobManifest(api.url), async (_ms, signal) => {
      await settle()
      if (api.asked.length > 5) cancel.abort(new Error('enough'))
      signal.throwIfAborted()
    })
    const stream = await openStreamNamed(run, 'items')
    const slice = { partition: {}, window: {} }
    const reads = [1, 2].map(() => listOf(readSlicePages(stream, slice, { signal: cancel.signal })))
    const endings = await Promise.allSettled(reads)
    await network.close()
    assert.ok(endings.every((ending) => ending.status === 'rejected' && hasCode('response/aborted')(ending.reason)))
    assert.deepEqual(
      api.steps.filter((step) => step.startsWith('create')),
      ['create 1'],
    )
  })

  test('by a reader who stops after the first page: the job is deleted', async () => {
    await using api = await serveJobs({ targets: ['{url}/results/a', '{url}/results/b'] })
    for await (const _page of readPages(loadManifest(jobManifest(api.url, { retriever: enders(api.url) })))) break
    assert.equal(api.asked.at(-1), 'DELETE /jobs/1')
    assert.ok(!api.asked.includes('GET /results/b'))
  })
})

describe('several jobs', { concurrency: true }, () => {
  const regions = Array.from({ length: 10 }, (_, index) => `r${index}`)
  const partition_router = { type: 'ListPartitionRouter', values: regions, cursor_field: 'region' }
  const creation = (url: string) => ({
    type: 'HttpRequester',
    url_base: url,
    path: '/jobs',
    http_method: 'POST',
    request_body_json: { region: "{{ stream_partition['region'] }}" },
  })

  for (const limit of [1, 3]) {
    test(`of 10 slices read together, at most ${limit} at once`, async () => {
      await using api = await serveJobs({ statuses: [['running', 'running', 'done']] })
      const root = { max_concurrent_async_job_count: limit }
      const retriever = { partition_router, creation_requester: creation(api.url) }
      const { run, network } = openJobs(jobManifest(api.url, { root, retriever }), () => settle())
      const stream = await openStreamNamed(run, 'items')
      const slices = await listOf(stream.slices({}))
      const pages = (await Promise.all(slices.map((slice) => listOf(readSlicePages(stream, slice))))).flat()
      await network.close()

      assert.equal(api.most(), limit)
      assert.equal(new Set(pages.map(({ slice }) => slice.partition.region)).size, 10)
      assert.deepEqual(new Set(api.requests.flatMap(({ body }) => body || [])).size, 10)
    })
  }

  test('a read of the whole stream has as many jobs at once as the source allows', async () => {
    await using api = await serveJobs({ statuses: [['running', 'running', 'done']] })
    const root = { max_concurrent_async_job_count: 6 }
    const retriever = { ...enders(api.url), partition_router }
    const told = await read(jobManifest(api.url, { root, retriever }), { sleep: () => settle() })
    assert.equal(api.most(), 6)
    assert.equal(new Set(told.pages.map(({ slice }) => slice.partition.region)).size, 10)
    assert.equal(api.steps.filter((step) => step.startsWith('delete')).length, 10)
  })

  test('many jobs that wait for a place do not make Node warn of a leak', async () => {
    const warnings: Error[] = []
    const onWarning = (warning: Error) => void warnings.push(warning)
    process.on('warning', onWarning)
    await using api = await serveJobs({ statuses: [['running', 'done']] })
    const values = Array.from({ length: 30 }, (_, index) => `r${index}`)
    const retriever = { partition_router: { ...partition_router, values } }
    const told = await read(jobManifest(api.url, { retriever }), { sleep: () => settle(), concurrency: 30 })
    await settle()
    process.off('warning', onWarning)
    assert.equal(told.pages.length, 30)
    assert.deepEqual(warnings, [])
  })

  test('a reader who leaves ends every job that was under way', async () => {
    await using api = await serveJobs({ statuses: [['done'], ['running']] })
    const root = { max_concurrent_async_job_count: 3 }
    const retriever = { ...enders(api.url), partition_router }
    const manifest = loadManifest(jobManifest(api.url, { root, retriever }))
    for await (const _page of readPages(manifest, { sleep: () => settle() })) break
    const count = (word: string) => api.steps.filter((step) => step.startsWith(word)).length
    assert.equal(count('delete'), 1)
    assert.equal(count('abort'), count('create') - 1)
  })

  test('a job that fails gives its place back', async () => {
    await using api = await serveJobs({ statuses: [['failed'], ['failed'], ['failed'], ['done']] })
    const { run, network } = openJobs(jobManifest(api.url, { retriever: { partition_router } }), () => settle())
    const stream = await openStreamNamed(run, 'items')
    const slices = (await listOf(stream.slices({}))).slice(0, 2)
    const [first, second] = await Promise.allSettled(slices.map((slice) => listOf(readSlicePages(stream, slice))))
    await network.close()
    assert.deepEqual([first?.status, second?.status], ['rejected', 'fulfilled'])
  })
})

/** A run whose slices a test reads itself. */
function openJobs(manifest: object, sleep: Tools['sleep']) {
  const network = openNetwork()
  const tools = { network, now: Date.now, sleep, random: Math.random, report: () => {} }
  return { network, run: openRun(loadManifest(manifest), { config: {} }, tools) }
}

async function listOf<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const value of values) list.push(value)
  return list
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

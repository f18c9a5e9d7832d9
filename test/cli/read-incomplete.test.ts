import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { serveApi } from '../helpers/serve-api.ts'
import { messagesIn, recordsIn, runCli, statesIn, statusesIn } from './run-cli.ts'
import { daily, manifestOf, orders, ordersFrom, stream, tempFolder } from './shop.ts'

const errorsIn = (ran: { stdout: string }) =>
  messagesIn(ran).flatMap(({ trace }) => (trace?.type === 'ERROR' ? [trace.error as Record<string, unknown>] : []))

/** The receipts that `TRACE` `ANALYTICS` carries. */
const tracedIn = (ran: { stdout: string }) =>
  messagesIn(ran).flatMap(({ trace }) => {
    const analytics = trace?.analytics as { value: string } | undefined
    return analytics === undefined ? [] : [JSON.parse(analytics.value) as Record<string, unknown>]
  })

/** Five orders, of which the API says that there are `total`. */
const counted = (query: URLSearchParams, total: number) => ({ json: { ...ordersFrom(query).json, total } })

describe('a read that is incomplete', { concurrency: 4 }, () => {
  test('ends INCOMPLETE with an error that says why, and exits with 1', async () => {
    await using api = await serveApi({
      'GET /short': (query) => counted(query, 57),
      'GET /orders': (query) => counted(query, 5),
    })
    await using files = await tempFolder()
    const streams = [stream(api.url, { name: 'short', path: '/short' }), stream(api.url, { name: 'whole' })]
    const manifest = await files.write('manifest.json', manifestOf(streams))

    const ran = await runCli(['read', '--manifest-path', manifest])

    assert.equal(ran.code, 1)
    assert.deepEqual(
      statusesIn(ran).filter((status) => !/STARTED|RUNNING/.test(status)),
      ['short INCOMPLETE', 'whole COMPLETE'],
    )
    assert.equal(recordsIn(ran).length, 10)
    const [error, ...others] = errorsIn(ran)
    assert.deepEqual(others, [])
    assert.equal(error?.message, 'Stream "short" is incomplete: the API counts 57, received 5.')
    assert.match(String(error?.internal_message), /^proof\/incomplete; try: Run `npx turnleaf diagnose`/)
    assert.deepEqual(error?.stream_descriptor, { name: 'short' })
    assert.match(
      ran.stderr,
      /^proof\/incomplete: Stream "short" is incomplete: .*\n {2}try {2}Run `npx turnleaf diagnose`/,
    )
    assert.deepEqual(
      tracedIn(ran).map(({ stream: name, ending, verdict }) => [name, ending, verdict]),
      [
        ['short', 'incomplete', 'incomplete'],
        ['whole', 'complete', 'complete'],
      ],
    )
  })

  test('one that its own --max-pages cut has no error, and exits with 0', async () => {
    await using api = await serveApi({ 'GET /orders': (query) => counted(query, 5) })
    await using files = await tempFolder()
    const manifest = await files.write('manifest.json', manifestOf([stream(api.url, { name: 'orders' })]))
    const ran = await runCli(['read', '--manifest-path', manifest, '--max-pages', '1'])
    assert.equal(ran.code, 0, ran.stderr)
    assert.equal(statusesIn(ran).at(-1), 'orders INCOMPLETE')
    assert.deepEqual(errorsIn(ran), [])
    assert.equal(ran.stderr, '')
  })

  test('a limit of pages excuses only the slices that it cut', async () => {
    await using api = await serveApi({
      'GET /orders': (query) =>
        query.get('shop') === 'short'
          ? { json: { data: orders.slice(0, 1), has_more: true } }
          : { json: { data: orders.slice(0, 2), has_more: true } },
    })
    await using files = await tempFolder()
    const partition_router = {
      type: 'ListPartitionRouter',
      values: ['short', 'long'],
      cursor_field: 'shop',
      request_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'shop' },
    }
    const sliced = stream(api.url, { name: 'orders' }) as { retriever: object }
    const manifest = await files.write(
      'manifest.json',
      manifestOf([{ ...sliced, retriever: { ...sliced.retriever, partition_router } }]),
    )
    const ran = await runCli(['read', '--manifest-path', manifest, '--max-pages', '1', '--concurrency', '1'])
    assert.equal(ran.code, 1, ran.stdout)
    assert.match(String(errorsIn(ran)[0]?.internal_message), /^proof\/incomplete/)
  })

  test('unproven and duplicated are COMPLETE, unless --require asks for more', async () => {
    await using api = await serveApi({
      'GET /orders': (query) => ordersFrom(query),
      'GET /twice': (query) => ({
        json: { data: query.has('offset') ? orders.slice(0, 1) : orders.slice(0, 2) },
      }),
    })
    await using files = await tempFolder()
    const streams = [stream(api.url, { name: 'orders' }), stream(api.url, { name: 'twice', path: '/twice' })]
    const manifest = await files.write('manifest.json', manifestOf(streams))

    const plain = await runCli(['read', '--manifest-path', manifest])
    assert.equal(plain.code, 0, plain.stderr)
    assert.deepEqual(
      tracedIn(plain).map(({ verdict }) => verdict),
      ['unproven', 'duplicated'],
    )
    assert.deepEqual(statusesIn(plain).slice(-1), ['twice COMPLETE'])

    const required = await runCli(['read', '--manifest-path', manifest, '--require', 'unproven'])
    assert.equal(required.code, 1)
    assert.deepEqual(
      statusesIn(required).filter((status) => /COMPLETE/.test(status)),
      ['orders COMPLETE', 'twice INCOMPLETE'],
    )
    const [error] = errorsIn(required)
    assert.match(String(error?.message), /^Stream "twice" is duplicated: .*; that is below .*`--require unproven`\.$/)
    assert.match(String(error?.internal_message), /^proof\/below-required; try: /)
  })
})

describe('a read that fails', { concurrency: 4 }, () => {
  const failing = (query: URLSearchParams) =>
    query.get('offset') === '4' ? { status: 400, json: { message: 'no' } } : ordersFrom(query)

  test('counts the pages and records read before the failure, in every receipt', async () => {
    await using api = await serveApi({ 'GET /orders': failing })
    await using files = await tempFolder()
    const manifest = await files.write('manifest.json', manifestOf([stream(api.url, { name: 'orders' })]))
    const file = join(files.folder, 'receipts.jsonl')
    const counts = ({ pages, received, emitted }: Record<string, unknown>) => ({ pages, received, emitted })

    const ran = await runCli(['read', '--manifest-path', manifest, '--receipts', file])
    assert.equal(ran.code, 1)
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
    const written = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    assert.deepEqual(written.map(counts), [{ pages: 2, received: 4, emitted: 4 }])
    assert.deepEqual(tracedIn(ran).map(counts), [{ pages: 2, received: 4, emitted: 4 }])
    assert.match(ran.stdout, /4 records, 2 pages; failed before the end/)

    const to = `jsonl:${join(files.folder, 'out')}`
    const synced = await runCli(['sync', '--manifest-path', manifest, '--to', to, '--json'])
    assert.equal(synced.code, 1)
    const events = synced.stdout.trimEnd().split('\n')
    const last = JSON.parse(events.at(-1) ?? '') as { result: { receipts: Record<string, unknown>[] } }
    assert.deepEqual(
      last.result.receipts.map(({ pages, received }) => [pages, received]),
      [[2, 4]],
    )
  })

  test('without a cursor it ends with the state that platforms count records by', async () => {
    await using api = await serveApi({ 'GET /orders': failing, 'GET /none': () => ({ status: 400 }) })
    await using files = await tempFolder()
    const streams = [stream(api.url, { name: 'some' }), stream(api.url, { name: 'none', path: '/none' })]
    const manifest = await files.write('manifest.json', manifestOf(streams))
    const ran = await runCli(['read', '--manifest-path', manifest])
    assert.equal(ran.code, 1)
    assert.deepEqual(statesIn(ran), [
      ['some', { __ab_no_cursor_state_message: true }, 4],
      ['none', { __ab_no_cursor_state_message: true }, 0],
    ])
  })

  test('such a state is not given where it would choose the incremental stream next time', async () => {
    await using api = await serveApi({ 'GET /orders': failing })
    await using files = await tempFolder()
    const [whole, incremental] = [
      stream(api.url, { name: 'orders' }),
      stream(api.url, { name: 'orders', stream: daily }),
    ]
    const delegating = {
      type: 'StateDelegatingStream',
      name: 'orders',
      full_refresh_stream: whole,
      incremental_stream: incremental,
    }
    const manifest = await files.write('manifest.json', manifestOf([delegating]))
    const ran = await runCli(['read', '--manifest-path', manifest])
    assert.equal(ran.code, 1)
    assert.deepEqual(statesIn(ran), [])
  })
})

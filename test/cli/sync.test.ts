import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { startLab } from '../../src/lab/lab.ts'
import type { SyncEvent } from '../../src/sync/events.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { runCli } from './run-cli.ts'
import { daily, type Files, idsIn, manifestOf, orders, ordersFrom, rotatingAuth, stream, tempFolder } from './shop.ts'

const shop = () => serveApi({ 'GET /orders': (query) => ordersFrom(query) })
const ids = orders.map(({ id }) => id)

/** A manifest in the folder `shop`, and a sync of it into the same folder. */
async function shopIn(files: Files, streams: readonly object[], rest: object = {}) {
  await files.write('shop/manifest.json', manifestOf(streams, rest))
  return (...args: string[]) =>
    runCli(['sync', '--manifest-path', 'shop', '--to', 'jsonl:out', ...args], { cwd: files.folder })
}

/** What docs/cli.md says that a command prints. */
async function shownInDocs(command: string): Promise<string> {
  const page = await readFile('docs/cli.md', 'utf8')
  return new RegExp(`^\\$ npx turnleaf ${command}\\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1] ?? ''
}

/** Without what differs from one run to the next. */
function timeless(text: string): string {
  return text
    .replaceAll(/\d{8}T\d{6}Z-[\da-f]{4}/g, 'RUN')
    .replaceAll(/[\d-]{10} [\d:]{8} UTC/g, 'DATE')
    .replaceAll(/\d+(?:\.\d)? s\b/g, 'TIME')
}

/** Streams that are read at the same time start and end in any order; the table after the log has theirs. */
function inAnyOrder(text: string): string {
  const [log = '', ...rest] = text.split('\n\n')
  return [log.split('\n').toSorted().join('\n'), ...rest].join('\n\n')
}

describe('turnleaf sync', { concurrency: 2 }, () => {
  test('writes every stream and lists the run, as docs/cli.md shows it; standard output is for programs', async () => {
    await using lab = await startLab({ size: 250 })
    await using files = await tempFolder()
    const config = await files.write('config.json', { base_url: lab.url })
    const manifest = join(process.cwd(), 'connectors/lab')
    const streams = ['offset', 'cursor', 'calendar'].flatMap((name) => ['--stream', name])
    const args = ['sync', '--manifest-path', manifest, '--config', config, ...streams]
    const { code, stdout, stderr } = await runCli(args, { cwd: files.folder })
    assert.equal(code, 0, stderr)
    assert.equal(stdout, '')
    assert.equal(inAnyOrder(timeless(stderr)), inAnyOrder(timeless(await shownInDocs('sync [^\\n]* calendar'))))

    const listed = await runCli(['runs'], { cwd: files.folder })
    assert.equal(timeless(listed.stdout), timeless(await shownInDocs('runs')))
  })

  test('--json prints every event as a line, the result last', async () => {
    await using api = await shop()
    await using files = await tempFolder()
    const sync = await shopIn(files, [stream(api.url, { name: 'orders' })])
    const { code, stdout, stderr } = await sync('--json')
    assert.equal(code, 0, stderr)
    const events = stdout.trimEnd().split('\n')
    const kinds = events.map((line) => (JSON.parse(line) as SyncEvent).kind)
    assert.deepEqual(
      kinds.filter((kind) => kind !== 'committed'),
      ['run-started', 'stream-started', 'page', 'page', 'page', 'slice-ended', 'stream-ended', 'run-ended'],
    )
    const { result } = JSON.parse(events.at(-1) ?? '') as Extract<SyncEvent, { kind: 'run-ended' }>
    assert.equal(result.connection, 'shop')
    assert.equal(result.receipts[0]?.records, 5)
    assert.deepEqual(await idsIn(join(files.folder, 'out'), 'orders'), ids)
  })

  test('an error of a stream has its place in the manifest, in text and as JSON', async () => {
    await using api = await shop()
    await using files = await tempFolder()
    const retriever = { decoder: { type: 'CustomDecoder', class_name: 'source_shop.components.Csv' } }
    const declared = stream(api.url, { name: 'orders' }) as { retriever: object }
    const sync = await shopIn(files, [{ ...declared, retriever: { ...declared.retriever, ...retriever } }])
    const { code, stdout, stderr } = await sync('--json')
    assert.equal(code, 2, stderr)
    assert.match(stderr, /^ {2}at {3}\/streams\/0\/retriever\/decoder.* {2}shop\/manifest\.json:1:\d+$/m)
    const { result } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Extract<
      SyncEvent,
      { kind: 'run-ended' }
    >
    assert.match(result.receipts[0]?.error?.at?.pointer ?? '', /^\/streams\/0\/retriever\/decoder/)
  })

  test('--require complete does not accept a stream that is not verified', async () => {
    await using api = await shop()
    await using files = await tempFolder()
    const sync = await shopIn(files, [stream(api.url, { name: 'orders' })])
    const { code, stderr } = await sync('--require', 'complete')
    assert.equal(code, 1)
    assert.match(
      stderr,
      /^Stream "orders" is not verified: .*; that is below the threshold set by --require complete\.$/m,
    )
    assert.equal((await sync()).code, 0)
    // Now there are rows to protect.
    const again = await sync('--require', 'complete')
    assert.equal(again.code, 1)
    assert.match(again.stderr, /^Stream "orders" was held: .*a complete one is required\.$/m)
  })

  test('a stream that ends before it has what the API counts is a failure', async () => {
    await using api = await serveApi({
      'GET /orders': (query) => ({ json: { ...ordersFrom(query, orders.slice(0, 3)).json, total: 5 } }),
    })
    await using files = await tempFolder()
    const sync = await shopIn(files, [stream(api.url, { name: 'orders' })])
    const { code, stderr } = await sync()
    assert.equal(code, 1)
    assert.match(stderr, /^orders +3 +2 +short page +incomplete: /m)
  })

  test('--mode is for all streams, or for one', async () => {
    await using api = await shop()
    await using files = await tempFolder()
    const sync = await shopIn(files, [stream(api.url, { name: 'orders' }), stream(api.url, { name: 'customers' })])
    const modes = ['--mode', 'full-refresh-append', '--mode', 'customers=full_refresh_dedup']
    assert.equal((await sync(...modes)).code, 0)
    // A mode for a stream that is not chosen is no fault.
    assert.equal((await sync(...modes, '--stream', 'orders')).code, 0)
    assert.equal((await sync(...modes, '--stream', 'customers')).code, 0)
    assert.deepEqual(await idsIn(join(files.folder, 'out'), 'orders'), [...ids, ...ids])
    assert.deepEqual(new Set(await idsIn(join(files.folder, 'out'), 'customers')), new Set(ids))
  })

  test('the catalog chooses streams and modes', async () => {
    await using api = await shop()
    await using files = await tempFolder()
    const sync = await shopIn(files, [stream(api.url, { name: 'orders' }), stream(api.url, { name: 'customers' })])
    const chosen = { stream: { name: 'customers' }, sync_mode: 'full_refresh', destination_sync_mode: 'append' }
    const catalog = await files.write('catalog.json', { streams: [chosen] })
    for (let run = 1; run <= 2; run++) assert.equal((await sync('--catalog', catalog)).code, 0)
    assert.deepEqual(await idsIn(join(files.folder, 'out'), 'customers'), [...ids, ...ids])
    await assert.rejects(idsIn(join(files.folder, 'out'), 'orders'), { code: 'ENOENT' })
  })

  test('what was read is not requested again, except with --fresh', async () => {
    await using api = await shop()
    await using files = await tempFolder()
    const sync = await shopIn(files, [stream(api.url, { name: 'orders', stream: daily })])
    const askedBy = async (...args: string[]) => {
      const before = api.asked.length
      assert.equal((await sync('--prefetch', 'off', ...args)).code, 0)
      return api.asked.length - before
    }
    const first = await askedBy()
    assert.ok((await askedBy()) < first)
    assert.equal(await askedBy('--fresh'), first)
  })

  const faults: [string, string[], RegExp][] = [
    ['an address of no destination', ['--to', 'nowhere:x'], /^destinations\/unknown: /],
    ['an address that is a slip of the pen', ['--to', 'postgress://me:s3cret@host/db'], /^destinations\/unknown: /],
    ['a schema in a folder', ['--schema', 'raw'], /^cli\/arguments: --schema raw does not apply to /],
    ['a mode that does not exist', ['--mode', 'append'], /^sync\/unknown-mode: There is no mode "append"\./],
    ['a mode for a stream with a typo', ['--mode', 'ordres=full-refresh-append'], /Did you mean "orders"\?/],
    ['a stream with a typo', ['--stream', 'ordres'], /Did you mean "orders"\?/],
    ['a mode that no stream can have', ['--mode', 'incremental-append'], /^sync\/not-incremental: Stream "orders"/m],
  ]
  for (const [name, args, words] of faults) {
    test(`${name} is a fault of the arguments`, async () => {
      await using files = await tempFolder()
      const sync = await shopIn(files, [stream('http://127.0.0.1:1', { name: 'orders' })])
      const { code, stdout, stderr } = await sync(...args)
      assert.equal(code, 2, stderr)
      assert.match(stderr, words)
      assert.equal(stdout, '')
      assert.doesNotMatch(stderr, /s3cret/)
    })
  }

  test('TURNLEAF_TO refers to variables as --to does', async () => {
    await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query) })
    await using files = await tempFolder()
    await files.write('shop/manifest.json', manifestOf([stream(api.url, { name: 'orders' })]))
    const sync = (env: Record<string, string>) =>
      runCli(['sync', '--manifest-path', 'shop'], { cwd: files.folder, env: { TURNLEAF_TO: 'jsonl:${PLACE}', ...env } })
    const { code, stderr } = await sync({ PLACE: 'rows' })
    assert.equal(code, 0, stderr)
    assert.deepEqual(await idsIn(join(files.folder, 'rows'), 'orders'), ids)
    const unset = await sync({})
    assert.equal(unset.code, 2)
    assert.match(unset.stderr, /^cli\/arguments: TURNLEAF_TO needs PLACE, which is not set in the environment\./)
  })

  test('a database that is not there is a failure of the run, and its password stays hidden', async () => {
    await using files = await tempFolder()
    await files.write('shop/manifest.json', manifestOf([stream('http://127.0.0.1:1', { name: 'orders' })]))
    const env = { TURNLEAF_TO: 'postgres://me:s3cret@127.0.0.1:1/shop', TURNLEAF_DEBUG: '1' }
    const { code, stderr } = await runCli(['sync', '--manifest-path', 'shop'], { cwd: files.folder, env })
    assert.equal(code, 1)
    assert.match(stderr, /^destinations\/unreachable: /)
    assert.doesNotMatch(stderr, /s3cret/)
  })

  test('streams that fail do not stop the others; the reason they share is said once', async () => {
    await using api = await serveApi({
      'GET /orders': (query) => ordersFrom(query),
      'GET /secret': () => ({ status: 403, json: { message: 'no \x1b[2J entry' } }),
    })
    await using files = await tempFolder()
    const closed = ['a', 'b'].map((name) => stream(api.url, { name, path: '/secret' }))
    const sync = await shopIn(files, [...closed, stream(api.url, { name: 'orders' })])
    const { code, stderr } = await sync()
    assert.equal(code, 1)
    assert.match(stderr, /^a +0 +0 +failed: response\/rejected +incomplete: /m)
    assert.match(stderr, /^orders +5 +3 +short page /m)
    assert.equal(stderr.match(/^response\/rejected: /gm)?.length, 1)
    assert.doesNotMatch(stderr, /\x1b/)
    assert.deepEqual(await idsIn(join(files.folder, 'out'), 'orders'), ids)
  })

  test('a refresh token that was replaced is written back to the config, and never printed', async () => {
    await using api = await serveApi({
      'POST /token': () => ({ json: { access_token: 'at-s3cret', refresh_token: 'rt-s3cret-1', expires_in: 3600 } }),
      'GET /orders': (query) => ordersFrom(query),
    })
    const authenticator = rotatingAuth(api.url)
    await using files = await tempFolder()
    const sync = await shopIn(files, [stream(api.url, { name: 'orders', requester: { authenticator } })])
    const config = await files.write('config.json', { credentials: { refresh_token: 'rt-s3cret-0' } })
    const { code, stdout, stderr } = await sync('--config', config, '--json')
    assert.equal(code, 0, stderr)
    assert.match(await readFile(config, 'utf8'), /"refresh_token":"rt-s3cret-1"/)
    assert.doesNotMatch(stdout + stderr, /s3cret/)
  })
})

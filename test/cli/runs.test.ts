import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { serveApi } from '../helpers/serve-api.ts'
import { runCli } from './run-cli.ts'
import { manifestOf, ordersFrom, stream, tempFolder } from './shop.ts'

describe('turnleaf runs', { concurrency: 2 }, () => {
  for (const to of ['jsonl:out', 'duckdb:out/shop.duckdb']) {
    test(`lists past syncs with their receipts, newest first (${to})`, async () => {
      let isOpen = false
      await using api = await serveApi({
        'GET /orders': (query) => ordersFrom(query),
        'GET /more': (query) => (isOpen ? ordersFrom(query) : { status: 403, text: 'no' }),
      })
      await using files = await tempFolder()
      const streams = [stream(api.url, { name: 'orders' }), stream(api.url, { name: 'more', path: '/more' })]
      await files.write('shop.json', manifestOf(streams))
      const at = { cwd: files.folder, env: { TURNLEAF_TO: to } }
      const sync = () => runCli(['sync', '--manifest-path', 'shop.json', '--connection', 'eu'], at)
      assert.equal((await sync()).code, 1)
      isOpen = true
      assert.equal((await sync()).code, 0)

      const { code, stdout, stderr } = await runCli(['runs', '--connection', 'eu'], at)
      assert.equal(code, 0, stderr)
      assert.match(stdout, /^\d{8}T\d{6}Z-[\da-f]{4} {3}eu {3}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC {3}took [\d.]+ s\n/)
      assert.match(stdout, /\n {2}orders +5 +3 +short page +not verified: /)

      assert.match(stdout, /\n\n\S+ {3}eu .* {3}took [\d.]+ s, 1 of 2 streams failed\n/)

      const newest = await runCli(['runs', '--limit', '1', '--json'], at)
      assert.equal(newest.stderr, '1 more with --limit 2.\n')
      const run = JSON.parse(newest.stdout) as { connection: string; status: string; streams: { stream: string }[] }
      assert.equal(run.connection, 'eu')
      assert.equal(run.status, 'complete')
      assert.deepEqual(
        run.streams.map((one) => one.stream),
        ['orders', 'more'],
      )
      const others = await runCli(['runs', '--connection', 'us'], at)
      assert.equal(others.stderr, `There are no syncs of "us" in ${to}, only of eu.\n`)
    })
  }

  test('reports that nothing was written yet, and creates nothing', async () => {
    await using files = await tempFolder()
    for (const [given, address, again] of [
      ['duckdb:turnleaf.duckdb', 'duckdb:turnleaf.duckdb', ''],
      ['jsonl:out', 'jsonl:out', ' --to jsonl:out'],
      ['jsonl:${PLACE}', 'jsonl:out', " --to 'jsonl:${PLACE}'"],
    ] as const) {
      const ran = await runCli(['runs', '--to', given], { cwd: files.folder, env: { PLACE: 'out' } })
      assert.deepEqual(ran, {
        code: 0,
        stdout: '',
        stderr: `There are no syncs in ${address} yet. Start one with \`npx turnleaf sync --manifest-path FILE${again}\`.\n`,
      })
    }
    assert.equal((await runCli(['runs'], { cwd: files.folder })).code, 0)
    const unknown = await runCli(['runs', '--to', 'nowhere:x'], { cwd: files.folder })
    assert.equal(unknown.code, 2)
  })

  test('names the connections, whose runs are in their own destinations', async () => {
    await using files = await tempFolder()
    await files.write('connections/shop/connection.yaml', 'connector: shop\ndestination: jsonl:../../out\n')
    const { stderr } = await runCli(['runs'], { cwd: files.folder })
    assert.match(
      stderr,
      /^The runs of a connection are in its own destination:\n {2}shop {2}npx turnleaf runs --connection shop$/m,
    )
    const elsewhere = await runCli(['runs', '--connection', 'shop', '--to', 'jsonl:other'], { cwd: files.folder })
    assert.match(elsewhere.stderr, /^There are no syncs in jsonl:other yet\./)
  })

  test('a misspelt connection is an error that names the right one, of a file or of an earlier sync', async () => {
    await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query) })
    await using files = await tempFolder()
    await files.write('connections/shop/connection.yaml', 'connector: shop\ndestination: jsonl:../../out\n')
    await files.write('store.json', manifestOf([stream(api.url, { name: 'orders' })]))
    const run = (...args: string[]) => runCli(args, { cwd: files.folder })
    assert.equal((await run('sync', '--manifest-path', 'store.json', '--to', 'jsonl:rows')).code, 0)
    const cases = [
      [['--connection', 'shpo'], 'duckdb:turnleaf.duckdb', 'shop'],
      [['--connection', 'stroe', '--to', 'jsonl:rows'], 'jsonl:rows', 'store'],
    ] as const
    for (const [args, address, meant] of cases) {
      for (const command of [['runs'], ['publish', 'orders']]) {
        const { code, stderr } = await run(...command, ...args)
        const says = `connections/not-found: There are no syncs of "${args[1]}" in ${address}.\n  try  Did you mean ${meant}?\n`
        assert.deepEqual([code, stderr], [2, says])
      }
    }
  })
})

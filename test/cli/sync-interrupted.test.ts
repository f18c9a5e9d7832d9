import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { serveApi } from '../helpers/serve-api.ts'
import { runCli, said, startCli } from './run-cli.ts'
import { idsIn, manifestOf, orders, ordersFrom, stream, tempFolder } from './shop.ts'

const ids = orders.map(({ id }) => id)

/** A shop that does not answer requests for the third page until it is fixed. */
async function stuckShop() {
  let isStuck = true
  let reached = () => {}
  const isReached = new Promise<void>((resolve) => {
    reached = resolve
  })
  const api = await serveApi({
    'GET /orders': (query) => {
      if (!isStuck || query.get('offset') !== '4') return ordersFrom(query)
      reached()
      return { raw: () => {} }
    },
  })
  const files = await tempFolder()
  const streams = ['orders', 'customers'].map((name) => stream(api.url, { name }))
  await files.write('shop/manifest.json', manifestOf(streams))
  return {
    api,
    isReached,
    out: join(files.folder, 'out'),
    // In order, so that what was read when the third page is requested is known.
    args: ['sync', '--manifest-path', 'shop', '--to', 'jsonl:out', '--prefetch', 'off', '--streams', '1'],
    cwd: files.folder,
    fix() {
      isStuck = false
    },
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]()
      await files[Symbol.asyncDispose]()
    },
  }
}

describe('a sync that is interrupted', { concurrency: 2 }, () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    test(`${signal} keeps what was read, ends it by the signal itself, and the next sync resumes from there`, async () => {
      await using shop = await stuckShop()
      await using started = startCli(shop.args, shop)
      const stderr = text(started.child.stderr)
      await shop.isReached
      started.child.kill(signal)
      assert.equal(await started.ended, signal)
      assert.match(await stderr, /^orders +4 +2 +interrupted +incomplete: /m)
      assert.match(await stderr, /Interrupted\. What was read is kept; run the same command again to resume\.\n$/)

      shop.fix()
      const before = shop.api.asked.length
      const again = await runCli(shop.args, shop)
      assert.equal(again.code, 0, again.stderr)
      assert.match(again.stderr, /^Resuming run .*, which was interrupted: 2 streams of "shop" into jsonl:out\.$/m)
      assert.match(again.stderr, /^orders resumes at page 3, after 4 records\.$/m)
      // The last page that is kept shows that nothing moved.
      assert.equal(shop.api.asked[before], 'GET /orders?offset=2')
      assert.deepEqual(await idsIn(shop.out, 'orders'), ids)
      assert.deepEqual(await idsIn(shop.out, 'customers'), ids)

      const { stdout } = await runCli(['runs', '--to', 'jsonl:out'], shop)
      assert.match(stdout, /^\S+ {3}shop {3}.* UTC {3}took .* s, 2 attempts\n {2}stream/)
    })
  }

  test('a signal after the last commit changes nothing: the exit code is that of the sync', async () => {
    await using shop = await stuckShop()
    shop.fix()
    // Sent by the process to itself, as soon as the last stream has ended: what is left is to end the run.
    const preload = `const write = process.stdout.write
      process.stdout.write = function (text, ...rest) {
        if (/"stream-ended".*"customers"/.test(text)) process.kill(process.pid, 'SIGINT')
        return write.call(this, text, ...rest)
      }`
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}` }
    const args = [...shop.args, '--mode', 'full-refresh-append', '--json']
    await using started = startCli(args, { ...shop, env })
    const [stdout, stderr] = [text(started.child.stdout), text(started.child.stderr)]
    assert.equal(await started.ended, 0, await stderr)
    assert.match(await stdout, /"stream-ended"/)
    assert.match(await stderr, /Stopping: committing what was read/)
    assert.deepEqual(await idsIn(shop.out, 'customers'), ids)
  })

  test('SIGTERM leaves a database that the next sync opens and resumes from', async () => {
    await using shop = await stuckShop()
    const args = shop.args.map((arg) => (arg === 'jsonl:out' ? 'duckdb:out.duckdb' : arg))
    await using started = startCli(args, shop)
    await shop.isReached
    started.child.kill('SIGTERM')
    assert.equal(await started.ended, 'SIGTERM')
    shop.fix()
    const again = await runCli(args, shop)
    assert.equal(again.code, 0, again.stderr)
    assert.match(again.stderr, /^orders resumes at page 3, after 4 records\.$/m)
  })

  test('the second Ctrl-C ends it at once', async () => {
    await using shop = await stuckShop()
    await using started = startCli(shop.args, shop)
    await shop.isReached
    started.child.kill('SIGINT')
    await said(started.child.stderr, 'Press Ctrl-C again to stop at once.')
    started.child.kill('SIGINT')
    assert.equal(await started.ended, 'SIGINT')
  })

  test('a second sync at the same time is refused, and the first continues', async () => {
    await using shop = await stuckShop()
    await using started = startCli(shop.args, shop)
    await shop.isReached
    const second = await runCli(shop.args, shop)
    assert.equal(second.code, 1)
    assert.match(second.stderr, /^destinations\/busy: .*\n {2}try {2}/)
    const { stdout } = await runCli(['runs', '--to', 'jsonl:out'], shop)
    assert.match(stdout, /interrupted, or still running\n$/)

    started.child.kill('SIGINT')
    assert.equal(await started.ended, 'SIGINT')
  })

  test('its events need not be read', async () => {
    await using shop = await stuckShop()
    await using started = startCli([...shop.args, '--json'], shop)
    await said(started.child.stdout, '\n')
    started.child.stdout.destroy()
    await shop.isReached
    shop.fix()
    await shop.api.closeConnections()
    assert.equal(await started.ended, 0)
    assert.deepEqual(await idsIn(shop.out, 'orders'), ids)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { serveApi } from '../helpers/serve-api.ts'
import { recordsIn, runCli, said, startCli, statusesIn } from './run-cli.ts'
import { manifestOf, orders, ordersFrom, stream, tempFolder } from './shop.ts'

/** A server that answers the first page and then keeps its readers waiting. */
function slowShop() {
  return serveApi({ 'GET /orders': (query) => (query.has('offset') ? { raw: () => {} } : ordersFrom(query)) })
}

describe('a read that is interrupted', { concurrency: 4 }, () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    test(`${signal} in the middle of a read keeps what was read, and ends it by the signal itself`, async () => {
      await using api = await slowShop()
      await using files = await tempFolder()
      const streams = ['orders', 'next'].map((name) => stream(api.url, { name }))
      const manifest = await files.write('manifest.json', manifestOf(streams))
      await using started = startCli(['read', '--manifest-path', manifest])
      const { child, ended } = started

      const before = await said(child.stdout, '"id":2')
      child.kill(signal)
      const stdout = before + (await text(child.stdout))

      assert.equal(await ended, signal)
      assert.deepEqual(recordsIn({ stdout }), orders.slice(0, 2))
      assert.deepEqual(statusesIn({ stdout }), ['orders STARTED', 'orders RUNNING', 'orders INCOMPLETE'])
      assert.doesNotMatch(stdout, /"STATE"/)
      assert.match(stdout, /cancelled before the end/)
    })
  }

  test('the second Ctrl-C ends it although its output is not read', async () => {
    const wide = Array.from({ length: 4000 }, (_, id) => ({ id, text: 'x'.repeat(500) }))
    await using api = await serveApi({ 'GET /orders': () => ({ json: { data: wide } }) })
    await using files = await tempFolder()
    const manifest = await files.write('manifest.json', manifestOf([stream(api.url, { name: 'orders' })]))
    await using started = startCli(['read', '--manifest-path', manifest])
    const { child, ended } = started
    while (api.asked.length === 0) await pause(10)
    await pause(300)

    child.kill('SIGINT')
    await pause(100)
    child.kill('SIGINT')

    assert.equal(await ended, 'SIGINT')
  })

  test('a reader that has enough (| head -1) is a good end', async () => {
    await using api = await serveMany(20_000, 200)
    await using files = await tempFolder()
    const manifest = await writeManifest(files, api.url)
    await using started = startCli(['read', '--manifest-path', manifest])
    const { child, ended } = started

    await said(child.stdout, '\n')
    child.stdout.destroy()

    assert.equal(await text(child.stderr), '')
    assert.equal(await ended, 0)
  })

  test('a slow reader gets every record', async () => {
    await using api = await serveMany(6000, 300)
    await using files = await tempFolder()
    const manifest = await writeManifest(files, api.url)
    await using started = startCli(['read', '--manifest-path', manifest])
    const { child, ended } = started

    await pause(500)
    // Pages wait while the output is not read: the one being written, and the one requested ahead.
    assert.ok(api.asked.length <= 3, `${api.asked.length} pages were requested`)
    const stdout = await text(child.stdout)

    assert.equal(await ended, 0)
    assert.equal(recordsIn({ stdout }).length, 6000)
  })

  test('an API that cannot be reached is a failure of the run', { timeout: 60_000 }, async () => {
    await using api = await serveApi({
      'GET /orders': () => ({ status: 429, headers: { 'retry-after': '7200' }, text: 'later' }),
    })
    await using files = await tempFolder()
    const manifest = await files.write('manifest.json', manifestOf([stream(api.url, { name: 'orders' })]))
    const ran = await runCli(['read', '--manifest-path', manifest])
    assert.equal(ran.code, 1)
    assert.match(ran.stdout, /"failure_type":"transient_error"/)
  })
})

/** Orders by the thousand, so that no pipe holds them all. */
function serveMany(length: number, width: number) {
  const many = Array.from({ length }, (_, id) => ({ id, text: 'x'.repeat(width) }))
  return serveApi({
    'GET /orders': (query) => ({ json: { data: many.slice(Number(query.get('offset') ?? 0)).slice(0, 1000) } }),
  })
}

function writeManifest(files: Awaited<ReturnType<typeof tempFolder>>, url: string) {
  const paginator = { pagination_strategy: { type: 'OffsetIncrement', page_size: 1000 } }
  return files.write('manifest.json', manifestOf([stream(url, { name: 'orders', paginator })]))
}

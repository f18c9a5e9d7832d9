import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { serveApi } from '../helpers/serve-api.ts'
import { messagesIn, runCli } from './run-cli.ts'
import { manifestOf, stream, tempFolder } from './shop.ts'

/** An address where nothing listens. */
async function deadUrl(): Promise<string> {
  const api = await serveApi({})
  await api[Symbol.asyncDispose]()
  return api.url
}

const logsIn = (ran: { stdout: string }) =>
  messagesIn(ran).flatMap(({ log }) => (log === undefined ? [] : [String(log.message)]))

describe('a host that is not there', { concurrency: 4 }, () => {
  test('read: says what it tries, gives up soon, and names the host and the field to check', async () => {
    const url = await deadUrl()
    const { host } = new URL(url)
    await using files = await tempFolder()
    const manifest = await files.write('manifest.json', manifestOf([stream(url, { name: 'orders' })]))
    const ran = await runCli(['read', '--manifest-path', manifest])
    assert.equal(ran.code, 1)
    const tries = logsIn(ran).filter((text) => text.includes('failed, next in'))
    assert.deepEqual(
      tries.map((text) => /try \d of \d/.exec(text)?.[0]),
      ['try 1 of 3', 'try 2 of 3'],
    )
    assert.ok(tries.every((text) => text.includes(`${host} cannot be reached (ECONNREFUSED)`)))
    assert.match(
      ran.stderr,
      new RegExp(`^response/gave-up: Gave up after 3 tries.*${host}.*\n {2}try {2}Check \`url_base\``),
    )
  })

  test('check and discover: each try is a message of its own, before the response', async () => {
    const url = await deadUrl()
    await using files = await tempFolder()
    const loader = {
      type: 'DynamicSchemaLoader',
      retriever: (stream(url, { name: 'fields' }) as { retriever: object }).retriever,
      schema_type_identifier: { type: 'SchemaTypeIdentifier', key_pointer: ['name'] },
    }
    const streams = [stream(url, { name: 'orders', stream: { schema_loader: loader } })]
    const manifest = await files.write('manifest.json', manifestOf(streams))
    const checked = await runCli(['check', '--manifest-path', manifest])
    assert.deepEqual(
      logsIn(checked).map((text) => /^Try \d of \d failed/.exec(text)?.[0]),
      ['Try 1 of 3 failed', 'Try 2 of 3 failed'],
    )
    const status = messagesIn(checked).at(-1)?.connectionStatus
    assert.equal(status?.status, 'FAILED')
    assert.match(String(status?.message), /cannot be reached .* Check `url_base`: is `127\.0\.0\.1:\d+` the right host/)

    const discovered = await runCli(['discover', '--manifest-path', manifest])
    assert.equal(discovered.code, 1)
    assert.equal(logsIn(discovered).filter((text) => /^Try \d of 3 failed/.test(text)).length, 2)
  })

  test('sync: without rows that move, each try is a line', async () => {
    const url = await deadUrl()
    await using files = await tempFolder()
    const manifest = await files.write('manifest.json', manifestOf([stream(url, { name: 'orders' })]))
    const to = `jsonl:${join(files.folder, 'out')}`
    const ran = await runCli(['sync', '--manifest-path', manifest, '--to', to])
    assert.equal(ran.code, 1)
    assert.match(
      ran.stderr,
      /warning: Stream "orders": try 1 of 3 failed, next in 0\.\d s\. 127\.0\.0\.1:\d+ cannot be/,
    )
    assert.match(ran.stderr, /Check `url_base`/)
  })
})

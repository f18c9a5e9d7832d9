/** What a process of its own adds to a command: its exit code, its pipes, and that nothing has run in it before. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { connectorFolder } from '../helpers/connector-folder.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { runCli, runProcess } from './run-cli.ts'
import { manifestOf, ordersFrom, stream, tempFolder } from './shop.ts'

type Loose = { retriever: { requester: object } }

/** Messages name the time at which they were made. */
const untimed = (text: string) => text.replaceAll(/"(emitted_at|time_ms|timestamp)":[\d.]+/g, '')

describe('a process of its own', () => {
  const ends: [name: string, args: (manifest: string) => string[], code: number][] = [
    ['a success', (manifest) => ['read', '--manifest-path', manifest, '--stream', 'orders'], 0],
    ['a failed read', (manifest) => ['read', '--manifest-path', manifest, '--stream', 'gone'], 1],
    ['a manifest with a fault', () => ['validate', 'no-such-manifest.yaml'], 2],
    ['arguments with a fault', () => ['raed'], 2],
    ['no arguments', () => [], 2],
    ['help', () => ['--help'], 0],
  ]
  for (const [name, argsOf, code] of ends) {
    test(`${name} ends with ${code}, and writes what the command writes after others`, async () => {
      await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query) })
      await using files = await tempFolder()
      const streams = [stream(api.url, { name: 'orders' }), stream(api.url, { name: 'gone', path: '/gone' })]
      const args = argsOf(await files.write('manifest.json', manifestOf(streams)))
      const alone = await runProcess(args)
      const after = await runCli(args)
      assert.equal(alone.code, code, alone.stderr)
      assert.equal(after.code, code, after.stderr)
      assert.deepEqual([alone.stdout, alone.stderr].map(untimed), [after.stdout, after.stderr].map(untimed))
      assert.notEqual(alone.stdout + alone.stderr, '')
    })
  }

  const stuck: [role: string, text: string, change: (stream: Loose, classOf: (type: string) => object) => void][] = [
    [
      'an authenticator',
      'extends Authenticator { authenticate() { return new Promise(() => {}) } }',
      ({ retriever }, classOf) => Object.assign(retriever.requester, { authenticator: classOf('CustomAuthenticator') }),
    ],
    [
      'a router, after its first partition',
      'extends PartitionRouter { async *partitions() { yield { partition: { n: 1 } }; await new Promise(() => {}) } }',
      ({ retriever }, classOf) => Object.assign(retriever, { partition_router: classOf('CustomPartitionRouter') }),
    ],
    [
      'a retriever, after its first page',
      'extends Retriever { async *readSlice() { yield [{ id: 1 }]; await new Promise(() => {}) } }',
      ({ retriever }, classOf) => Object.assign(retriever, classOf('CustomRetriever')),
    ],
  ]
  for (const [role, text, change] of stuck) {
    test(`${role} that waits for something that never happens fails its stream, instead of ending the process without a word`, async () => {
      await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query) })
      const source = `import { Authenticator, PartitionRouter, Retriever } from 'turnleaf'\nexport class Stuck ${text}`
      await using connector = await connectorFolder({ 'source_shop/own.js': source })
      const orders = stream(api.url, { name: 'orders' }) as Loose
      change(orders, (type) => ({ type, class_name: 'source_shop.own.Stuck' }))
      const manifest = join(connector.folder, 'manifest.json')
      await writeFile(manifest, JSON.stringify(manifestOf([orders])))
      const { code, stdout } = await runProcess(['read', '--manifest-path', manifest])
      assert.equal(code, 1)
      assert.match(stdout, /"status":"INCOMPLETE"/)
      assert.match(stdout, /custom\/class-failed/)
      assert.match(stdout, /`source_shop\.own\.Stuck` failed: it waits for a promise that never settles/)
    })
  }
})

/** What a process of its own adds to a command: its exit code, its pipes, and that nothing has run in it before. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { serveApi } from '../helpers/serve-api.ts'
import { runCli, runProcess } from './run-cli.ts'
import { manifestOf, ordersFrom, stream, tempFolder } from './shop.ts'

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
})

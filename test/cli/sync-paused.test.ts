/** A sync whose process is paused in the middle, and the one that comes after it. Postgres: test/destinations/postgres/claims.test.ts. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { text } from 'node:stream/consumers'
import { serveApi } from '../helpers/serve-api.ts'
import { until } from '../helpers/until.ts'
import { runCli, startCli } from './run-cli.ts'
import { manifestOf, stream, tempFolder } from './shop.ts'

const ids = [1, 2, 3, 4, 5, 6]

/** The API holds back the second half until it is released. */
async function pausedSync(to: string) {
  const files = await tempFolder()
  let release = () => {}
  const gate = new Promise<void>((resolve) => (release = resolve))
  let isHeld = false
  const api = await serveApi({
    '*': async (query) => {
      const offset = Number(query.get('offset') ?? 0)
      if (offset >= 4) {
        isHeld = true
        await gate
      }
      return { json: { data: ids.slice(offset, offset + 2).map((id) => ({ id })) } }
    },
  })
  await files.write('shop/manifest.json', manifestOf([stream(api.url, { name: 'orders' })]))
  const given = { cwd: files.folder }
  const args = ['sync', '--manifest-path', 'shop', '--to', to, '--mode', 'full-refresh-append', '--prefetch', 'off']
  const first = startCli(args, given)
  const said = text(first.child.stderr)
  await until('the sync is in the middle', () => isHeld)
  first.child.kill('SIGSTOP')
  return {
    first,
    said,
    release,
    next: () => runCli(args, given),
    async rows() {
      const { stdout, stderr } = await runCli(
        ['query', 'SELECT id FROM orders ORDER BY id', '--to', to, '--json'],
        given,
      )
      assert.equal(stderr, '')
      const lines = stdout.split('\n').filter((line) => line !== '')
      return lines.map((line) => Number((JSON.parse(line) as { id: unknown }).id))
    },
    async [Symbol.asyncDispose]() {
      release()
      await first[Symbol.asyncDispose]()
      await api[Symbol.asyncDispose]()
      await files[Symbol.asyncDispose]()
    },
  }
}

for (const to of ['duckdb:shop.duckdb', 'jsonl:out', 'parquet:out']) {
  describe(to, () => {
    test('while a sync is paused, the next one names its process and what to do; it may go on', async () => {
      await using world = await pausedSync(to)
      const { pid } = world.first.child
      const refused = await world.next()
      assert.equal(refused.code, 1, refused.stderr)
      assert.match(refused.stderr, new RegExp(`^destinations/busy: .*process ${pid}.* That process is paused\\.`))
      assert.match(refused.stderr, new RegExp(`kill -CONT ${pid}.*kill -KILL ${pid}`))
      world.release()
      world.first.child.kill('SIGCONT')
      assert.equal(await world.first.ended, 0, await world.said)
      assert.deepEqual(await world.rows(), ids)
    })

    test('once the paused one is ended, the next one resumes; no row is lost or doubled', async () => {
      await using world = await pausedSync(to)
      world.first.child.kill('SIGKILL')
      await world.first.ended
      world.release()
      const resumed = await world.next()
      assert.equal(resumed.code, 0, resumed.stderr)
      assert.deepEqual(await world.rows(), ids)
    })
  })
}

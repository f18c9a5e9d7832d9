/**
 * Killed with SIGKILL around every commit of a read that is held, and of its publication: the decision is always the same.
 * `npm test` kills around every fourth commit, around another one with each destination; `npm run test:proof` around all.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { destinationAt, loadManifest, publish, sync } from '../../src/index.ts'
import { offsetPaginator, sourceOf, streamOf } from '../helpers/manifests.ts'
import { freshDatabase } from '../helpers/postgres.ts'
import { isWhole } from '../helpers/proof.ts'
import { serveApi } from '../helpers/serve-api.ts'
import type { KillTask } from './killing-destination.ts'

const program = fileURLToPath(new URL('killing-destination.js', import.meta.url))

async function runKilled(task: KillTask): Promise<{ isKilled: boolean; said: string }> {
  const child = spawn(process.execPath, [program, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [said, [, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { isKilled: signal === 'SIGKILL', said }
}

/** @param turn which commit is the first to be killed around, unless all are: 1 to 4 */
async function check(turn: number, address: string, schema?: string): Promise<void> {
  let size = 250
  await using api = await serveApi({
    'GET /items': (query) => {
      const offset = Number(query.get('offset') ?? 0)
      const data = Array.from({ length: size }, (_, id) => ({ id })).slice(offset, offset + 40)
      return { json: { data } }
    },
  })
  const manifest = sourceOf([streamOf({ url: api.url, paginator: offsetPaginator({ page_size: 40 }) })])
  const to = destinationAt(address, { schema })
  const count = async (table: string) => Number((await to.query?.(`select count(*) from "${table}"`, 1))?.rows[0]?.[0])
  const run = () => sync(loadManifest(manifest), { to })
  assert.equal((await run()).ending, 'complete')
  size = 100

  // Right before the next commit everything is as right after the last.
  const [first, step] = isWhole ? [1, 1] : [turn, 4]
  for (let commit = first; ; commit += step) {
    const kill = { commit, when: 'after' } as const
    const { isKilled, said } = await runKilled({ address, ...(schema && { schema }), manifest, kill })
    assert.equal(await count('items'), 250, `commit ${commit}`)
    if (!isKilled) {
      assert.equal(said, 'held')
      assert.ok(commit > Math.max(step, 3), 'no commit was killed around, or few')
      break
    }
    const { ending, receipts } = await run()
    const { held } = receipts[0] ?? {}
    assert.deepEqual([ending, held?.staged, held?.existing], ['held', 100, 250], `commit ${commit}`)
    assert.equal(await count('items'), 250, `commit ${commit}`)
    assert.equal(await count(held?.stagedAs ?? ''), 100)
  }
  const publishing = { address, ...(schema && { schema }) }
  assert.ok((await runKilled({ ...publishing, kill: { commit: 1, when: 'before' } })).isKilled)
  assert.equal(await count('items'), 250)
  assert.ok((await runKilled({ ...publishing, kill: { commit: 1, when: 'after' } })).isKilled)
  // Parquet and JSONL finish what was committed when they are opened next.
  await assert.rejects(publish('items', { to, connection: 'default' }), { code: 'sync/nothing-held' })
  await (await to.open('default')).close()
  assert.equal(await count('items'), 100)
}

test('killed around any commit, a read that must be held is held, and published once', {
  concurrency: 2,
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'turnleaf-killed-'))
  await using database = await freshDatabase()
  await Promise.all([
    t.test('DuckDB', () => check(1, `duckdb:${join(folder, 'shop.duckdb')}`)),
    t.test('Parquet', () => check(2, `parquet:${join(folder, 'files')}`)),
    t.test('JSONL', () => check(3, `jsonl:${join(folder, 'lines')}`)),
    t.test('Postgres', () => check(4, database.url, 'shop')),
  ])
  await rm(folder, { recursive: true })
})

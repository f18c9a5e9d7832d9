/** The latest runs are read from the file only after it has changed. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { destinationAt } from '../../../src/destinations/open-destination.ts'
import { fileStamp } from '../../../src/server/runs/file-stamp.ts'
import { openLatestRuns } from '../../../src/server/runs/latest.ts'

const home = mkdtempSync(join(tmpdir(), 'turnleaf-home-'))
after(() => rmSync(home, { recursive: true, force: true }))

const runNote = (startedAt: number) =>
  JSON.stringify({ run: `r${startedAt}`, startedAt, endedAt: startedAt + 5, attempts: 1, manifest: '', streams: [] })

test('a second look opens nothing, a look after a commit does, and runs into other destinations are noted', async () => {
  const file = join(home, 'turnleaf.duckdb')
  const real = destinationAt(`duckdb:${file}`)
  let looks = 0
  const counted = {
    ...real,
    query: (...given: Parameters<NonNullable<typeof real.query>>) => {
      looks++
      return real.query?.(...given) ?? Promise.reject(new Error('no queries'))
    },
  }
  const latest = openLatestRuns({ home, file, destination: counted })
  assert.deepEqual(await latest.list(), [])
  assert.equal(looks, 0, 'there is no file yet')
  const commit = async (startedAt: number) => {
    const opened = await destinationAt(`duckdb:${file}`, { schema: 'shop' }).open('shop')
    await opened.commit({ steps: [], forget: [], notes: new Map([[`run/r${startedAt}`, runNote(startedAt)]]) })
    await opened.close()
  }
  await commit(1000)
  const first = await latest.list()
  assert.deepEqual([first.length, first[0]?.connector, first[0]?.status], [1, 'shop', 'complete'])
  const after1 = looks
  assert.deepEqual(await latest.list(), first)
  assert.equal(looks, after1)
  const before = fileStamp(real.address)
  await commit(2000)
  assert.notEqual(fileStamp(real.address), before)
  // While a file changes all the time, it is read once a second.
  await setTimeout(1100)
  assert.equal((await latest.list())[0]?.startedAt, new Date(2000).toISOString())
  assert.ok(looks > after1)

  const noted = { connector: 'other', to: 'jsonl:x', startedAt: new Date(3000).toISOString(), records: 7 } as const
  latest.note({ ...noted, endedAt: null, status: 'running', verdict: null })
  latest.note({ ...noted, endedAt: new Date(4000).toISOString(), status: 'held', verdict: 'unproven' })
  const later = openLatestRuns({ home, file, destination: real })
  assert.deepEqual(
    new Map((await later.list()).map(({ connector, status }) => [connector, status])),
    new Map([
      ['other', 'held'],
      ['shop', 'complete'],
    ]),
  )
})

test('runs that could not be read while another process had the file open are listed after that', async () => {
  const folder = join(home, 'locked')
  const file = join(folder, 'turnleaf.duckdb')
  mkdirSync(folder)
  const destination = destinationAt(`duckdb:${file}`)
  const opened = await destinationAt(destination.address, { schema: 'shop' }).open('shop')
  await opened.commit({ steps: [], forget: [], notes: new Map([['run/r1000', runNote(1000)]]) })
  await opened.close()
  const latest = openLatestRuns({ home: folder, file, destination })
  const program = `
    const { DuckDBInstance } = await import('@duckdb/node-api')
    await DuckDBInstance.create(process.argv[1])
    console.log('open')
    process.stdin.resume()`
  const other = spawn(process.execPath, ['--input-type=module', '-e', program, file])
  await once(other.stdout, 'data')
  assert.deepEqual(await latest.list(), [])
  other.kill('SIGKILL')
  await once(other, 'close')
  assert.deepEqual(
    (await latest.list()).map(({ connector }) => connector),
    ['shop'],
  )
})

test('a sync that ends hides no other one of its connector, into another destination', async () => {
  const folder = join(home, 'two')
  const file = join(folder, 'turnleaf.duckdb')
  const latest = openLatestRuns({ home: folder, file, destination: destinationAt(`duckdb:${file}`) })
  const begun = { connector: 'shop', endedAt: null, status: 'running', verdict: null, records: 0 } as const
  const short = { ...begun, to: 'jsonl:x', startedAt: new Date(1000).toISOString() }
  latest.note({ ...begun, to: 'jsonl:y', startedAt: new Date(2000).toISOString() })
  latest.note(short)
  latest.note({ ...short, endedAt: new Date(3000).toISOString(), status: 'complete' })
  assert.deepEqual(
    (await latest.list()).map(({ to, status }) => [to, status]),
    [['jsonl:y', 'running']],
  )
})

/** Failures of a disk or a database are reported, and the next sync resumes. */
import assert from 'node:assert/strict'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadManifest, sync } from '../../src/index.ts'
import { obeyingPermissions } from '../helpers/obeying-permissions.ts'
import { startPostgres, type TestServer } from '../helpers/postgres-server.ts'
import { freshDatabase, queryOnce } from '../helpers/postgres.ts'
import { offsetPaginator, sourceOf, streamOf } from '../helpers/manifests.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { assertSame } from './assert-same.ts'
import { placeKinds } from './places/every.ts'
import { tempFolder } from './places/place.ts'
import { placeIn } from './places/postgres.ts'
import { runProcess } from './run-process.ts'
import { runTask, type Task, taskFor } from './task.ts'
import { worldOf } from './world.ts'

const world = worldOf(() => 1)

const orderedTask = (url: string, to: string): Task => ({ ...taskFor(url, to), isOrdered: true })

type Told = { readonly code: string; readonly message: string; readonly hint: string }

const inFiles = placeKinds.filter(({ fileLimit }) => fileLimit !== undefined)

for (const kind of inFiles) {
  test(`${kind.name}: a file that may not grow is reported, and once it may the sync resumes`, async () => {
    await using api = await serveApi(world)
    await using reference = await kind.make()
    await using place = await kind.make()
    await runTask(orderedTask(api.url, reference.address))
    const pages = api.asked.length
    const task = orderedTask(api.url, place.address)
    const { exitCode, stderr } = await runProcess(task, { shell: `ulimit -f ${kind.fileLimit}` })
    assert.equal(exitCode, 1)
    const { code, message, hint } = JSON.parse(stderr) as Told
    assert.equal(code, 'destinations/write-refused')
    assert.ok(message.includes(place.address.replace(/^\w+:/, '')), message)
    assert.match(message, /File too large|larger than the system allows/)
    assert.equal(hint, 'Free space, or grant the missing permission; then run again: the sync resumes.')
    const askedBefore = api.asked.length
    const again = await runProcess(task)
    assert.equal(again.exitCode, 0, again.stderr)
    assert.ok(api.asked.length - askedBefore < pages, 'it began from the start')
    await assertSame(place, reference)
  })
}

for (const kind of inFiles) {
  test(`${kind.name}: a folder that may not be written to is reported`, async () => {
    await using api = await serveApi(world)
    await using folder = await tempFolder()
    const closed = join(folder.path, 'closed')
    await mkdir(closed)
    for (const path of [folder.path, closed]) await chmod(path, 0o555)
    const to = `${kind.name.toLowerCase()}:${join(closed, 'shop')}`
    const { exitCode, stderr } = await runProcess(taskFor(api.url, to), { through: obeyingPermissions })
    assert.equal(exitCode, 1, stderr)
    const { code, message } = JSON.parse(stderr) as Told
    assert.equal(code, 'destinations/write-refused')
    assert.ok(message.includes(closed), message)
    assert.match(message, /permission/i)
    assert.deepEqual(api.asked, [], 'nothing is read that cannot be written')
  })
}

test('Postgres: records that it refuses fail their stream by name, and all other streams are written', async () => {
  await using database = await freshDatabase()
  const wide = Object.fromEntries(Array.from({ length: 1700 }, (_, index) => [`c${index}`, index]))
  const refused: Record<string, string> = {
    wide: JSON.stringify(wide),
    digits: `{"id":1,"nested":{"number":1${'0'.repeat(140_000)}}}`,
    deep: `{"id":1,"nested":${'['.repeat(12_000)}${']'.repeat(12_000)}}`,
  }
  const rows = Array.from({ length: 400 }, (_, id) => ({ id }))
  const route = (record: string) => () => ({
    text: `{"data":[${record}]}`,
    headers: { 'content-type': 'application/json' },
  })
  await using api = await serveApi({
    ...Object.fromEntries(Object.entries(refused).map(([name, record]) => [`GET /${name}`, route(record)])),
    'GET /good': () => ({ json: { data: rows } }),
  })
  const manifest = loadManifest(
    sourceOf(
      [...Object.keys(refused), 'good'].map((name) =>
        streamOf({
          url: api.url,
          name,
          requester: { path: `/${name}` },
          paginator: offsetPaginator({ page_size: 1000 }),
        }),
      ),
    ),
  )
  for (const streamsAtOnce of [1, 4]) {
    const synced = await sync(manifest, { to: database.url, streamsAtOnce, mode: 'full_refresh_append' })
    assert.equal(synced.ending, 'failed')
    assert.deepEqual(
      synced.receipts.map(({ stream, ending, records, error }) => [stream, ending, records, error?.code]),
      [
        ...Object.keys(refused).map((name) => [name, 'failed', 0, 'destinations/data-refused']),
        ['good', 'complete', 400, undefined],
      ],
    )
    assert.match(synced.receipts[0]?.error?.hint ?? '', /RemoveFields/)
  }
  const [counted] = await queryOnce(database.url, 'SELECT count(*)::int AS rows FROM good')
  assert.deepEqual(counted, { rows: 800 })
})

/** What happens to the server while a sync commits for the sixth time. */
const accidents = ['is stopped', 'crashes', 'ends the session'] as const

test('Postgres: what happens to its server during a sync is reported, and the next sync resumes', async (t) => {
  await using server = await startPostgres()
  for (const accident of accidents) await t.test(`it ${accident}`, async () => await meetAccident(server, accident))
})

async function meetAccident(server: TestServer, accident: (typeof accidents)[number]): Promise<void> {
  await using api = await serveApi(world)
  await using reference = placeIn(await freshDatabase(server.url))
  await using place = placeIn(await freshDatabase(server.url))
  await runTask(orderedTask(api.url, reference.address))
  const pages = api.asked.length
  let commits = 0
  let happened: Promise<unknown> = Promise.resolve()
  const onPhase = (phase: string) => {
    if (phase !== 'committing' || ++commits !== 6) return
    if (accident === 'ends the session') happened = queryOnce(server.url, endSessions)
    else happened = server.stop(accident === 'crashes' ? 'immediate' : 'fast')
  }
  await assert.rejects(runTask(orderedTask(api.url, place.address), onPhase), {
    code: 'destinations/lost',
    message: /^The session with postgres:\/\/postgres@127\.0\.0\.1:\d+\/\w+ was lost/,
    hint: 'Run again: the sync resumes from the last commit.',
  })
  await happened
  if (accident !== 'ends the session') await server.start()
  const askedBefore = api.asked.length
  await runTask(orderedTask(api.url, place.address))
  assert.ok(api.asked.length - askedBefore < pages, 'it began from the start')
  await assertSame(place, reference)
}

const endSessions = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'turnleaf%'`

test('Postgres: a wrong password is reported before anything is read, and not shown', async () => {
  await using api = await serveApi(world)
  await using database = await freshDatabase()
  const url = new URL(database.url)
  url.password = 'hunter2'
  await assert.rejects(runTask(taskFor(api.url, url.href)), (error: Error & { code?: string; hint?: string }) => {
    assert.equal(error.code, 'destinations/unreachable')
    assert.match(error.message, /password authentication failed/)
    assert.doesNotMatch(error.message, /hunter2/)
    assert.match(error.hint ?? '', /credentials/)
    return true
  })
  assert.deepEqual(api.asked, [])
})

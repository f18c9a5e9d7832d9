/** Kill -9 at random moments of commits: tables and notes agree, nothing is lost and nothing comes twice. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { postgresDestination } from '../../../src/destinations/postgres/postgres.ts'
import { ConnectorError } from '../../../src/std/errors.ts'
import { freshDatabase } from '../../helpers/postgres.ts'
import { firstSeed, partOf } from '../../helpers/proof.ts'
import { during } from '../behaviours.ts'
import { pageSize, recordsOf, roundSize } from './committer.ts'
import { type PostgresPlace, postgresPlace } from './place.ts'
import { randomFrom } from '../../helpers/random.ts'

const committer = fileURLToPath(new URL('./committer.js', import.meta.url))
const kills = Number(process.env.KILLS ?? partOf(8))
const seed = Number(process.env.SEED ?? firstSeed)

/** Runs until the given commit is under way, and a little longer; the exit must be by the signal. */
async function killDuringCommit({ url, schema }: PostgresPlace, commits: number, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [committer, url, schema], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  let begun = 0
  child.stdout.on('data', (dots: Buffer) => {
    const before = begun
    begun += dots.length
    if (before < commits && begun >= commits) setTimeout(() => child.kill('SIGKILL'), afterMs)
  })
  const [code, signal] = await exited
  assert.deepEqual({ code, signal }, { code: null, signal: 'SIGKILL' })
}

test('the lock of another process is respected while it lives, and free once it is killed', async () => {
  await using database = await freshDatabase()
  await using place = postgresPlace(database.url)
  const child = spawn(process.execPath, [committer, place.url, place.schema], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  await once(child.stdout, 'data')
  await assert.rejects(place.destination.open('shop'), (error) => {
    assert.ok(error instanceof ConnectorError)
    assert.equal(error.code, 'destinations/busy')
    assert.match(error.message, new RegExp(`turnleaf ${child.pid}\\b`))
    return true
  })
  child.kill('SIGKILL')
  await exited
  const open = await postgresDestination(place.url, { schema: place.schema }).open('shop')
  await open.close()
})

test(`${kills} times killed in the middle of commits (SEED=${seed})`, async () => {
  await using database = await freshDatabase()
  await using place = postgresPlace(database.url)
  const random = randomFrom(seed)
  for (let kill = 0; kill < kills; kill++) {
    await killDuringCommit(place, 1 + Math.floor(random() * 8), random() * 40)
    // As a sync would: it waits for the server to notice that the other has gone.
    const destination = postgresDestination(place.url, { schema: place.schema })
    const last = await during({ ...place, destination }, async (open) =>
      Number((await open.notes('last')).get('last') ?? 0),
    )
    await compare(place, last)
  }
})

async function compare(place: PostgresPlace, last: number): Promise<void> {
  const published = last - (last % roundSize)
  const pages = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => from + index + 1).flatMap((number) => recordsOf(number))
  const winners = new Map(pages(0, published).map((record) => [record.id, record.number]))
  const rows = async (name: string) =>
    ((await place.rows(name)) ?? []).map(({ id, number }) => `${String(id)} ${String(number)}`)
  const expected = (records: Record<string, unknown>[]) =>
    records.map(({ id, number }) => `${String(id)} ${String(number)}`)

  const appended = await rows('appended')
  assert.equal(appended.length, last * pageSize)
  assert.deepEqual(appended.toSorted(), expected(pages(0, last)).toSorted())
  assert.deepEqual(
    (await rows('overwritten')).toSorted(),
    expected(pages(Math.max(0, published - roundSize), published)).toSorted(),
  )
  assert.deepEqual(
    (await rows('merged')).toSorted(),
    [...winners].map(([id, number]) => `${String(id)} ${String(number)}`).toSorted(),
  )
}

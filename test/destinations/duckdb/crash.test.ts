/** A process killed at any moment: the next one finds what was committed, all of it and nothing else. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { firstSeed as seed, partOf } from '../../helpers/proof.ts'
import { randomFrom } from '../../helpers/random.ts'
import { countOf, expectedAfter, foundIn, goOn } from '../model.ts'
import { placeAt, temporaryFolder, temporarySchema } from './places.ts'

const kills = Number(process.env.TURNLEAF_KILLS ?? partOf(4))
const program = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** A failure says how to see it again. */
async function seeded(check: () => Promise<void>): Promise<void> {
  try {
    await check()
  } catch (error) {
    throw new Error(`TURNLEAF_SEED=${seed}`, { cause: error })
  }
}

test('duckdb: columns come to a table that lost rows in the same commit', async () => {
  // These steps do so.
  const steps = 8053
  await using place = await temporarySchema('duckdb')
  const open = await place.destination.open('shop')
  await goOn(open, steps, 25)
  await open.close()
  assert.deepEqual(await foundIn(place), expectedAfter(steps, 25, false))
})

for (const kind of ['duckdb', 'parquet']) {
  test(`${kind}: any steps in any order end as they would in memory`, () =>
    seeded(async () => {
      await using place = await temporarySchema(kind)
      for (const until of [12, 13, 25]) {
        const open = await place.destination.open('shop')
        await goOn(open, seed, until)
        await open.close()
        assert.deepEqual(await foundIn(place), expectedAfter(seed, until, kind === 'parquet'))
      }
    }))

  test(`${kind}: killed between any two changes to a file`, () =>
    seeded(async () => {
      await using folder = await temporaryFolder()
      const args = ['--enable-source-maps', program('crash-points.js'), kind, folder.path, String(seed)]
      const { stdout } = await promisify(execFile)(process.execPath, args)
      assert.ok(Number(stdout) >= 8, `${stdout.trim()} moments`)
    }))

  test(`${kind}: kill -9 at random moments`, () =>
    seeded(async () => {
      const random = randomFrom(seed)
      await using temporary = await temporaryFolder()
      const folder = join(temporary.path, 'killed')
      await mkdir(folder)
      const place = placeAt(kind, folder)
      let last = 0
      for (let kill = 0; kill < kills; kill++) {
        const child = spawn(process.execPath, [program('keep-committing.js'), kind, folder, String(seed)], {
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        const ended = once(child, 'exit')
        await once(child.stdout, 'data')
        await wait(random() * 150)
        child.kill('SIGKILL')
        await ended
        const open = await place.destination.open('shop')
        const count = await countOf(open)
        await open.close()
        assert.deepEqual(await foundIn(place), expectedAfter(seed, count, kind === 'parquet'))
        assert.ok(count >= last)
        last = count
      }
    }))
}

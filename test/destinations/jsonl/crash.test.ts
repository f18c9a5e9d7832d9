/** A process killed at any moment: the next one finds what was committed, all of it and nothing else. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { jsonlDestination } from '../../../src/destinations/jsonl/jsonl.ts'
import { firstSeed, partOf } from '../../helpers/proof.ts'
import { assertWhole } from './operations.ts'
import { randomFrom } from '../../helpers/random.ts'

const root = await mkdtemp(join(tmpdir(), 'turnleaf-crash-'))
after(async () => await rm(root, { recursive: true }))
const program = (name: string) => fileURLToPath(new URL(name, import.meta.url))

test('killed between any two changes to a file, and in the middle of any write', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--enable-source-maps',
    program('crash-points.js'),
    root,
  ])
  assert.ok(Number(stdout) > 100, `${stdout.trim()} moments`)
})

test('kill -9 at random moments', async () => {
  const kills = Number(process.env.TURNLEAF_KILLS ?? partOf(8))
  const random = randomFrom(firstSeed)
  const folder = join(root, 'killed')
  let count = 0
  try {
    // On a busy machine none of the first may have come to a commit.
    for (let kill = 0; kill < kills || (count === 0 && kill < 20 * kills); kill++) {
      const child = spawn(process.execPath, [program('keep-committing.js'), folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = once(child, 'exit')
      await once(child.stdout, 'data')
      await wait(random() * 40)
      child.kill('SIGKILL')
      await ended
      const now = await assertWhole(jsonlDestination(folder), folder)
      assert.ok(now >= count)
      count = now
    }
  } catch (error) {
    throw new Error(`TURNLEAF_SEED=${firstSeed}`, { cause: error })
  }
  assert.ok(count > 0)
})

/** Killed at any moment and run again, a sync writes what an uninterrupted one does. `npm run test:chaos` kills more. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstSeed, partOf } from '../helpers/proof.ts'
import { placeKinds } from './places/every.ts'
import { survive } from './survive.ts'

const seed = Number(process.env.CHAOS_SEED ?? firstSeed)
const kills = Number(process.env.CHAOS_KILLS ?? partOf(6))

test(`killed ${kills} times, a sync loses no row, doubles none, and shows no table half`, {
  concurrency: 2,
}, async (t) => {
  const tests = placeKinds.map((kind) =>
    t.test(kind.name, async () => {
      const { faults } = await survive(kind, { seed, kills })
      assert.deepEqual(faults, [], `CHAOS_SEED=${seed} kills at the same moments`)
    }),
  )
  await Promise.all(tests)
})

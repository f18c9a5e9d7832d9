/** Nothing is found where nothing is wrong, and hardly anything is asked: healthy APIs of every family, and the lab. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diagnose } from '../../../src/proof/diagnosis/diagnose.ts'
import { startLab } from '../../../src/lab/lab.ts'
import { loadManifest } from '../../../src/index.ts'
import { diceOf } from '../../helpers/dice.ts'
import { manifestOf } from '../../helpers/manifests.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { counts } from '../healthy/counts.ts'
import { endings } from '../healthy/endings.ts'
import { pages } from '../healthy/pages.ts'
import { rows } from '../healthy/rows.ts'
import { slices } from '../healthy/slices.ts'
import type { HealthyApi } from '../healthy/healthy-api.ts'
import { labText } from './lab-case.ts'

/** Reads per family. */
const rounds = Number(process.env.HEALTHY ?? 2)

/** What a read that is in order may cost in addition: a request past its end. */
const mostProbes = 2

async function alarmsOf({ routes, parts, config = {} }: HealthyApi): Promise<string[]> {
  await using api = await serveApi(routes)
  const text = JSON.stringify(manifestOf({ ...parts, url: api.url }))
  const { findings, probes, error } = await diagnose(text, { config, sleep: async () => {} })
  return [
    ...findings.map(({ code, says }) => `${code}: ${says}`),
    ...(error === null ? [] : [error.message]),
    ...(probes.length <= mostProbes ? [] : probes.map(({ why }) => why)),
  ]
}

for (const [name, draw] of [...endings, ...pages, ...counts, ...rows, ...slices]) {
  test(`healthy: ${name}`, async () => {
    for (let seed = 0; seed < rounds; seed++) {
      assert.deepEqual(await alarmsOf(draw(diceOf(seed))), [], `seed ${seed}`)
    }
  })
}

for (const size of [0, 1, 99, 100, 101, 250, 300]) {
  test(`healthy: ${size} records of the lab in every dialect`, async () => {
    await using lab = await startLab({ size })
    for (const { name } of loadManifest(labText).streams) {
      const stream = String(name)
      const { findings, probes } = await diagnose(labText, { stream, config: { base_url: lab.url, page_size: 100 } })
      assert.deepEqual([findings, probes.length <= mostProbes], [[], true], stream)
    }
  })
}

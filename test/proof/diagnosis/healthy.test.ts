/** Nothing is found where nothing is wrong, and hardly anything is asked: the lab. Other healthy APIs are in proof/healthy.test.ts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diagnose } from '../../../src/proof/diagnosis/diagnose.ts'
import { startLab } from '../../../src/lab/lab.ts'
import { loadManifest } from '../../../src/index.ts'
import { labText, labTextOf } from './lab-case.ts'

/** What a read that is in order may cost in addition: a request past its end. */
const mostProbes = 2

for (const size of [0, 1, 99, 100, 101, 250, 300]) {
  test(`healthy: ${size} records of the lab in every dialect`, async () => {
    await using lab = await startLab({ size })
    for (const { name } of loadManifest(labText).streams) {
      const stream = String(name)
      // With all its streams once: the manifest is loaded for each.
      const text = size === 250 ? labText : labTextOf(stream)
      const { findings, probes } = await diagnose(text, { stream, config: { base_url: lab.url, page_size: 100 } })
      assert.deepEqual([findings, probes.length <= mostProbes], [[], true], stream)
    }
  })
}

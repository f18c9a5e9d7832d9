/** Whatever a healthy API says about itself, no read of it is called incomplete or duplicated, and none is taken for a loop. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, readPages } from '../../src/index.ts'
import { diagnose } from '../../src/proof/diagnosis/diagnose.ts'
import { holdPart } from '../helpers/docs.ts'
import { diceOf } from '../helpers/dice.ts'
import { manifestOf } from '../helpers/manifests.ts'
import { firstSeed, hasDocsFigures, partOf } from '../helpers/proof.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { counts } from './healthy/counts.ts'
import { endings } from './healthy/endings.ts'
import { pages } from './healthy/pages.ts'
import { rows } from './healthy/rows.ts'
import { slices } from './healthy/slices.ts'
import type { Family, HealthyApi } from './healthy/healthy-api.ts'

const groups: Record<string, readonly Family[]> = {
  'how it ends': endings,
  'pages in between': pages,
  'numbers next to the records': counts,
  'rows and keys': rows,
  'parts of a stream': slices,
}

/** Reads per family. */
const rounds = Number(process.env.HEALTHY ?? partOf(12))

/** Every so many is diagnosed as well, which reads it again and may ask for more. */
const diagnosedEvery = 3

/** What diagnosing a healthy read may cost: a request or two past its end. */
const mostProbes = 2

type Tally = { families: number; reads: number; records: number; alarms: number; complete: number }

const tallies = new Map<string, Tally>()

for (const [group, families] of Object.entries(groups)) {
  test(`${group}: healthy reads raise no alarm`, async (t) => {
    const tally: Tally = { families: families.length, reads: 0, records: 0, alarms: 0, complete: 0 }
    tallies.set(group, tally)
    for (const [name, draw] of families) {
      await t.test(name, async () => {
        const alarms: string[] = []
        for (let round = 0; round < rounds; round++) {
          const seed = firstSeed + round
          const api = draw(diceOf(seed))
          const { alarm, isComplete } = await watch(api, round % diagnosedEvery === 0)
          tally.reads++
          tally.records += api.records
          if (isComplete) tally.complete++
          if (alarm !== null) alarms.push(`seed ${seed}, ${api.records} records: ${alarm}`)
        }
        tally.alarms += alarms.length
        assert.deepEqual(alarms, [])
      })
    }
  })
}

type Watched = { readonly alarm: string | null; readonly isComplete: boolean }

async function watch({ routes, parts, records, config = {} }: HealthyApi, isDiagnosed: boolean): Promise<Watched> {
  await using api = await serveApi(routes)
  const text = JSON.stringify(manifestOf({ ...parts, url: api.url }))
  const manifest = loadManifest(text)
  let came = 0
  let isComplete = false
  try {
    for await (const page of readPages(manifest, { config, sleep: async () => {} })) {
      came += page.records.length
      const { receipt } = page
      if (receipt === undefined) continue
      for (const { verdict, reason } of [receipt, receipt.stream]) {
        if (verdict !== 'complete' && verdict !== 'unproven')
          return { alarm: `${verdict}: ${reason}`, isComplete: false }
      }
      isComplete = receipt.stream.verdict === 'complete'
    }
  } catch (error) {
    return { alarm: error instanceof Error ? error.message : String(error), isComplete: false }
  }
  // Otherwise the read was not healthy, and the test proves nothing.
  assert.equal(came, records)
  if (!isDiagnosed) return { alarm: null, isComplete }
  const { findings, probes, error } = await diagnose(text, { config, sleep: async () => {} })
  const [alarm = null] = [
    ...findings.map(({ code, says }) => `${code}: ${says}`),
    ...(error === null ? [] : [error.message]),
    ...probes.slice(mostProbes).map(({ why }) => `one request too many: ${why}`),
  ]
  return { alarm, isComplete }
}

if (hasDocsFigures && process.env.HEALTHY === undefined)
  test('docs/reliability-tests.md has the figures (TURNLEAF_WRITE_DOCS=1 writes them)', () => {
    const heads = ['what varies', 'families', 'reads', 'records', 'alarms', 'shown to be complete']
    const lines = heads.map((_, index) => (index === 0 ? '---' : '---:'))
    const figures = [...tallies].map(([group, { families, reads, records, alarms, complete }]) => [
      group,
      families,
      reads,
      records,
      alarms,
      complete,
    ])
    const sums = heads.slice(1).map((_, column) => figures.reduce((sum, row) => sum + Number(row[column + 1]), 0))
    const table = [heads, lines, ...figures, ['**all**', ...sums]].map((cells) => `| ${cells.join(' | ')} |\n`).join('')
    holdPart('reliability-tests', 'healthy', table)
  })

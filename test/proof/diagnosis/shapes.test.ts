/** APIs drawn by seeds: the right manifest of each is left in peace, and what mends one without pagination reads every record. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, readRecords } from '../../../src/index.ts'
import { diagnose } from '../../../src/proof/diagnosis/diagnose.ts'
import { mend } from '../../../src/proof/diagnosis/mend.ts'
import { partOf, firstSeed } from '../../helpers/proof.ts'
import { rightManifest } from '../detection/shapes/oracle.ts'
import { serveShape } from '../detection/shapes/serve-shape.ts'
import { hasMorePages, type Shape } from '../detection/shapes/shape.ts'
import { shapeOf } from '../detection/shapes/shape-of.ts'

const shapes = Array.from({ length: Number(process.env.SHAPES ?? partOf(60)) }, (_, index) =>
  shapeOf(firstSeed + index),
)
const sleep = async () => {}

test('the right manifest of a drawn API raises no alarm and costs two requests at most', async () => {
  for (const [seed, shape] of shapes.entries()) {
    await using api = await serveShape(shape)
    const text = JSON.stringify(rightManifest(shape, api.origin))
    const { findings, probes, error } = await diagnose(text, { sleep })
    const found = findings.map(({ code }) => code)
    assert.deepEqual([found, error?.message, probes.length <= 2], [[], undefined, true], `seed ${seed}, ${shape.kind}`)
  }
})

test('without pagination, no change that is called mended loses or doubles a record', async () => {
  const tally = { mended: 0, told: 0, silent: 0 }
  for (const [seed, shape] of shapes.entries()) {
    if (!hasMorePages(shape)) continue
    const mended = await mendedOf(shape)
    tally[mended.outcome]++
    if (mended.outcome === 'mended')
      assert.deepEqual(mended.read, mended.there, `seed ${seed}, ${shape.kind}: ${mended.says}`)
  }
  assert.ok(tally.mended > (tally.mended + tally.told) / 2, JSON.stringify(tally))
})

async function mendedOf(shape: Shape) {
  await using api = await serveShape(shape)
  const right = rightManifest(shape, api.origin) as { streams: { retriever: { paginator?: unknown } }[] }
  for (const { retriever } of right.streams) delete retriever.paginator
  const text = JSON.stringify(right)
  const { text: mended, applied, diagnosis } = await mend(text, { sleep })
  if (applied.length === 0) return { outcome: diagnosis.findings.length > 0 ? 'told' : 'silent' } as const
  let read = 0
  for await (const _ of readRecords(loadManifest(mended), { sleep })) read++
  const says = applied.map(({ fix }) => fix?.says).join(' ')
  return { outcome: 'mended', says, read, there: api.records.length } as const
}

/** APIs drawn by seeds: the right manifest of each gets no finding, and what fixes one without pagination reads every record. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, readRecords } from '../../../src/index.ts'
import { diagnose } from '../../../src/proof/diagnosis/diagnose.ts'
import { diagnoseAndFix } from '../../../src/proof/diagnosis/diagnose-and-fix.ts'
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

test('without pagination, no change that is called fixed loses or doubles a record', async () => {
  const tally = { fixed: 0, reported: 0, silent: 0 }
  for (const [seed, shape] of shapes.entries()) {
    if (!hasMorePages(shape)) continue
    const fixed = await fixedBy(shape)
    tally[fixed.outcome]++
    if (fixed.outcome === 'fixed')
      assert.deepEqual(fixed.read, fixed.there, `seed ${seed}, ${shape.kind}: ${fixed.says}`)
  }
  assert.ok(tally.fixed > (tally.fixed + tally.reported) / 2, JSON.stringify(tally))
})

async function fixedBy(shape: Shape) {
  await using api = await serveShape(shape)
  const right = rightManifest(shape, api.origin) as { streams: { retriever: { paginator?: unknown } }[] }
  for (const { retriever } of right.streams) delete retriever.paginator
  const text = JSON.stringify(right)
  const { text: fixed, applied, diagnosis } = await diagnoseAndFix(text, { sleep })
  if (applied.length === 0) return { outcome: diagnosis.findings.length > 0 ? 'reported' : 'silent' } as const
  let read = 0
  for await (const _ of readRecords(loadManifest(fixed), { sleep })) read++
  const says = applied.map(({ fix }) => fix?.says).join(' ')
  return { outcome: 'fixed', says, read, there: api.records.length } as const
}

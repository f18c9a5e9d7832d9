/** The shapes are right: a client that knows how one paginates reads every record of it, once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, readRecords, stringifyJson } from '../../../../src/index.ts'
import { collect } from '../../../helpers/collect.ts'
import { firstSeed, partOf } from '../../../helpers/proof.ts'
import { rightManifest } from './oracle.ts'
import { serveShape } from './serve-shape.ts'
import { hasMorePages, type Kind, kinds, oddKinds, type Shape } from './shape.ts'
import { oddShapeOf } from './draw-odd.ts'
import { shapeOf } from './shape-of.ts'

const seeds = Array.from({ length: Number(process.env.SHAPES ?? 300) }, (_, index) => firstSeed + index)
const draws = [shapeOf, oddShapeOf]

test('a seed draws the same shape every time, and it is plain data', () => {
  for (const draw of draws) {
    for (const seed of seeds) {
      const shape = draw(seed)
      assert.deepEqual(JSON.parse(JSON.stringify(shape)), shape)
      assert.deepEqual(draw(seed), shape)
    }
  }
})

test('most shapes of each kind have more than one page', () => {
  const all = draws.flatMap((draw) => seeds.map(draw))
  const drawn = (kind: Kind) => all.filter((shape) => shape.kind === kind)
  for (const kind of [...kinds.filter((one) => one !== 'not paginated'), ...oddKinds]) {
    const shapes = drawn(kind)
    assert.ok(shapes.filter(hasMorePages).length >= shapes.length / 2, kind)
  }
})

test('the right manifest reads every record of every shape once, with no more than one request too many', async () => {
  const wrong: string[] = []
  const drawn = draws.flatMap((draw) => seeds.slice(0, partOf(seeds.length)).map(draw))
  const shapes = drawn.filter(({ quirk }) => quirk?.kind !== 'bare-values')
  for (const shape of shapes) {
    const problem = await problemOf(shape)
    if (problem !== null) wrong.push(`seed ${shape.seed}, ${shape.kind}: ${problem}`)
  }
  assert.deepEqual(wrong, [])
})

async function problemOf(shape: Shape): Promise<string | null> {
  await using api = await serveShape(shape)
  const manifest = loadManifest(rightManifest(shape, api.origin))
  try {
    const read = await collect(readRecords(manifest, { prefetch: 'off' }))
    const [expected, came] = [api.records, read].map((records) => records.map((one) => stringifyJson(one)).toSorted())
    assert.deepEqual(came, expected)
  } catch (error) {
    return `${error instanceof Error ? error.message.slice(0, 300) : String(error)}\n${api.asked.slice(0, 4).join('\n')}`
  }
  const pages = shape.paging === null ? 1 : Math.ceil(shape.records.count / shape.paging.size.usual)
  return api.asked.length > pages + 1 ? `${api.asked.length} requests for ${pages} pages` : null
}

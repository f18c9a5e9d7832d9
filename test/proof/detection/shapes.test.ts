/**
 * Detection, judged on APIs that it was not written for: hundreds of them, drawn by seeds. `SHAPES=3000` draws more, and
 * `SHAPE=17` or `ODD=17` shows one.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Network, openNetwork } from '../../../src/engine/response/send.ts'
import { detect } from '../../../src/proof/detection/detect.ts'
import { holdPart } from '../../helpers/docs.ts'
import { firstSeed, hasDocsFigures, partOf } from '../../helpers/proof.ts'
import { judgeDetection, type Judged } from './shapes/judge.ts'
import { oddShapeOf } from './shapes/draw-odd.ts'
import { foreignShapes } from './shapes/foreign-names.ts'
import { detectionTable, foreignSentence, storyOf } from './shapes/report.ts'
import { shapeOf } from './shapes/shape-of.ts'
import type { Shape } from './shapes/shape.ts'

const usualShapes = { usual: partOf(300), odd: partOf(160) }
const { SHAPE: one, ODD: odd, SHAPES: many } = process.env
const isUsual = one === undefined && odd === undefined && many === undefined

/** So many usual ones, and half as many odd ones. */
function shapes(): Shape[] {
  if (one !== undefined) return [shapeOf(Number(one))]
  if (odd !== undefined) return [oddShapeOf(Number(odd))]
  const counts = many === undefined ? usualShapes : { usual: Number(many), odd: Math.ceil(Number(many) / 2) }
  const drawn = (count: number, draw: (seed: number) => Shape) =>
    Array.from({ length: count }, (_, index) => draw(firstSeed + index))
  return [...drawn(counts.usual, shapeOf), ...drawn(counts.odd, oddShapeOf)]
}

describe('APIs whose pagination is unknown', () => {
  const judged: Judged[] = []
  let network: Network

  before(async () => {
    network = openNetwork({})
    for (const shape of shapes()) {
      const asking = { network, spacing: 0, sleep: async () => {} }
      judged.push(await judgeDetection(shape, (request) => detect(request, asking)))
    }
  })
  after(() => network.close())

  const storiesOf = (grade: Judged['grade']) => judged.filter((each) => each.grade === grade).map(storyOf)

  test('what detection is sure of reads every record once', () => {
    const wrong = storiesOf('wrong')
    assert.ok(wrong.length === 0, `${wrong.length} of ${judged.length} are wrong:\n${wrong.join('\n')}`)
  })

  test('at least 95 % are found out exactly', () => {
    const missed = storiesOf('missed')
    assert.ok(
      missed.length <= judged.length * 0.05,
      `${missed.length} of ${judged.length} were missed:\n${missed.join('\n')}`,
    )
  })

  test('no request is sent twice', () => {
    const repeated = judged.filter(({ isRepeating }) => isRepeating).map(storyOf)
    assert.ok(repeated.length === 0, `${repeated.length} of ${judged.length}:\n${repeated.join('\n')}`)
  })

  test('ids that are whole numbers are integers in the schema', () => {
    const doubles = judged.filter(({ hasDoubleIds }) => hasDoubleIds).map(storyOf)
    assert.ok(doubles.length === 0, `${doubles.length} of ${judged.length}:\n${doubles.join('\n')}`)
  })

  if (isUsual && hasDocsFigures)
    test('docs/reliability-tests.md has the figures (TURNLEAF_WRITE_DOCS=1 writes them)', () => {
      holdPart('reliability-tests', 'detection', detectionTable(judged))
    })
})

describe('APIs whose parameters have names that no one knows', { skip: one !== undefined || odd !== undefined }, () => {
  const judged: Judged[] = []
  let network: Network

  before(async () => {
    network = openNetwork({})
    for (const shape of foreignShapes(partOf(60), firstSeed)) {
      const asking = { network, spacing: 0, sleep: async () => {} }
      judged.push(await judgeDetection(shape, (request) => detect(request, asking)))
    }
  })
  after(() => network.close())

  test('none of them is taken for one without pages, nor read with a wrong parameter', () => {
    const wrong = judged.filter(({ grade }) => grade === 'wrong').map(storyOf)
    assert.ok(wrong.length === 0, `${wrong.length} of ${judged.length} are wrong:\n${wrong.join('\n')}`)
  })

  if (hasDocsFigures)
    test('docs/reliability-tests.md says how many (TURNLEAF_WRITE_DOCS=1 writes it)', () => {
      holdPart('reliability-tests', 'detection-foreign', foreignSentence(judged))
    })
})

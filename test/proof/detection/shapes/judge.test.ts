/** The judge is fair: it believes who is right, and no one else. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Detection, DetectionRequest } from '../../../../src/proof/detection/detection.ts'
import { type Detect, type Judged, judgeDetection } from './judge.ts'
import { rightManifest } from './oracle.ts'
import { hasMorePages, kinds, type Shape } from './shape.ts'
import { shapeOf } from './shape-of.ts'

const says = (answer: Detection['answer'], manifest: object | null = null): Detection => ({
  answer,
  says: '',
  recordPath: null,
  candidates: [],
  probes: [],
  manifest: manifest === null ? null : JSON.stringify(manifest),
})

/** The first shape of a kind that has several pages, if the kind has pages. */
function oneOf(kind: (typeof kinds)[number], fits: (shape: Shape) => boolean = hasMorePages): Shape {
  for (let seed = kinds.indexOf(kind); ; seed += kinds.length) if (fits(shapeOf(seed))) return shapeOf(seed)
}

type Manifest = ReturnType<typeof rightManifest>

/** Knows the shape; `change` makes a mistake. */
const knowing =
  (shape: Shape, change: (manifest: Manifest) => Manifest = (manifest) => manifest): Detect =>
  async ({ url }) =>
    says(shape.paging === null ? 'not-paginated' : 'paginated', change(rightManifest(shape, new URL(url).origin)))

async function gradeOf(shape: Shape, detect: Detect): Promise<string> {
  const { grade, why }: Judged = await judgeDetection(shape, detect)
  return `${grade}: ${why}`
}

test('who knows the shape is right about every kind', async () => {
  for (const kind of kinds) {
    const shape = oneOf(kind, ({ key }) => key === null)
    const { grade, why } = await judgeDetection(shape, knowing(shape))
    assert.equal(grade, 'exact', `${kind}: ${why}`)
  }
})

test('who says "not paginated" of an API with several pages is wrong, of one with a single page right', async () => {
  const silent: Detect = async () => says('not-paginated')
  assert.equal(await gradeOf(oneOf('Link header'), silent), 'wrong: it is paginated')
  assert.equal(
    await gradeOf(
      oneOf('Link header', (shape) => !hasMorePages(shape)),
      silent,
    ),
    'exact: one page',
  )
  assert.equal(
    await gradeOf(
      oneOf('not paginated', () => true),
      silent,
    ),
    'exact: one page',
  )
})

test('"cannot tell" is a miss, unless no one can tell', async () => {
  const honest: Detect = async () => says('cannot-tell')
  assert.equal(await gradeOf(oneOf('HAL'), honest), 'missed: cannot tell')
  assert.equal(
    await gradeOf(
      oneOf('HAL', (shape) => !hasMorePages(shape)),
      honest,
    ),
    'exact: no one can tell',
  )
  assert.equal(
    await gradeOf(
      oneOf('not paginated', ({ records }) => records.count > 30),
      honest,
    ),
    'missed: cannot tell',
  )
})

test('a manifest that reads the first page only is wrong', async () => {
  const shape = oneOf('cursor in the body', (one) => hasMorePages(one) && one.key === null && one.records.count < 20)
  const { records, paging } = shape
  const lost = records.count - (paging?.size.usual ?? 0)
  const grade = await gradeOf(
    shape,
    knowing(shape, (manifest) => edited(manifest, { paginator: undefined })),
  )
  assert.equal(grade, `wrong: ${lost} of ${records.count} lost, 0 doubled or strange`)
})

test('a manifest that never ends is wrong', async () => {
  const shape = oneOf(
    'page from 1, without',
    (one) => hasMorePages(one) && one.key === null && one.unknown === 'ignored',
  )
  const lost = { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'nobody_knows' }
  const grade = await gradeOf(
    shape,
    knowing(shape, (manifest) => {
      const { paginator } = retrieverOf(manifest)
      return edited(manifest, { paginator: { ...(paginator as object), page_token_option: lost } })
    }),
  )
  assert.match(grade, /^wrong: the read fails: .* does not end|^wrong: it reads without end/)
})

test('a manifest that asks for one record at a time reads all, and is not exact', async () => {
  const shape = oneOf(
    'offset, with a total',
    (one) => hasMorePages(one) && one.key === null && one.paging?.size.placed !== null,
  )
  const tiny = (manifest: Manifest) => {
    const paginator = retrieverOf(manifest).paginator as { pagination_strategy: object }
    return edited(manifest, {
      paginator: { ...paginator, pagination_strategy: { ...paginator.pagination_strategy, page_size: 1 } },
    })
  }
  assert.match(await gradeOf(shape, knowing(shape, tiny)), /^missed: \d+ requests for \d+ pages/)
})

test('who asks too often, or does not list what was asked, is wrong', async () => {
  const shape = oneOf('HAL', ({ key }) => key === null)
  const asking =
    (times: number, listed: number): Detect =>
    async ({ url }: DetectionRequest) => {
      for (let time = 0; time < times; time++) await (await fetch(url)).text()
      const probe = { why: '', method: 'GET', url, status: 200, saw: '' }
      return { ...says('cannot-tell'), probes: Array.from({ length: listed }, () => probe) }
    }
  assert.equal(await gradeOf(shape, asking(13, 13)), 'wrong: 13 requests')
  assert.equal(await gradeOf(shape, asking(3, 2)), 'wrong: lists 2 of 3 requests')
})

test('who shows the key is wrong, and so is who throws', async () => {
  const shape = oneOf('HAL', ({ key }) => key !== null)
  const showing: Detect = async ({ headers }) => ({ ...says('cannot-tell'), says: JSON.stringify(headers) })
  assert.equal(await gradeOf(shape, showing), 'wrong: shows the key')
  const throwing: Detect = async () => {
    throw new Error('no list')
  }
  assert.equal(await gradeOf(shape, throwing), 'wrong: it throws: no list')
})

function retrieverOf(manifest: Manifest): Record<string, unknown> {
  const [stream] = manifest.streams as { retriever: Record<string, unknown> }[]
  return (stream as { retriever: Record<string, unknown> }).retriever
}

function edited(manifest: Manifest, parts: Record<string, unknown>): Manifest {
  const [stream] = manifest.streams as object[]
  return { ...manifest, streams: [{ ...stream, retriever: { ...retrieverOf(manifest), ...parts } }] }
}

/** Every dialect of the lab, known by its address alone: detected, and read to the last record with what was found. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { detect } from '../../../src/proof/detection/detect.ts'
import type { Detection, DetectionRequest } from '../../../src/proof/detection/detection.ts'
import { loadManifest, readPages } from '../../../src/index.ts'
import { type Lab, startLab } from '../../../src/lab/lab.ts'

let lab: Lab
before(async () => {
  lab = await startLab({ port: 0 })
})
after(() => lab[Symbol.asyncDispose]())

async function detected(request: DetectionRequest): Promise<Detection> {
  return detect(request, { spacing: 0 })
}

async function readWith(manifest: string | null, config = {}) {
  assert.ok(manifest)
  const loaded = loadManifest(manifest)
  const ids: unknown[] = []
  let pages = 0
  for await (const page of readPages(loaded, { stream: loaded.streams[0]?.name as string, config })) {
    pages++
    for (const record of page.records) ids.push(record.id)
  }
  return { ids, pages }
}

const cases: readonly {
  path: string
  request?: Partial<DetectionRequest>
  method: string
  token?: string
  size?: string
  first?: number
}[] = [
  { path: '/offset', method: 'offset', token: 'offset', size: 'limit' },
  { path: '/page', method: 'page', token: 'page', size: 'per_page', first: 1 },
  { path: '/page0', method: 'page', token: 'page', size: 'per_page', first: 0 },
  { path: '/cursor', method: 'cursor', token: 'cursor', size: 'limit' },
  { path: '/cursor-header', method: 'cursor', token: 'cursor', size: 'limit' },
  { path: '/link', method: 'link-header', size: 'per_page' },
  { path: '/next-url', method: 'next-url', size: 'limit' },
  { path: '/next-path', method: 'next-url', size: 'limit' },
  { path: '/after', method: 'start-after', token: 'after', size: 'limit' },
  { path: '/search', request: { json: {} }, method: 'cursor', token: 'page.cursor', size: 'page.size' },
  { path: '/form', request: { form: {} }, method: 'cursor', token: 'cursor', size: 'size' },
  { path: '/offset-header', method: 'offset', token: 'X-Offset', size: 'X-Limit' },
  { path: '/odata', method: 'next-url', size: '$top' },
  { path: '/jsonapi', method: 'next-url', size: 'page[size]' },
  {
    path: '/graphql',
    request: { json: { query: '{ records }' } },
    method: 'cursor',
    token: 'variables.after',
    size: 'variables.first',
  },
  { path: '/range?range=0,100', method: 'offset', token: 'range' },
  { path: '/range?range=40,20', method: 'offset', token: 'range' },
  { path: '/path/1', method: 'page', token: '0', size: 'per_page', first: 1 },
  { path: '/path/2?per_page=20', method: 'page', token: '0', size: 'per_page', first: 1 },
  { path: '/all', method: 'none' },
]

describe('the lab, known by its address alone', () => {
  for (const { path, request = {}, method, token, size, first } of cases) {
    test(`${path} is ${method}`, async () => {
      const found = await detected({ url: lab.url + path, ...request })
      const [best] = found.candidates
      assert.equal(best?.method, method)
      // Of /all, only silence speaks for its being all.
      assert.equal(best.confidence, method === 'none' ? 'likely' : 'shown')
      assert.equal(best.facts.token?.name, token)
      assert.equal(best.facts.size?.name, size)
      if (first !== undefined) assert.equal(best.facts.firstPage, first)
      assert.ok(found.probes.length <= 12)
      const { ids } = await readWith(found.manifest)
      assert.equal(ids.length, 250)
      assert.equal(new Set(ids).size, 250)
    })
  }
})

describe('dialects that no usual name turns', () => {
  test('a month as the page: nothing is claimed', async () => {
    const { answer, manifest } = await detected({ url: `${lab.url}/calendar` })
    assert.deepEqual([answer, manifest], ['cannot-tell', null])
  })

  test('a parameter that must be there and is not named as one is reported in the words of the API', async () => {
    await assert.rejects(detected({ url: `${lab.url}/range` }), /OFFSET,LIMIT/)
  })
})

describe('an address with paging in it', () => {
  const given = [
    '/page?page=3&per_page=50',
    '/offset?offset=100&limit=20',
    '/cursor?limit=10&cursor=abc',
    '/odata?$skip=20&$top=5',
  ]
  for (const path of given) {
    test(`${path} is read from its beginning`, async () => {
      const { manifest } = await detected({ url: lab.url + path })
      assert.equal(new Set((await readWith(manifest)).ids).size, 250)
    })
  }
})

describe('faults', () => {
  const unlike: readonly [string, Detection['answer']][] = [
    ['/faults/requires-first/page', 'paginated'],
    ['/faults/rejects-first/page', 'paginated'],
    ['/faults/capped-size/offset?limit=500', 'paginated'],
    ['/faults/ignored-parameter/page', 'cannot-tell'],
  ]
  for (const [path, expected] of unlike) {
    test(`${path}: ${expected}`, async () => {
      const { answer, manifest } = await detected({ url: lab.url + path })
      assert.equal(answer, expected)
      if (manifest !== null) assert.equal(new Set((await readWith(manifest)).ids).size, 250)
    })
  }

  test('a cursor that comes again is still sent as what it is', async () => {
    const { candidates } = await detected({ url: `${lab.url}/faults/repeated-cursor/cursor` })
    assert.equal(candidates[0]?.facts.token?.name, 'cursor')
  })
})

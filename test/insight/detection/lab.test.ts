/** Every dialect of the lab, known by its address alone: detected, and read to the last record with what was found. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { detect } from '../../../src/insight/detection/detect.ts'
import type { Detection, DetectionRequest } from '../../../src/insight/detection/detection.ts'
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
  { path: '/all', method: 'none' },
]

describe('the lab, known by its address alone', () => {
  for (const { path, request = {}, method, token, size, first } of cases) {
    test(`${path} is ${method}`, async () => {
      const found = await detected({ url: lab.url + path, ...request })
      if (process.env.SHOW) console.log(JSON.stringify(found, null, 1), found.manifest)
      const [best] = found.candidates
      assert.equal(best?.method, method)
      assert.equal(best.confidence, 'shown')
      assert.equal(best.facts.token?.name, token)
      assert.equal(best.facts.size?.name, size)
      if (first !== undefined) assert.equal(best.facts.firstPage, first)
      assert.ok(found.probes.length <= 8)
      const { ids } = await readWith(found.manifest)
      assert.equal(ids.length, 250)
      assert.equal(new Set(ids).size, 250)
    })
  }
})

/** Receipts of very many slices at once: each for itself, in bounded space. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page, SliceEnd } from '../../src/engine/pages/page.ts'
import type { OpenStream } from '../../src/engine/pages/stream.ts'
import type { Slice } from '../../src/engine/slices/slice.ts'
import { openStreamNamed } from '../../src/engine/streams-of.ts'
import { loadManifest } from '../../src/index.ts'
import { keyBytes, openKeyMemory } from '../../src/proof/keys/key-memory.ts'
import { openReceipts } from '../../src/proof/receipts/open-receipts.ts'
import { openRunOf } from '../../src/read.ts'
import { manifestOf } from '../helpers/manifests.ts'
import { isWhole } from '../helpers/proof.ts'

const most = keyBytes.exact + keyBytes.recent + keyBytes.filter

async function openItems(config: Record<string, unknown> = {}): Promise<OpenStream> {
  const spec = { type: 'object', properties: { token: { type: 'string', airbyte_secret: true } } }
  const manifest = loadManifest(manifestOf({ stream: { primary_key: 'id' }, spec }))
  const { run, close } = await openRunOf(manifest, { config })
  try {
    return await openStreamNamed(run, 'items', {})
  } finally {
    await close()
  }
}

function pageOf(slice: Slice, index: number, records: Record<string, unknown>[], receipt?: SliceEnd): Page {
  return {
    stream: 'items',
    slice,
    index,
    part: 0,
    token: null,
    next: null,
    stop: receipt?.stop ?? null,
    request: { method: 'GET', url: 'https://api.test/v1/items', headers: {}, body: null },
    response: { status: 200, url: 'https://api.test/v1/items', headers: {}, body: { data: records }, bytes: 0 },
    records,
    receivedCount: records.length,
    list: 'found',
    timing: { askedAt: 0, tookMs: 0 },
    ...(receipt && { receipt }),
  }
}

const rows = (...ids: unknown[]) => ids.map((id) => ({ id, name: 'x' }))
const end = (pages: number, received: number): SliceEnd => ({ pages, received, emitted: received, stop: 'short-page' })
const sliceOf = (number: number): Slice => ({ partition: { number }, window: {} })

suite('slices', () => {
  // 100,000 with `npm run test:proof`; either way more keys on the first pages than are known exactly.
  const count = isWhole ? 100_000 : 70_000
  test(`${count} side by side share one space, are judged each for itself, and free their memory`, async () => {
    const memory = openKeyMemory()
    const receipts = openReceipts(await openItems(), memory)
    const slices = Array.from({ length: count }, (_, number) => sliceOf(number))
    for (const slice of slices) receipts.observe(slice, pageOf(slice, 0, rows(1, 2, 3)))
    assert.ok(memory.bytes() <= most, `${memory.bytes()} bytes`)

    const verdicts = new Map<string, number>()
    for (const [number, slice] of slices.entries()) {
      // Every tenth brings its first page again: what is known exactly shows it, three rows that a filter knows do not.
      const last = number % 10 === 0 ? rows(1, 2, 3) : rows(4, 5, 6)
      const receipt = receipts.observe(slice, pageOf(slice, 1, last, end(2, 6)))
      assert.ok(receipt !== null)
      verdicts.set(receipt.verdict, (verdicts.get(receipt.verdict) ?? 0) + 1)
      if (number % 10 !== 0) assert.equal(receipt.keys?.repeated, 0, `slice ${number}`)
    }
    assert.equal(memory.bytes(), 0)
    assert.deepEqual([...verdicts.keys()].toSorted(), ['duplicated', 'unproven'])
    const { duplicated = 0 } = Object.fromEntries(verdicts)
    assert.ok(duplicated > 0 && duplicated < count / 10, `${duplicated}`)
    const { slices: ended, pages, received, verdict, keys } = receipts.stream()
    assert.deepEqual([ended, pages, received, verdict], [count, 2 * count, 6 * count, 'duplicated'])
    assert.ok(keys !== null && keys.examples.length <= 9)
  })

  test('one after the other, each has all the space', async () => {
    const memory = openKeyMemory()
    const receipts = openReceipts(await openItems(), memory)
    for (let number = 0; number < 1000; number++) {
      const slice = sliceOf(number)
      receipts.observe(slice, pageOf(slice, 0, rows(1, 2, 3)))
      const receipt = receipts.observe(slice, pageOf(slice, 1, rows(1, 2, 3), end(2, 6)))
      assert.equal(receipt?.keys?.repeatedPage, 2)
    }
    assert.equal(memory.bytes(), 0)
  })
})

test('a slice whose key is a secret shows it to no one', async () => {
  const token = 's3cr3t-t0ken'
  const slice = sliceOf(1)
  const receipts = openReceipts(await openItems({ token }))
  receipts.observe(slice, pageOf(slice, 0, rows(token, 2)))
  const receipt = receipts.observe(slice, pageOf(slice, 1, rows(token, 3), end(2, 4)))
  assert.equal(receipt?.keys?.examples[0]?.key, '****')
  assert.ok(!JSON.stringify(receipt).includes(token))
})

/** A read of nothing but empty pages is ended long before ten thousand, unless the API counts records that have not come. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Notice } from '../../../src/engine/response/notice.ts'
import { loadManifest, readRecords } from '../../../src/index.ts'
import { cursorPaginator, manifestOf } from '../../helpers/manifests.ts'
import { type Handler, serveApi } from '../../helpers/serve-api.ts'

async function read(answer: Handler, onNotice: (notice: Notice) => void = () => {}): Promise<number> {
  await using api = await serveApi({ 'GET /items': answer })
  const manifest = loadManifest(manifestOf({ url: api.url, paginator: cursorPaginator('{{ response.next }}') }))
  let count = 0
  for await (const _ of readRecords(manifest, { onNotice })) count++
  return count
}

/** Ten records, then empty pages up to the turn that brings ten more. */
const waiting =
  (until: number, around: object): Handler =>
  (query) => {
    const turn = Number(query.get('cursor') ?? 1)
    const ids = turn === 1 ? [1, 2] : turn === until ? [3, 4] : []
    return { json: { data: ids.map((id) => ({ id })), next: turn === until ? null : turn + 1, ...around } }
  }

test('a thousand and one empty pages are too many', async () => {
  await assert.rejects(read(waiting(100_000, {})), {
    code: 'pagination/loop',
    message: 'Stream "items" does not end: pages 2 to 1,002 are empty.',
  })
})

test('a thousand empty pages are not', async () => {
  assert.equal(await read(waiting(1_002, {})), 4)
})

test('a total that is not reached allows more of them', async () => {
  assert.equal(await read(waiting(1_500, { meta: { total: 4 } })), 4)
})

test('a total that is reached does not', async () => {
  await assert.rejects(read(waiting(100_000, { meta: { total: 2 } })), { code: 'pagination/loop' })
})

test('ten empty pages in a row draw one warning, nine none', async () => {
  for (const [until, warnings] of [
    [11, []],
    [40, ['Pages 2 to 11 are empty, and each names a next one. If nothing follows, the stop condition is wrong.']],
  ] as const) {
    const told: string[] = []
    await read(waiting(until, {}), (notice) => void (notice.kind === 'warning' && told.push(notice.text)))
    assert.deepEqual(told, warnings)
  }
})

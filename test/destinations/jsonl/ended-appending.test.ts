import assert from 'node:assert/strict'
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { jsonlDestination } from '../../../src/destinations/jsonl/jsonl.ts'
import { commit, page, table, write } from '../behaviours.ts'

test('once a sync has ended, lines that follow are of others, even where they are copies of ours', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'turnleaf-jsonl-'))
  try {
    const file = join(folder, 'orders.jsonl')
    const orders = table('orders', 'append')
    const first = await jsonlDestination(folder).open('shop')
    for (const id of [1, 2]) await first.commit(commit([write(orders, page([{ id }]))]))
    await first.close()
    await appendFile(file, await readFile(file))
    const both = await readFile(file, 'utf8')
    const next = await jsonlDestination(folder).open('shop')
    await assert.rejects(next.commit(commit([write(orders, page([{ id: 3 }]))])), { code: 'destinations/unreadable' })
    await next.close()
    assert.equal(await readFile(file, 'utf8'), both)
  } finally {
    await rm(folder, { recursive: true })
  }
})

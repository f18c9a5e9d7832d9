/** The engine reads every dialect of the lab whole: every method and placement, at every size that matters. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { loadManifest, readRecords } from '../../src/index.ts'
import { startLab } from '../../src/lab/lab.ts'

const manifest = loadManifest(readFileSync('connectors/lab/manifest.yaml', 'utf8'))
const pageSize = 5

for (const size of [0, 1, pageSize - 1, pageSize, pageSize + 1, 3 * pageSize]) {
  test(`every stream of the lab connector gives ${size} of ${size} records, once and in order`, async () => {
    await using lab = await startLab({ port: 0, size })
    const config = { base_url: lab.url, page_size: pageSize }
    const expected = Array.from({ length: size }, (_, index) => index + 1)
    for (const { name } of manifest.streams) {
      const ids: number[] = []
      for await (const record of readRecords(manifest, { stream: String(name), config })) ids.push(Number(record.id))
      assert.deepEqual(ids, expected, String(name))
    }
  })
}

/** Healthy reads over every dialect of the lab are complete or unproven, never anything worse. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { loadManifest } from '../../src/index.ts'
import { startLab } from '../../src/lab/lab.ts'
import { judge } from '../helpers/judge.ts'

const manifest = loadManifest(readFileSync('connectors/lab/manifest.yaml', 'utf8'))
const pageSize = 5

/** Dialects that say nothing at all about how much there is. */
const silent = ['all', 'calendar']

for (const size of [0, 1, pageSize - 1, pageSize, pageSize + 1, 3 * pageSize, 3 * pageSize + 2]) {
  test(`of ${size} records in every dialect, none is called missing or doubled`, async () => {
    await using lab = await startLab({ size })
    const config = { base_url: lab.url, page_size: pageSize }
    for (const { name } of manifest.streams) {
      const { stream } = await judge(manifest, { stream: String(name), config })
      assert.ok(stream.verdict === 'complete' || stream.verdict === 'unproven', `${String(name)}: ${stream.reason}`)
      if (size > pageSize && !silent.includes(String(name))) assert.equal(stream.verdict, 'complete', String(name))
    }
  })
}

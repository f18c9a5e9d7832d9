/** Manifests that people run. TURNLEAF_MANIFESTS=folder loads another folder too. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkManifest } from '../../../src/engine/manifest/check.ts'
import { objectAt } from './node-at.ts'

function loadAll(folder: string) {
  const files = readdirSync(folder).filter((file) => /\.(?:ya?ml|json)$/.test(file))
  const counts = {
    manifests: files.length,
    ms: 0,
    unsupported: {} as Record<string, number>,
    problems: {} as Record<string, number>,
  }
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8')
    const start = performance.now()
    const { manifest, problems } = checkManifest(text, { file })
    counts.ms += performance.now() - start
    const errors = problems.filter(({ severity }) => severity === 'error')
    assert.deepEqual(errors, [], file)
    for (const { type } of manifest?.unsupported ?? []) counts.unsupported[type] = (counts.unsupported[type] ?? 0) + 1
    for (const { code } of problems) counts.problems[code] = (counts.problems[code] ?? 0) + 1
    assert.ok(
      problems.every(({ at }) => at.line !== undefined),
      file,
    )
  }
  return counts
}

function ranked(counts: Record<string, number>): string {
  const entries = Object.entries(counts).toSorted(([, a], [, b]) => b - a)
  return entries.map(([name, count]) => `${name} ${count}`).join(', ')
}

test('real manifests load without errors', () => {
  const { manifests, problems } = loadAll('test/manifests')
  assert.ok(manifests >= 12)
  assert.equal(problems['manifest/unused-page-token'], 1)
})

test('the same manifest as JSON gives the same tree', () => {
  const text = readFileSync('test/manifests/source-commercetools.yaml', 'utf8')
  const { manifest } = checkManifest(text)
  assert.ok(manifest)
  const json = JSON.stringify(manifest.root, null, '\t')
  const fromText = checkManifest(json).manifest
  assert.ok(fromText)
  assert.equal(JSON.stringify(fromText.root), JSON.stringify(checkManifest(objectAt(JSON.parse(json))).manifest?.root))
})

/** By hand: a folder of manifests that are not ours to ship. */
const folder = process.env.TURNLEAF_MANIFESTS
if (folder !== undefined) {
  test(`the manifests in ${folder} load without errors`, () => {
    const { manifests, ms, unsupported, problems } = loadAll(folder)
    console.log(`${manifests} manifests in ${Math.round(ms)} ms`)
    console.log(`manifests per type that does not run yet: ${ranked(unsupported)}`)
    console.log(`problems: ${ranked(problems)}`)
  })
}

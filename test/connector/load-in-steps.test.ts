/** A large manifest loaded in steps is what loading it at once gives, and others have their turn in between. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stringify } from 'yaml'
import { referringManifest } from '../../benchmarks/manifests.ts'
import { loadInSteps, loadManifest } from '../../src/connector/load-manifest.ts'
import { ConnectorError } from '../../src/std/errors.ts'

const text = stringify(referringManifest(100))

test('the same manifest, and others have their turn', async () => {
  let turns = 0
  let isLoading = true
  const count = () => {
    turns++
    if (isLoading) setImmediate(count)
  }
  setImmediate(count)
  const inSteps = await loadInSteps(text, { folder: 'shop', file: 'shop.yaml' })
  isLoading = false
  const atOnce = loadManifest(text, { folder: 'shop', file: 'shop.yaml' })
  assert.deepEqual(inSteps.root, atOnce.root)
  assert.deepEqual(inSteps.problems, atOnce.problems)
  assert.equal(inSteps.folder, 'shop')
  const [stream] = inSteps.streams
  assert.ok(stream)
  assert.deepEqual(inSteps.at(stream), atOnce.at(atOnce.streams[0] as object))
  assert.ok(turns >= 10, `${turns} turns`)
})

test('the same refusal', async () => {
  const broken = text.replace('#/definitions/selector', '#/definitions/nowhere')
  const refusals = [() => loadInSteps(broken), async () => loadManifest(broken)].map((load) =>
    load().then(
      () => assert.fail('it was loaded'),
      (error: unknown) => (error instanceof ConnectorError ? error.toJSON() : error),
    ),
  )
  const [inSteps, atOnce] = await Promise.all(refusals)
  assert.deepEqual(inSteps, atOnce)
})

/**
 * One fault each, in every dialect: named for what it is, and repaired so that each record comes once. A fix that is enough
 * is applied as it was found; `diagnoseAndFix`, which diagnoses again, repairs every fourth, and all in `npm run test:proof`.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, readRecords } from '../../../src/index.ts'
import { applyEdits } from '../../../src/proof/diagnosis/apply-edits.ts'
import { diagnose } from '../../../src/proof/diagnosis/diagnose.ts'
import { diagnoseAndFix } from '../../../src/proof/diagnosis/diagnose-and-fix.ts'
import { manifestOf } from '../../helpers/manifests.ts'
import { someOf } from '../../helpers/proof.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { counting } from './wrong/counting.ts'
import { cursors } from './wrong/cursors.ts'
import { ends } from './wrong/ends.ts'
import { lists } from './wrong/lists.ts'
import { stops } from './wrong/stops.ts'
import { tokens } from './wrong/tokens.ts'
import { unpaginated } from './wrong/unpaginated.ts'

const wrongManifests = [...counting, ...cursors, ...ends, ...lists, ...stops, ...tokens, ...unpaginated]

const repaired = new Set(someOf(wrongManifests))

for (const wrong of wrongManifests) {
  const { what, codes, isFixed = true } = wrong
  test(`${what}: ${codes.join(' or ')}`, async () => {
    const { answer, parts, says, records } = wrong
    await using api = await serveApi(typeof answer === 'function' ? { 'GET /items': answer } : answer)
    const text = JSON.stringify(manifestOf({ ...parts, url: api.url }), null, 2)
    const { findings } = await diagnose(text, { sleep: async () => {} })
    const [found] = findings
    assert.ok(codes.includes(found?.code ?? 'nothing'), `${found?.code ?? 'nothing'}: ${found?.says ?? ''}`)
    if (says !== undefined) assert.match(JSON.stringify(found), says)
    assert.equal(found?.fix?.retest?.isFixed ?? false, isFixed, found?.fix?.says)
    if (!isFixed) return
    const { text: fixed } = repaired.has(wrong)
      ? await diagnoseAndFix(text, { sleep: async () => {} })
      : { text: applyEdits(text, found?.fix?.edits ?? []) }
    const ids: unknown[] = []
    for await (const { id } of readRecords(loadManifest(fixed))) ids.push(id)
    assert.deepEqual([new Set(ids).size, ids.length], [records ?? 57, records ?? 57])
  })
}

test('the table holds each fault once', () => {
  const names = wrongManifests.map(({ what }) => what)
  assert.equal(new Set(names).size, names.length)
})

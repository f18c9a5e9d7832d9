/**
 * Every odd response × every method × first, middle and last page: what is lost in truth, the verdict, and the table that
 * had rows. `npm test` has a quarter of these, others for each method; `npm run test:proof` has all.
 */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { ConnectorError } from '../../src/std/errors.ts'
import { loadManifest, type LoadedManifest, readPages, sync } from '../../src/index.ts'
import { holdPart } from '../helpers/docs.ts'
import { isWhole } from '../helpers/proof.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { type OddAnswer, oddAnswers } from './odd/answers.ts'
import { lastPage, type Method, manifestFor, methods, routesFor, total } from './odd/methods.ts'
import { conditions, type WrongCondition } from './odd/stop-conditions.ts'
import { type Cell, conditionTable, oddTable } from './odd/table.ts'

const positions = { first: 1, middle: 3, last: lastPage } as const
type Position = keyof typeof positions

/** Waits pass at once. */
const patient = { sleep: async () => {}, retry: { baseMs: 0 } }

async function readAll(manifest: LoadedManifest): Promise<Pick<Cell, 'lost' | 'verdict' | 'reason'>> {
  const ids = new Set<unknown>()
  let [verdict, reason] = ['none', '']
  try {
    for await (const { records, receipt } of readPages(manifest, patient)) {
      for (const { id } of records) ids.add(id)
      if (receipt) [verdict, reason] = [receipt.verdict, receipt.reason]
    }
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error
    ;[verdict, reason] = ['error', `${error.code}: ${error.message}`]
  }
  return {
    lost: Array.from({ length: total }, (_, index) => index + 1).filter((id) => !ids.has(id)).length,
    verdict,
    reason,
  }
}

/** Rows of the table, after a sync that replaces it. */
async function syncTable(manifest: LoadedManifest, folder: string): Promise<{ rows: number; ending: string }> {
  const { receipts } = await sync(manifest, {
    to: `jsonl:${folder}`,
    mode: 'full_refresh_overwrite',
    ...patient,
  })
  const table = await readFile(join(folder, 'items.jsonl'), 'utf8')
  return { rows: table.split('\n').filter((line) => line !== '').length, ending: receipts[0]?.ending ?? 'none' }
}

suite('an odd response is never the proof of an end, and never costs a table', () => {
  const cells: Cell[] = []
  for (const method of methods) {
    test(method.name, async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'turnleaf-odd-'))
      let odd: { answer: OddAnswer; page: number } | null = null
      await using api = await serveApi(
        routesFor(
          method,
          () => api.url,
          ({ page }, usual) => (page === odd?.page ? odd.answer.answer(usual, method) : null),
        ),
      )
      const manifest = loadManifest(manifestFor(method, api.url))
      try {
        await t.test('without one, everything is read', async () => {
          const { lost, verdict } = await readAll(manifest)
          assert.deepEqual([lost, verdict], [0, method.isSilent ? 'unproven' : 'complete'])
        })
        for (const [index, answer] of oddAnswers.entries()) {
          for (const [turn, position] of (Object.keys(positions) as Position[]).entries()) {
            // Every fourth, unless all are wanted: others with the next method.
            if (!isWhole && (index * 3 + turn + methods.indexOf(method)) % 4 !== 0) continue
            if (answer.answer(method.answer({ page: 1, rows: [], isLast: false, url: '' }), method) === null) continue
            await t.test(`${answer.name} as the ${position} page`, async () => {
              odd = null
              const good = await syncTable(manifest, folder)
              assert.equal(good.rows, total)
              odd = { answer, page: positions[position] }
              const cell = await readAll(manifest)
              const { rows, ending } = await syncTable(manifest, folder)
              odd = null
              const said = `${cell.verdict}, ${cell.lost} lost, ${rows} rows, ${ending}: ${cell.reason}`
              cells.push({ method: method.name, answer: answer.name, position, rows, ending, ...cell })
              if (cell.lost > 0) assert.notEqual(cell.verdict, 'complete', said)
              if (cell.lost > 0 && ending === 'complete') assert.equal(cell.verdict, 'unproven', said)
              // What is merely unproven may shrink a table, but not by half; what is known to be short replaces nothing.
              assert.ok(rows === total || (cell.verdict === 'unproven' && rows >= total / 2), said)
            })
          }
        }
      } finally {
        await rm(folder, { recursive: true })
      }
    })
  }
  if (isWhole)
    test('docs/reliability-tests.md has every cell', () =>
      holdPart('reliability-tests', 'odd-answers', oddTable(cells)))
})

suite('an inverted or wrong stop condition proves nothing', () => {
  const cells: { condition: WrongCondition; total: boolean; lost: number; verdict: string }[] = []
  for (const condition of conditions) {
    for (const hasTotal of [false, true]) {
      test(`${condition.stop}${hasTotal ? ', with a total' : ''}`, async () => {
        const method: Method = condition.method(hasTotal)
        await using api = await serveApi(
          routesFor(
            method,
            () => api.url,
            () => null,
          ),
        )
        const { lost, verdict, reason } = await readAll(loadManifest(manifestFor(method, api.url)))
        assert.ok(lost > 0, 'the condition is not wrong')
        assert.notEqual(verdict, 'complete', reason)
        if (hasTotal) assert.equal(verdict, 'incomplete', reason)
        cells.push({ condition, total: hasTotal, lost, verdict })
      })
    }
  }
  test('docs/reliability-tests.md has every condition', () =>
    holdPart('reliability-tests', 'stop-conditions', conditionTable(cells)))
})

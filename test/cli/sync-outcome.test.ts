import assert from 'node:assert/strict'
import { test } from 'node:test'
import { syncExitCode } from '../../src/sync/exit-code.ts'
import { noClaims } from '../../src/proof/receipts/receipt.ts'
import type { SyncResult } from '../../src/sync/events.ts'
import type { StreamReceipt } from '../../src/sync/receipt.ts'

type Part = Pick<StreamReceipt, 'ending' | 'verdict'> & { readonly pages?: number; readonly code?: string }

function resultOf(parts: readonly Part[], ending: SyncResult['ending']): SyncResult {
  const receipts = parts.map(({ code, pages = 1, ...part }): StreamReceipt => {
    const counts = { pages, received: 1, records: 1, bytes: 1, slices: 1, retries: 0, tookMs: 1 }
    const error = code === undefined ? {} : { error: { code, message: 'no' } }
    return {
      stream: 's',
      mode: null,
      stop: null,
      reason: '',
      keys: null,
      claimed: noClaims,
      ...counts,
      ...part,
      ...error,
    }
  })
  return { run: 'r', connection: 'c', to: 'memory:', ending, receipts }
}

const whole = (verdict: Part['verdict']): Part => ({ ending: 'complete', verdict })
const below = (verdict: Part['verdict']): Part => ({ ending: 'incomplete', verdict })
const held: Part = { ending: 'held', verdict: 'unproven' }
const failed = (code: string, pages = 0): Part => ({ ending: 'failed', verdict: 'incomplete', code, pages })

const cases: [string, SyncResult['ending'], Part[], 0 | 1 | 2][] = [
  ['complete streams suffice', 'complete', [whole('complete')], 0],
  ['no stream at all is no failure', 'complete', [], 0],
  ['unproven streams suffice, unless more is required', 'complete', [whole('unproven')], 0],
  ['a verdict below what is required', 'incomplete', [whole('complete'), below('unproven')], 1],
  ['a table that was not replaced', 'held', [whole('complete'), held], 1],
  ['a stream that failed', 'failed', [whole('complete'), failed('response/gave-up')], 1],
  ['an interruption', 'interrupted', [whole('complete')], 1],
  ['streams that could not even start', 'failed', [failed('sync/not-incremental'), failed('plan/x')], 2],
  ['one that could, and failed later', 'failed', [failed('sync/not-incremental'), failed('plan/x', 1)], 1],
  ['one that could', 'failed', [failed('sync/not-incremental'), whole('complete')], 1],
]

for (const [name, ending, parts, code] of cases) {
  test(`exit code ${code}: ${name}`, () => {
    assert.equal(syncExitCode(resultOf(parts, ending)), code)
  })
}

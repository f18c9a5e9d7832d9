/** The result of a sync → how its scheduled run ended. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runOutcome } from '../../src/schedules/run-connection.ts'
import type { StreamReceipt } from '../../src/sync/receipt.ts'

const stopped = { ending: 'cancelled', error: { code: 'response/aborted', message: 'The read was cancelled.' } }
const failed = {
  ending: 'failed',
  error: { code: 'response/status', message: 'The API responded with 500.', hint: '' },
}

test('a run that was stopped has no error, unless a stream had failed before', () => {
  const result = { ending: 'interrupted', run: 'r1', connection: 'shop', to: 'jsonl:out' } as const
  const outcomeOf = (...receipts: object[]) => runOutcome({ ...result, receipts: receipts as StreamReceipt[] })
  assert.deepEqual([outcomeOf(stopped).error, outcomeOf(stopped, failed).error], [null, failed.error])
})

/** What a command that ran a sync ends with. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SyncEnding } from '../../src/sync/events.ts'
import { syncExitCode } from '../../src/sync/exit-code.ts'
import type { StreamEnding, StreamReceipt } from '../../src/sync/receipt.ts'

const receipt = (ending: StreamEnding, pages: number, code?: string) =>
  ({ ending, pages, ...(code !== undefined && { error: { code, message: '' } }) }) as StreamReceipt
const codeOf = (ending: SyncEnding, ...receipts: StreamReceipt[]) =>
  syncExitCode({ run: 'r1', connection: 'shop', to: 'memory:', ending, receipts })

const complete = receipt('complete', 1)
const refused = receipt('failed', 0, 'sync/no-primary-key')

const rows: [name: string, code: 0 | 1 | 2, ...Parameters<typeof codeOf>][] = [
  ['every stream is complete', 0, 'complete', complete],
  ['there is no stream', 0, 'complete'],
  ['no stream was begun before the sync was cancelled', 1, 'interrupted'],
  ['rows were held', 1, 'held', receipt('held', 1)],
  ['no stream can be read as it is requested', 2, 'failed', refused, refused],
  ['another stream can be', 1, 'failed', refused, complete],
  ['a page came first', 1, 'failed', receipt('failed', 1, 'sync/no-primary-key')],
  ['the API fails', 1, 'failed', receipt('failed', 0, 'response/status')],
  ['an error has no code', 1, 'failed', receipt('failed', 0)],
  ['the stream was cancelled', 1, 'failed', receipt('cancelled', 0, 'sync/no-primary-key')],
]

for (const [name, code, ...result] of rows) {
  test(`${code} where ${name}`, () => assert.equal(codeOf(...result), code))
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diagnoseCommand } from '../../src/cli/commands/sync.ts'
import { noClaims } from '../../src/proof/receipts/receipt.ts'
import type { StreamReceipt } from '../../src/sync/receipt.ts'

function receipt(part: Pick<StreamReceipt, 'ending' | 'verdict'>, code?: string, stream = 'orders'): StreamReceipt {
  const counts = { pages: 1, received: 1, records: 1, bytes: 1, slices: 1, retries: 0, tookMs: 1 }
  const said = { mode: null, stop: null, reason: '', keys: null, claimed: noClaims }
  return { stream, ...said, ...counts, ...part, ...(code !== undefined && { error: { code, message: 'no' } }) }
}

const complete = receipt({ ending: 'complete', verdict: 'complete' })
const failed = (code: string) => receipt({ ending: 'failed', verdict: 'incomplete' }, code)
const at = { manifestPath: 'shop.yaml' }
const command = 'npx turnleaf diagnose --manifest-path shop.yaml --stream orders'

for (const [what, receipts, given, expected] of [
  ['an incomplete read', [complete, receipt({ ending: 'complete', verdict: 'incomplete' })], at, command],
  ['records that came twice', [receipt({ ending: 'complete', verdict: 'duplicated' })], at, command],
  ['a read in a loop', [failed('pagination/loop')], at, command],
  ['what proves nothing is no cause', [receipt({ ending: 'complete', verdict: 'unproven' })], at, null],
  ['a login that is refused is no matter of pages', [failed('response/rejected')], at, null],
  ['an interruption is none', [receipt({ ending: 'cancelled', verdict: 'incomplete' })], at, null],
  ['a manifest that cannot be read again', [failed('pagination/loop')], { manifestPath: '-' }, null],
  [
    'names that a shell would take apart',
    [receipt({ ending: 'complete', verdict: 'incomplete' }, undefined, 'my $orders')],
    { manifestPath: 'my shop.yaml', config: 'c.json' },
    `npx turnleaf diagnose --manifest-path 'my shop.yaml' --config c.json --stream 'my $orders'`,
  ],
] as const) {
  test(`where to look: ${what}`, () => {
    assert.equal(diagnoseCommand(receipts, given), expected)
  })
}

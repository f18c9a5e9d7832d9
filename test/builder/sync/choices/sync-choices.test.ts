/** What is chosen for a sync → what is requested, and what this browser keeps of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  chosenModes,
  chosenTo,
  parseChoices,
  type SyncChoices,
  usualChoices,
} from '../../../../src/builder/sync/choices/sync-choices.ts'

const rows: readonly (readonly [name: string, choices: Partial<SyncChoices>, expected: object])[] = [
  ['the embedded database needs no address', {}, {}],
  ['a file has a usual name', { kind: 'duckdb' }, { to: 'duckdb:shop.duckdb' }],
  ['a folder has one, too', { kind: 'parquet', paths: { parquet: ' ' } }, { to: 'parquet:data/shop' }],
  ['a path is taken as typed', { kind: 'jsonl', paths: { jsonl: 'out', duckdb: 'x' } }, { to: 'jsonl:out' }],
  ['a variable becomes a reference', { kind: 'postgres', variable: 'WAREHOUSE' }, { to: '${WAREHOUSE}' }],
  ['a reference stays one', { kind: 'postgres', variable: '${WAREHOUSE}' }, { to: '${WAREHOUSE}' }],
  ['no variable is missing', { kind: 'postgres' }, { missing: 'The name of the environment variable is missing.' }],
  [
    'an address is taken as typed',
    { kind: 'postgres', isTyped: true, address: 'postgres://me@db/x', variable: 'OTHER' },
    { to: 'postgres://me@db/x' },
  ],
  [
    'no address is missing',
    { kind: 'postgres', isTyped: true },
    { missing: 'The address of the database is missing.' },
  ],
]
for (const [name, choices, expected] of rows) {
  test(name, () => assert.deepEqual(chosenTo({ ...usualChoices, ...choices }, 'shop'), expected))
}

test('modes of streams that are gone are not requested', () => {
  const choices = { ...usualChoices, modes: { orders: 'full_refresh_append', gone: 'incremental_dedup' } } as const
  assert.deepEqual(chosenModes(choices, ['orders', 'customers']), { orders: 'full_refresh_append' })
  assert.equal(chosenModes(choices, ['customers']), undefined)
})

test('what the browser kept has no address, and damage means the usual', () => {
  assert.deepEqual(parseChoices('{"kind":"jsonl","address":"postgres://x"}'), { ...usualChoices, kind: 'jsonl' })
  for (const text of [null, 'null', '{', '']) assert.deepEqual(parseChoices(text), usualChoices)
})

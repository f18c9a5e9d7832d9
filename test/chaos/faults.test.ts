/** Whatever the network does to a sync, it ends with exactly the records of the API. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSame } from './compare.ts'
import { faults } from './faults.ts'
import { landDespite, landInPeace } from './faulty-world.ts'
import { faultTable, figuresIn } from './figures.ts'
import { duckdb } from './places/duckdb.ts'
import { placeKinds } from './places/every.ts'
import { jsonl } from './places/jsonl.ts'
import { someOf } from '../helpers/proof.ts'

for (const kind of [jsonl, duckdb]) {
  test(`${kind.name}: a sync with faults writes the same as an uninterrupted one`, { concurrency: 4 }, async (t) => {
    const expected = await landInPeace(kind)
    // A destination does not notice a repeated request: one kind is enough for that.
    // Of those that fail a sync, a second kind has every fourth, and all with `npm run test:proof`.
    const noticed = kind === jsonl ? faults : someOf(faults.filter(({ failsWith }) => failsWith !== null))
    const tests = noticed.map(({ name, ...fault }) =>
      t.test(name, async () => {
        const { syncs, waitsMs, difference } = await landDespite({ name, ...fault }, kind, expected)
        assert.ok(isSame(difference), JSON.stringify(difference, null, 2))
        const codes = new Set(syncs.flat().flatMap(({ error }) => error?.code ?? []))
        assert.deepEqual([...codes], fault.failsWith === null ? [] : [fault.failsWith])
        if (fault.failsWith === null) assert.equal(syncs.length, 1)
        // Several streams wait, and do not come back all at once.
        if (fault.waitMs !== undefined) assert.equal(Math.min(...waitsMs), fault.waitMs)
      }),
    )
    await Promise.all(tests)
  })
}

test('docs/reliability-tests.md has every fault (npm run test:chaos writes them)', () => {
  const survived = faults.map((fault) => ({ fault, lost: 0, doubled: 0 }))
  assert.equal(figuresIn('faults'), faultTable(survived))
})

test('docs/reliability-tests.md has figures of at least 50 kills per destination, and nothing lost', () => {
  const rows = figuresIn('kills').trimEnd().split('\n').slice(2)
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()))
  assert.deepEqual(
    cells.map(([, name]) => name),
    placeKinds.map(({ name }) => name),
  )
  for (const row of cells) {
    assert.ok(Number(row[2]) >= 50)
    assert.deepEqual(row.slice(-3, -1), ['0', '0'])
  }
})

/** Whatever the network does to a sync, what lands in the end is what the API has. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSame } from './compare.ts'
import { faults } from './faults.ts'
import { landDespite, landInPeace } from './faulty-world.ts'
import { duckdb } from './places/duckdb.ts'
import { jsonl } from './places/jsonl.ts'

for (const kind of [jsonl, duckdb]) {
  test(`${kind.name}: what lands despite faults is what lands in peace`, { concurrency: 4 }, async (t) => {
    const expected = await landInPeace(kind)
    // Of a page that is asked for again a destination notices nothing: one kind is enough for that.
    const noticed = faults.filter(({ failsWith }) => kind === jsonl || failsWith !== null)
    const tests = noticed.map(({ name, ...fault }) =>
      t.test(name, async () => {
        const { syncs, difference } = await landDespite({ name, ...fault }, kind, expected)
        assert.ok(isSame(difference), JSON.stringify(difference, null, 2))
        const codes = new Set(syncs.flat().flatMap(({ error }) => error?.code ?? []))
        assert.deepEqual([...codes], fault.failsWith === null ? [] : [fault.failsWith])
        if (fault.failsWith === null) assert.equal(syncs.length, 1)
      }),
    )
    await Promise.all(tests)
  })
}

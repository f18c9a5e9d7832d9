/** Large rows in DuckDB and Parquet files, whose memory is limited. Small numbers of them are a behaviour of all destinations. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLargeRowsMerged, commit, during, page, publish, records, table, write } from '../behaviours.ts'
import { temporarySchema } from './places.ts'

for (const kind of ['duckdb', 'parquet'] as const) {
  test(`${kind}: rows of more text than fits into memory are written, and merged with those of the sync before`, async () => {
    await using place = await temporarySchema(kind)
    await assertLargeRowsMerged(place, 300)
  })

  test(`${kind}: large rows after many small ones are merged, too`, async () => {
    await using place = await temporarySchema(kind)
    const notes = table('notes', 'dedup', { primaryKey: [['id']] })
    const small = Array.from({ length: 2100 }, (_, id) => ({ id, text: 'short' }))
    const large = Array.from({ length: 80 }, (_, index) => ({ id: 3000 + index, text: 'long'.repeat(250_000) }))
    await during(place, (open) => open.commit(commit([write(notes, page([{ id: 1, text: 'first' }])), publish(notes)])))
    await during(place, async (open) => {
      await open.commit(commit([write(notes, page(small))]))
      for (let first = 0; first < large.length; first += 10) {
        await open.commit(commit([write(notes, page(large.slice(first, first + 10)))]))
      }
    })
    // Another process knows nothing of what was written.
    await during(place, (open) => open.commit(commit([publish(notes)])))
    const found = (await records(place, 'notes')) ?? []
    const lengths = found.map(({ text }) => String(text).length)
    assert.equal(lengths.filter((length) => length === 5).length, small.length)
    assert.equal(lengths.filter((length) => length === 1_000_000).length, large.length)
    assert.equal(lengths.length, small.length + large.length)
  })
}

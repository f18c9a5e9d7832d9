/** Two places hold the same tables, whichever run wrote each row. */
import assert from 'node:assert/strict'
import { compareTables, isSame, withoutRuns } from './compare.ts'
import type { Place } from './places/place.ts'
import { streamNames } from './streams.ts'

export async function assertSame(place: Place, reference: Place): Promise<void> {
  const [actual, expected] = [await place.read(streamNames), await reference.read(streamNames)]
  const difference = compareTables(withoutRuns(actual), withoutRuns(expected))
  assert.ok(isSame(difference), JSON.stringify(difference, null, 2))
  assert.equal(expected.size, streamNames.length)
}

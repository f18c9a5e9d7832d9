/** Several writers to one table, each with a claim: no column and no row of any of them is lost. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { leadClaim, type TableMode } from '../../../src/destinations/destination.ts'
import { freshDatabase } from '../../helpers/postgres.ts'
import { commit, page, publish, records, table, write } from '../behaviours.ts'
import { type PostgresPlace, postgresPlace } from './place.ts'

let database: ReturnType<typeof freshDatabase> | undefined
const freshPlace = async () => postgresPlace((await (database ??= freshDatabase())).url)
after(async () => (await database)?.[Symbol.asyncDispose]())

const writers = 4
const commits = 12

/** Each commit brings a column that no other has, and one that widens: whole numbers, fractions, text. */
function recordOf(writer: number, number: number) {
  const wide = [number, number + 0.5, `text ${number}`][Math.floor(number / 4)]
  return { id: writer * commits + number, wide, [`of ${writer} in ${number}`]: 'x' }
}

async function writeAll(place: PostgresPlace, mode: TableMode) {
  const orders = table('orders', mode, { primaryKey: [['id']] })
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const open = await place.destination.open('shop', { name: `part/${writer}` })
      for (let number = 0; number < commits; number++) {
        const written = page([recordOf(writer, number)], { slice: `${writer}`, page: number + 1 })
        await open.commit(commit([write(orders, written)], { [`slice/${writer}`]: String(number) }))
      }
      await open.close()
    }),
  )
  const lead = await place.destination.open('shop', leadClaim)
  assert.deepEqual((await lead.count?.(orders))?.staged, mode === 'append' ? 0 : writers * commits)
  await lead.commit(commit([publish(orders)]))
  await lead.close()
}

for (const mode of ['overwrite', 'append', 'dedup'] as const) {
  test(`${writers} writers add and widen columns of one table at the same time: ${mode}`, async () => {
    await using place = await freshPlace()
    await writeAll(place, mode)
    const expected = Array.from({ length: writers * commits }, (_, id) => {
      const { wide, ...record } = recordOf(Math.floor(id / commits), id % commits)
      return { ...record, wide: String(wide) }
    })
    assert.deepEqual(await records(place, 'orders'), expected)
  })
}

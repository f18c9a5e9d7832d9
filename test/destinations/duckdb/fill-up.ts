/**
 * Program for a disk with little room: commits until that fails, makes room, opens it again and continues.
 * Prints what it met as JSON.
 */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenDestination } from '../../../src/destinations/destination.ts'
import { commit, page, publish, table, write } from '../behaviours.ts'
import { placeAt } from './places.ts'

const [, , kind = '', folder = '', rowsPerCommit = '', spareMegabytes = ''] = process.argv
const place = placeAt(kind, folder)
const spare = join(folder, 'spare')
const orders = table('orders', 'append')

async function commitPages(open: OpenDestination, from: number, count: number): Promise<void> {
  for (let number = from; number < from + count; number++) {
    const rows = Array.from({ length: Number(rowsPerCommit) }, (_, id) => ({ id, text: `${Math.random()}`.repeat(20) }))
    await open.commit(commit([write(orders, page(rows, { page: number }))], { pages: String(number) }))
  }
}

async function failureOf(work: Promise<void>): Promise<unknown> {
  try {
    await work
    return null
  } catch (error) {
    return error
  }
}

async function fillAgain(): Promise<void> {
  const open = await place.destination.open('shop')
  try {
    await commitPages(open, 1_000_000, Infinity)
  } finally {
    await open.close()
  }
}

await writeFile(spare, Buffer.alloc(Number(spareMegabytes) * 1_000_000))
const first = await place.destination.open('shop')
const failure = await failureOf(commitPages(first, 1, Infinity))
await first.close()
// The disk is still full: the next sync has to say so, too.
const failureAgain = await failureOf(fillAgain())
await rm(spare)
const second = await place.destination.open('shop')
const pages = Number((await second.notes('pages')).get('pages'))
await commitPages(second, pages + 1, 1)
await second.commit(commit([publish(orders)]))
await second.close()
const numbers = ((await place.rows('orders')) ?? []).map((row) => row._turnleaf_page)
console.log(
  JSON.stringify({ failure, failureAgain, pages, pagesFound: new Set(numbers).size, rowsFound: numbers.length }),
)

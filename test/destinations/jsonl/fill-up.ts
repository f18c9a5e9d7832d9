/**
 * Program for a disk with little room: commits until that fails, checks what is there, continues, and
 * looks again. Prints what it met as JSON.
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Commit, OpenDestination, Table, TableMode } from '../../../src/destinations/destination.ts'
import { jsonlDestination } from '../../../src/destinations/jsonl/jsonl.ts'

const [, , folder = '', mode = ''] = process.argv
const spare = join(folder, 'spare')
const perPage = 100

const table = (name: string): Table => ({
  name,
  mode: mode as TableMode,
  primaryKey: [],
  cursorField: null,
  schema: null,
})
const orders = table('orders')

function pageCommit(into: Table, number: number): Commit {
  const records = Array.from({ length: perPage }, (_, id) => ({ id, text: 'x'.repeat(300) }))
  const page = { records, extractedAt: 0, run: 'r', slice: '{}', page: number }
  const notes = new Map([[into.name, String(number)]])
  return { steps: [{ kind: 'write', table: into, pages: [page] }], forget: [], notes }
}

try {
  const opened = await jsonlDestination(folder).open('shop')
  await writeFile(spare, Buffer.alloc(100_000))
  const failure = await commitUntilRefused(opened)
  const pages = Number((await opened.notes('orders')).get('orders'))
  await rm(spare)
  const others = table('others')
  await opened.commit(pageCommit(others, 1))
  await opened.commit({
    steps: [
      { kind: 'publish', table: orders },
      { kind: 'publish', table: others },
    ],
    forget: [],
    notes: new Map(),
  })
  await opened.close()
  const rows = { orders: await countRows('orders'), others: await countRows('others') }
  console.log(JSON.stringify({ failure, pages, rows }))
} catch (failure) {
  console.log(JSON.stringify({ failure }))
}

async function commitUntilRefused(opened: OpenDestination): Promise<unknown> {
  try {
    for (let number = 1; ; number++) await opened.commit(pageCommit(orders, number))
  } catch (error) {
    return error
  }
}

async function countRows(name: string): Promise<number> {
  const lines = (await readFile(join(folder, `${name}.jsonl`), 'utf8')).trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as object).length
}

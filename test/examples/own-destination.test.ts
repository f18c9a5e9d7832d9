/** The destination that docs/destinations.md shows: it does what the others do, and survives being killed. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import * as turnleaf from 'turnleaf'
import { jsonFiles } from '../../examples/own-destination/json-files.ts'
import { parseJson } from '../../src/std/json.ts'
import type { JsonRecord } from '../../src/engine/plan/plan.ts'
import { commit, during, page, type Place, table, testBehaviours, write } from '../destinations/behaviours.ts'

type Kept = {
  tables: Record<string, JsonRecord[]>
  staged: Record<string, JsonRecord[]>
  notes: Record<string, string>
}

async function emptyPlace(): Promise<Place & { readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'turnleaf-own-'))
  const kept = async () => parseJson(await readFile(join(folder, 'shop.json'), 'utf8')).value as Kept
  return {
    folder,
    destination: jsonFiles(folder),
    tables: async () => Object.keys((await kept()).tables),
    rows: async (name) => {
      const { tables } = await kept()
      const rows = Object.hasOwn(tables, name) ? (tables[name] as JsonRecord[]) : null
      return rows?.map((row) => ({ ...row, _turnleaf_extracted_at: withoutFraction(row) })) ?? null
    },
    makeForeign: async () => {},
    drop: async () => {},
    dropStaged: async () => {},
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

const withoutFraction = ({ _turnleaf_extracted_at: at }: JsonRecord) => String(at).replace('.000Z', 'Z')

testBehaviours('examples/own-destination', emptyPlace, {
  'a commit that fails leaves nothing, and the next one may succeed': 'no foreign table is in its file',
  'a table that is not ours is refused before anything is written, and stays as it is':
    'no foreign table is in its file',
  'a record that is nested too deeply is refused in the same words everywhere, and the next commit succeeds':
    'it throws the error of JSON.stringify',
  'notes belong to their connection, and inspecting shows those of all': 'it cannot be inspected',
  'text that cannot be kept loses a character, not the row': 'it keeps any text',
  'decimals keep every digit, after doubles and before text': 'they come from the package as it is built: see below',
  'cursors are compared as what they are: decimals to the last digit': 'it compares them as doubles',
  'cursors are compared as what they are: times in text as instants, digits in text as numbers':
    'it compares texts as they are',
  'cursors in text that are the same time, or the same number, are equal: the last one wins':
    'it compares texts as they are',
  'a table that a user deleted is gone, until its stream starts over': 'all tables are in one file',
  'staged rows that a user deleted are gone, until they are discarded': 'all tables are in one file',
  'a table without rows is there, and one that was never published is not gone': 'all tables are in one file',
  'rows are counted: those that readers see, and those that are staged': 'it leaves that to the receipts',
})

test('every digit is written and read back', async () => {
  await using place = await emptyPlace()
  const text = '[1234567890.123456789,12345678901234567890,2.0]'
  const record = { id: 1, numbers: turnleaf.parseJson(text).value }
  const orders = table('orders', 'append')
  for (let sync = 1; sync <= 2; sync++)
    await during(place, (open) => open.commit(commit([write(orders, page([record]))])))
  const kept = await readFile(join(place.folder, 'shop.json'), 'utf8')
  assert.deepEqual(kept.match(/(?<="numbers":)[^\]]*\]/g), [text, text])
})

/** Commits page after page of ten rows, with a note that counts them, until it is killed. */
const program = `
  import { jsonFiles } from ${JSON.stringify(new URL('../../examples/own-destination/json-files.js', import.meta.url))}
  const open = await jsonFiles(process.argv[2]).open('shop')
  const table = { name: 'rows', mode: 'append', primaryKey: [], cursorField: null, schema: null }
  for (let page = Number((await open.notes('count')).get('count') ?? 0) + 1; ; page++) {
    const records = Array.from({ length: 10 }, (_, index) => ({ id: page * 10 + index }))
    const pages = [{ records, extractedAt: 0, run: 'r', slice: '{}', page }]
    const notes = new Map([['count', String(page)]])
    await open.commit({ steps: [{ kind: 'write', table, pages }], forget: [], notes })
    console.log(page)
  }
`

test('killed in the middle of its commits, the rows are those that its note counts', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'turnleaf-own-'))
  context.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'main.mjs'), program)
  for (let round = 1; round <= 8; round++) {
    const child = spawn(process.execPath, ['main.mjs', '.'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    const told = await linesOf(child.stdout, round)
    child.kill('SIGKILL')
    await ended
    const { tables, notes } = parseJson(await readFile(join(folder, 'shop.json'), 'utf8')).value as Kept
    const count = Number(notes.count)
    assert.ok(count >= Number(told.at(-1)), 'what was told is kept')
    assert.deepEqual(
      tables.rows?.map(({ id }) => id),
      Array.from({ length: count * 10 }, (_, index) => index + 10),
    )
  }
})

test('the lock of a process that runs is respected, and gone when it is closed', async () => {
  await using place = await emptyPlace()
  const open = await place.destination.open('shop')
  await assert.rejects(place.destination.open('shop'), { code: 'destinations/busy' })
  await open.close()
  await (await place.destination.open('shop')).close()
  assert.deepEqual(await readdir(place.folder), [])
})

async function linesOf(output: AsyncIterable<unknown>, count: number): Promise<string[]> {
  let heard = ''
  for await (const chunk of output) {
    heard += String(chunk)
    const lines = heard.split('\n').slice(0, -1)
    if (lines.length >= count) return lines
  }
  throw new Error(`It ended after ${heard}`)
}

/** The ledger: what is read back after each way to end. */
import assert from 'node:assert/strict'
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openLedger } from '../../../src/destinations/jsonl/ledger.ts'

const root = await mkdtemp(join(tmpdir(), 'turnleaf-ledger-'))
after(async () => await rm(root, { recursive: true }))
let ledgers = 0
const newPath = () => join(root, `${ledgers++}.jsonl`)

async function notesAt(path: string): Promise<[string, string][]> {
  const ledger = await openLedger(path, 'shop')
  await ledger.close()
  return [...ledger.state.notes]
}

async function withNotes(path: string, ...all: Record<string, string>[]): Promise<void> {
  const ledger = await openLedger(path, 'shop')
  for (const notes of all) await ledger.append({ notes })
  await ledger.close()
}

test('a line that a crash cut short does not count, and the next one takes its place', async () => {
  const path = newPath()
  await withNotes(path, { a: '1' })
  const whole = await readFile(path, 'utf8')
  for (const torn of ['{"notes":{"a":"2"}}', '{"no', '\u0000\u0000\n', '{"notes\n']) {
    await writeFile(path, whole + torn)
    assert.deepEqual(await notesAt(path), [['a', '1']])
    assert.equal(await readFile(path, 'utf8'), whole)
  }
  await withNotes(path, { b: '2' })
  assert.deepEqual(await notesAt(path), [
    ['a', '1'],
    ['b', '2'],
  ])
})

test('a crash before the first line was whole leaves a ledger that was never begun', async () => {
  for (const text of ['', '{"format":"turnl', '\n']) {
    const path = newPath()
    await writeFile(path, text)
    await withNotes(path, { a: '1' })
    assert.deepEqual(await notesAt(path), [['a', '1']])
  }
})

test('a line that is damaged in the middle, or a file of another kind, is reported', async () => {
  const path = newPath()
  await withNotes(path, { a: '1' })
  await appendFile(path, 'damaged\n{"notes":{"b":"2"}}\n')
  const damaged = await readFile(path, 'utf8')
  await assert.rejects(openLedger(path, 'shop'), { code: 'destinations/unreadable', message: /damaged at byte \d+/ })
  assert.equal(await readFile(path, 'utf8'), damaged)
  await writeFile(path, '{"format":"turnleaf-jsonl","version":2}\n')
  await assert.rejects(openLedger(path, 'shop'), { code: 'destinations/unreadable', message: /version/ })
})

test('a ledger that has grown is written anew, and says the same', async () => {
  const path = newPath()
  const text = 'x'.repeat(100_000)
  const ledger = await openLedger(path, 'shop')
  const files = { file: 'orders.jsonl', live: null, staged: { file: 'a', length: 3 }, isAppending: false }
  await ledger.append({ tables: { orders: files }, notes: { first: '1' } })
  for (let number = 0; number < 100; number++) await ledger.append({ notes: { page: `${number}${text}` } })
  await ledger.append({ forget: ['fir'] })
  await ledger.close()
  assert.ok((await stat(path)).size < 3_000_000)
  const again = await openLedger(path, 'shop')
  assert.deepEqual([...again.state.notes.keys()], ['page'])
  assert.ok(again.state.notes.get('page')?.startsWith('99x'))
  assert.deepEqual([...again.state.tables], [['orders', files]])
  await again.close()
})

test('a ledger is written anew once it is large, and four times as long as what it says, or is opened', async () => {
  const path = newPath()
  const text = 'x'.repeat(600_000)
  const size = async () => Math.round((await stat(path)).size / 600_000)
  const ledger = await openLedger(path, 'shop')
  const sizes: number[] = []
  for (const key of ['a', 'b', 'a', 'a', 'a', 'a', 'a', 'a', 'a']) {
    await ledger.append({ notes: { [key]: text } })
    sizes.push(await size())
  }
  assert.deepEqual(sizes, [1, 2, 3, 4, 5, 6, 7, 8, 2])
  await ledger.append({ notes: { a: text } })
  await ledger.close()
  assert.equal(await size(), 3)
  await withNotes(path)
  assert.equal(await size(), 2)
  const small = newPath()
  await withNotes(small, { a: 'x' }, { a: 'y' })
  const { size: before } = await stat(small)
  await withNotes(small)
  assert.equal((await stat(small)).size, before)
})

test('a first line of another kind, or a folder that is not there, is reported', async () => {
  const path = newPath()
  await writeFile(path, '{"format":"turnleaf-jsonl","version":1}\n')
  await assert.rejects(openLedger(path, 'shop'), { code: 'destinations/unreadable' })
  await writeFile(path, '{"format":"other","version":1,"connection":"shop"}\n')
  await assert.rejects(openLedger(path, 'shop'), {
    code: 'destinations/unreadable',
    message: `${path} was not written by this version of Turnleaf.`,
  })
  await assert.rejects(openLedger(join(root, 'none', 'ledger.jsonl'), 'shop'), { code: 'destinations/write-refused' })
})

/** The lines of a file come whole, whatever the chunks it is read in. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { TablePage } from '../../../src/destinations/destination.ts'
import {
  fileSize,
  jsonLines,
  lineSet,
  linesOfSlices,
  readAll,
  readLines,
  refuseChanged,
  refuseEdited,
} from '../../../src/destinations/jsonl/lines.ts'
import { page } from '../behaviours.ts'

const folder = await mkdtemp(join(tmpdir(), 'turnleaf-lines-'))
after(() => rm(folder, { recursive: true }))

async function linesOf(text: string, length = Buffer.byteLength(text), from = 0): Promise<string[]> {
  const path = join(folder, 'some.jsonl')
  await writeFile(path, text)
  const lines: string[] = []
  for await (const some of readLines({ path, length }, from)) lines.push(...some.map(String))
  return lines
}

test('each line with its break; the last may have none, and be a single letter', async () => {
  assert.deepEqual(await linesOf(''), [])
  assert.deepEqual(await linesOf('{}\n[]\n'), ['{}\n', '[]\n'])
  assert.deepEqual(await linesOf('{}\n1'), ['{}\n', '1'])
  assert.deepEqual(await linesOf('\n\n'), ['\n', '\n'])
})

test('only so much of the file counts', async () => {
  assert.deepEqual(await linesOf('{}\n[]\n', 3), ['{}\n'])
  assert.deepEqual(await linesOf('{}\n[]\n', 6, 3), ['[]\n'])
  assert.deepEqual(await linesOf('{}\n', 99), ['{}\n'])
})

test('a line longer than any chunk comes whole', async () => {
  const long = `"${'x'.repeat(5_000_000)}"\n`
  assert.deepEqual(await linesOf(`1\n${long}2\n`), ['1\n', long, '2\n'])
})

test('what comes of a file is never an empty list', async () => {
  const path = join(folder, 'long.jsonl')
  await writeFile(path, `"${'x'.repeat(3_000_000)}"\n1\n`)
  const length = (await fileSize(path)) ?? 0
  const counts: number[] = []
  for await (const lines of readAll([
    { path, length },
    { path, length: 0 },
  ]))
    counts.push(lines.length)
  assert.deepEqual(counts, [2])
})

const textOf = (...pages: TablePage[]) => [...jsonLines(pages)].map(String).join('')
const own = (run: string, slice: string, number: number) =>
  `"_turnleaf_extracted_at":"2024-01-01T00:00:00.000Z","_turnleaf_run":"${run}","_turnleaf_slice":"${slice}","_turnleaf_page":${number}`

test('a record is followed by where it came from; its own fields of such a name get another one', () => {
  const from = own('run-1', '{}', 1)
  assert.equal(textOf(page([{ id: 1 }, {}])), `{"id":1,${from}}\n{${from}}\n`)
  assert.equal(textOf(page([{ _turnleaf_run: 'x', a: 1 }])), `{"_turnleaf_run_2":"x","a":1,${from}}\n`)
  const both = { _turnleaf_run_2: 1, _turnleaf_run: 2, '\u0000': 3 }
  assert.equal(textOf(page([both])), `{"_turnleaf_run_2":1,"_turnleaf_run_3":2,"\\u0000":3,${from}}\n`)
  assert.equal(textOf(page([])), '')
})

test('the lines of a slice are those of its runs, from a page on', async () => {
  const path = join(folder, 'slices.jsonl')
  const of = (run: string, slice: string, number: number) => page([{ id: 1 }], { run, slice, page: number })
  await writeFile(
    path,
    textOf(of('r1', 'a', 1), of('r1', 'a', 2), of('r1', 'b', 2), of('r2', 'a', 3), of('r3', 'a', 3)),
  )
  const part = { path, length: (await fileSize(path)) ?? 0 }
  const found = await linesOfSlices(part, [
    { slice: 'a', runs: ['r1', 'r2'], fromPage: 2 },
    { slice: 'b', runs: ['r1'], fromPage: 3 },
    { slice: 'a', runs: ['r3'], fromPage: 4 },
  ])
  assert.deepEqual(
    [...Array(6).keys()].filter((line) => found.has(line)),
    [1, 3],
  )
  assert.equal(found.size, 2)
})

test('a set of lines grows with them, and counts each once', () => {
  const lines = lineSet()
  const added = [0, 7, 8, 8191, 8192, 100_000, 0, 8192]
  for (const line of added) lines.add(line)
  assert.equal(lines.size, 6)
  for (const line of added) assert.equal(lines.has(line), true)
  for (const line of [1, 6, 9, 8190, 8193, 99_999, 100_001, 5_000_000]) assert.equal(lines.has(line), false, `${line}`)
})

test('a file that something else has changed is refused, with what to do where it grew', async () => {
  const refused = (size: number | null, message: RegExp, hint: RegExp) =>
    assert.throws(() => refuseChanged('rows/a.jsonl', 5, size), { code: 'destinations/unreadable', message, hint })
  refuseChanged('rows/a.jsonl', 5, 5)
  refused(6, /has 6 bytes, and the last sync left 5/, /Move what follows byte 5/)
  refused(4, /has 4 bytes/, /drop the table/)
  refused(null, /rows\/a\.jsonl is gone/, /drop the table/)
  assert.throws(() => refuseChanged('rows/staged/a.jsonl', 5, null), { hint: /--fresh/ })
  assert.equal(await fileSize(join(folder, 'none')), null)
  const broken = async () => JSON.parse('{') as never
  await assert.rejects(refuseEdited('a.jsonl', broken), {
    code: 'destinations/unreadable',
    message: /has a line that no/,
  })
  await assert.rejects(
    refuseEdited('a.jsonl', () => Promise.reject(new TypeError('no'))),
    /^TypeError: no/,
  )
  assert.equal(await refuseEdited('a.jsonl', async () => 5), 5)
})

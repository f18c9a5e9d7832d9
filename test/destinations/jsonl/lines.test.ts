/** The lines of a file come whole, whatever the chunks it is read in. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readLines } from '../../../src/destinations/jsonl/lines.ts'

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

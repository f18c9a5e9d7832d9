/** Which files are whole, and which folders are free. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { holdsAnything, isWholeParquet } from '../../../src/destinations/parquet/publish-files.ts'
import { temporaryFolder } from '../duckdb/places.ts'

test('a file is whole that ends as every Parquet file does', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'orders.parquet')
  const isWhole = async (text: string) => {
    await writeFile(path, text)
    return await isWholeParquet(path)
  }
  assert.equal(await isWhole('PAR1.....PAR1'), true)
  assert.equal(await isWhole('PAR1....PAR1'), false)
  assert.equal(await isWhole('PAR1.....PAR1.'), false)
  assert.equal(await isWhole('PAR1'), false)
  assert.equal(await isWhole(''), false)
  assert.equal(await isWholeParquet(folder.path), false)
})

test('a folder with nothing but drafts, or none, is free; a file in its place is not', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'orders')
  assert.equal(await holdsAnything(path), false)
  await mkdir(path)
  assert.equal(await holdsAnything(path), false)
  await writeFile(join(path, 'notes.txt'), 'x')
  assert.equal(await holdsAnything(path), true)
  assert.equal(await holdsAnything(join(path, 'notes.txt')), true)
})

/** Folders for queries, left by servers that were killed. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { makeQueryFolder } from '../../../src/destinations/duckdb/query-in-process.ts'
import { temporaryFolder } from './places.ts'

/** No system has so many processes. */
const gone = 999_999_999

test('folders of processes that are gone are removed, those of others are not', async () => {
  await using folder = await temporaryFolder()
  const names = [`.turnleaf-query-${gone}-abc`, `.turnleaf-query-${process.pid}-abc`, `turnleaf-query-${gone}-abc`]
  for (const name of names) mkdirSync(join(folder.path, name, 'spilled'), { recursive: true })
  const made = await makeQueryFolder(join(folder.path, 'shop.duckdb'))
  assert.deepEqual(
    (await readdir(folder.path)).toSorted(),
    [...names.slice(1), made.slice(folder.path.length + 1)].toSorted(),
  )
})

test('a folder that another process removes at the same time is no error', async () => {
  await using folder = await temporaryFolder()
  const [large, other] = ['a', 'b'].map((end) => join(folder.path, `.turnleaf-query-${gone}-${end}`)) as [
    string,
    string,
  ]
  for (const path of [large, other]) mkdirSync(path)
  const files = Array.from({ length: 300 }, (_, index) => join(large, String(index)))
  for (const file of files) writeFileSync(file, '')
  const making = makeQueryFolder(join(folder.path, 'shop.duckdb'))
  // Both are listed by now, and the second one is next.
  while (files.every((file) => existsSync(file))) await setImmediate()
  rmSync(other, { recursive: true, force: true })
  assert.ok(existsSync(await making))
  assert.ok(!existsSync(large))
})

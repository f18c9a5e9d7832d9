import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { tempFolder } from '../../cli/shop.ts'

const code = `
  const { parentPort, workerData: { module, path, letter } } = require('node:worker_threads')
  import(module).then(async ({ replaceFile }) => {
    for (let round = 0; round < 100; round++) await replaceFile(path, Buffer.from(letter.repeat(100_000)))
    parentPort.postMessage('done')
  })`

test('two writers with the same process id replace one file, each with its own bytes', async () => {
  await using files = await tempFolder()
  const path = join(files.folder, 'shared.txt')
  const module = new URL('../../../src/std/disk/durable.js', import.meta.url).href
  // Each thread loads the module anew, as each container does.
  const writers = ['a', 'b'].map((letter) => new Worker(code, { eval: true, workerData: { module, path, letter } }))
  await Promise.all(writers.map((writer) => once(writer, 'message')))
  assert.match(await readFile(path, 'utf8'), /^(?:a{100000}|b{100000})$/)
  assert.deepEqual(await readdir(files.folder), ['shared.txt'])
})

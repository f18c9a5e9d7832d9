import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeFolder } from '../../../src/std/disk/make-folder.ts'
import { mayMount } from '../../chaos/may-mount.ts'
import { tempFolder } from '../../cli/shop.ts'

test('makes the folders that are missing, and says which is the first', async () => {
  await using files = await tempFolder()
  const path = join(files.folder, 'a/b/c')
  assert.equal(await makeFolder(path), join(files.folder, 'a'))
  assert.equal(await makeFolder(path), undefined)
  assert.deepEqual(await readdir(join(files.folder, 'a/b')), ['c'])
})

const code = `
  const [module, path] = process.argv.slice(1)
  import(module).then(({ makeFolder }) => makeFolder(path)).catch((error) => console.log(error.code))`

for (const [options, reason] of [
  ['ro', 'EROFS'],
  ['nr_inodes=1', 'ENOSPC'],
] as const) {
  test(`on a disk mounted with ${options} the reason is ${reason}`, { skip: !mayMount }, async () => {
    await using files = await tempFolder()
    const script = `mount -t tmpfs -o ${options} none "$1" && shift && exec "$@"`
    const module = new URL('../../../src/std/disk/make-folder.js', import.meta.url).href
    const making = [process.execPath, '-e', code, module, join(files.folder, 'a/b')]
    const { stdout } = spawnSync('unshare', ['-m', 'sh', '-c', script, 'sh', files.folder, ...making])
    assert.equal(String(stdout).trim(), reason)
  })
}

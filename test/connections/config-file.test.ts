import assert from 'node:assert/strict'
import { chmod, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openConfig } from '../../src/connections/config-file.ts'
import { tempFolder } from '../cli/shop.ts'

test('a changed config is saved, with its permissions, also where a process with the same id left a draft behind', async () => {
  await using files = await tempFolder()
  const path = await files.write('config.json', { refresh_token: 'rt-0' })
  await chmod(path, 0o640)
  for (const draft of [`${process.pid}.tmp`, `${process.pid}-0.draft`])
    await files.write(`.config.json.${draft}`, '{"r')
  const { save } = await openConfig(path)
  for (const token of ['rt-1', 'rt-2']) {
    assert.deepEqual(await save({ refresh_token: token }), [])
    assert.equal(await readFile(join(files.folder, 'config.json'), 'utf8'), `{"refresh_token":"${token}"}`)
  }
  assert.equal((await stat(path)).mode & 0o777, 0o640)
})

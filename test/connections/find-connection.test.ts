import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { connectionNames, findConnection } from '../../src/connections/find-connection.ts'
import { tempFolder } from '../cli/shop.ts'

test('files next to the connections are none, unless they are YAML or JSON', async () => {
  await using files = await tempFolder()
  for (const name of ['shop/connection.yaml', 'plain.yaml', 'other.yml', 'third.json', 'README.md', 'notes']) {
    await files.write(`connections/${name}`, '{"connector": "shop"}')
  }
  assert.deepEqual(await connectionNames(files.folder), ['other.yml', 'plain.yaml', 'shop', 'third.json'])
  await assert.rejects(findConnection('README.md', files.folder), { code: 'connections/not-found' })
  // A path names the file itself.
  assert.equal((await findConnection(join(files.folder, 'connections/notes'), files.folder)).connector, 'shop')
})

import assert from 'node:assert/strict'
import { chmod, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { openCatalog, openState } from '../../src/cli/files.ts'
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

test('a config that could not be saved is saved at the end, once its place is free; the message says what to do', async () => {
  await using files = await tempFolder()
  const path = await files.write('config.json', { refresh_token: 'rt-0' })
  const { save, saveAgain } = await openConfig(path)
  assert.deepEqual(await saveAgain(), [])
  // A folder in the place of the file refuses every user, root too.
  await rename(path, `${path}.away`)
  await mkdir(path)
  for (const said of [await save({ refresh_token: 'rt-1' }), await saveAgain()])
    assert.match(said.join(), /config\.json: .*Make the file writable.*get another one from the API/)
  await rm(path, { recursive: true })
  await rename(`${path}.away`, path)
  assert.match((await saveAgain()).join(), /^The changed config is now in .*config\.json\.$/)
  assert.equal(await readFile(path, 'utf8'), '{"refresh_token":"rt-1"}')
  assert.deepEqual(await saveAgain(), [])
})

test('files of Windows editors, which begin with a mark of their encoding, are read without it', async () => {
  await using files = await tempFolder()
  await files.write('key', '\uFEFFs3cret\r\n')
  const path = await files.write('config.json', '\uFEFF{"key": "file:key"}')
  assert.deepEqual((await openConfig(path)).config, { key: 's3cret' })
  const messages = ['RECORD', 'STATE', 'CATALOG'].map((type) => ({ type }))
  const output = await files.write('output.jsonl', `\uFEFF${messages.map((one) => JSON.stringify(one)).join('\r\n')}`)
  assert.deepEqual(await openState(output), messages)
  const [, , catalog] = messages
  assert.deepEqual(
    await openCatalog(await files.write('catalog.json', `\uFEFF${JSON.stringify(catalog)}\n{}`)),
    catalog,
  )
})

test('two configs of one folder never share the file of a secret', async () => {
  await using files = await tempFolder()
  process.env.TURNLEAF_TEST_TOKEN = 'rt-0'
  try {
    const config = { refresh_token: '${TURNLEAF_TEST_TOKEN}' }
    const paths = [await files.write('eu.json', config), await files.write('us.json', config)]
    for (const path of paths) {
      const { save } = await openConfig(path)
      for (const token of ['rt-1', 'rt-2']) await save({ refresh_token: `${token} of ${basename(path)}` })
    }
    for (const path of paths)
      assert.deepEqual((await openConfig(path)).config, { refresh_token: `rt-2 of ${basename(path)}` })
    assert.deepEqual((await readdir(join(files.folder, 'secrets'))).toSorted(), [
      '.gitignore',
      'refresh_token',
      'refresh_token_',
    ])
  } finally {
    delete process.env.TURNLEAF_TEST_TOKEN
  }
})

test('text that only looks like a reference stays text in a config that is saved', async () => {
  await using files = await tempFolder()
  const path = await files.write('config.json', { prefix: '$${NAME}-', path: '$file:x', token: 't0' })
  const { config, save } = await openConfig(path)
  assert.deepEqual(config, { prefix: '${NAME}-', path: 'file:x', token: 't0' })
  assert.deepEqual(await save({ ...config, token: 'file:${t1}' }), [])
  assert.deepEqual((await openConfig(path)).config, { prefix: '${NAME}-', path: 'file:x', token: 'file:${t1}' })
})

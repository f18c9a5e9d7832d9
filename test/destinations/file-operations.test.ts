import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createInPlace, createWhole, renameIfThere } from '../../src/destinations/file-operations.ts'

const folder = await mkdtemp(join(tmpdir(), 'turnleaf-files-'))
after(() => rm(folder, { recursive: true }))

for (const create of [createWhole, createInPlace]) {
  test(`${create.name}: a file is made once, and leaves nothing else behind`, async () => {
    const path = join(folder, create.name)
    assert.equal(await create(path, 'first'), true)
    assert.equal(await create(path, 'second'), false)
    assert.equal(await readFile(path, 'utf8'), 'first')
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.startsWith(create.name)),
      [create.name],
    )
  })

  test(`${create.name}: what keeps a file from being made is an error`, async () => {
    await assert.rejects(create(join(folder, 'none', 'file'), 'text'), { code: 'ENOENT' })
  })
}

test('what is not there need not be renamed; what cannot be is named', async () => {
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  await renameIfThere(from, to)
  await writeFile(from, 'text')
  await renameIfThere(from, to)
  assert.equal(await readFile(to, 'utf8'), 'text')
  await assert.rejects(renameIfThere(to, folder), {
    code: 'destinations/write-refused',
    message: new RegExp(`^${folder} cannot be written: `),
  })
})

/** Commands and syncs edit the file of a connection: what else is true of it stays. */
import assert from 'node:assert/strict'
import { chmod, lstat, mkdir, readFile, rename, rmdir, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { connectorUsers, renameConnectorIn } from '../../src/connections/connector-users.ts'
import { findConnection } from '../../src/connections/find-connection.ts'
import { connectionConfig } from '../../src/connections/open-connection.ts'
import { loadManifest } from '../../src/connector/load-manifest.ts'
import { pauseSchedule } from '../../src/schedules/edit-schedule.ts'
import { manifestOf, stream, tempFolder } from '../cli/shop.ts'

const spec = {
  type: 'Spec',
  connection_specification: {
    type: 'object',
    properties: { key: { type: 'string', airbyte_secret: true }, until: { type: 'string' } },
  },
}

/** A home with one connection. */
async function shop() {
  const files = await tempFolder()
  const { folder: home } = files
  const manifest = loadManifest(manifestOf([stream('http://127.0.0.1:1', { name: 'orders' })], { spec }))
  const file = await files.write(
    'connections/shop/connection.yaml',
    'connector: shop\nconfig:\n  key: s3cret-key\n  until: "1"\nschedule:\n  every: 1h\n',
  )
  return {
    home,
    file,
    open: async () => {
      const warnings: string[] = []
      const source = await connectionConfig(await findConnection('shop', home), manifest, (text) => warnings.push(text))
      return { ...source, warnings }
    },
    [Symbol.asyncDispose]: () => files[Symbol.asyncDispose](),
  }
}

type Shop = Awaited<ReturnType<typeof shop>>

describe('the file of a connection', () => {
  const edits: readonly (readonly [string, (own: Shop) => Promise<unknown>])[] = [
    ['a schedule that is paused', ({ home }) => pauseSchedule('shop', true, home)],
    [
      'a connector that is renamed',
      async ({ home }) => {
        for (const user of await connectorUsers(home, 'shop')) await renameConnectorIn(user, 'store')
      },
    ],
    [
      'a token that the API replaces',
      async ({ open }) => {
        const { config, save } = await open()
        await save({ ...config, until: '2' })
      },
    ],
  ]
  for (const [what, edit] of edits) {
    test(`${what}: its permissions stay, and a link stays a link`, async () => {
      await using own = await shop()
      const target = join(own.home, 'kept.yaml')
      await rename(own.file, target)
      await symlink('../../kept.yaml', own.file)
      await chmod(target, 0o600)
      const before = await readFile(target, 'utf8')
      await edit(own)
      assert.notEqual(await readFile(target, 'utf8'), before)
      assert.equal((await stat(target)).mode & 0o777, 0o600)
      assert.ok((await lstat(own.file)).isSymbolicLink())
    })
  }

  test('a token that the API replaces: what was written while the sync ran stays', async () => {
    await using own = await shop()
    const { config, save, warnings } = await own.open()
    await save({ ...config, until: '2' })
    await pauseSchedule('shop', true, own.home)
    await save({ ...config, until: '3' })
    assert.equal(
      await readFile(own.file, 'utf8'),
      'connector: shop\nconfig:\n  key: s3cret-key\n  until: "3"\nschedule:\n  every: 1h\n  paused: true\n',
    )
    assert.deepEqual(warnings, [])
  })
})

describe('a token that cannot be stored', () => {
  const replaced = async (own: Shop, meanwhile: (file: string) => Promise<void>) => {
    const { config, save, saveAgain, warnings } = await own.open()
    // The file cannot be read, and so not be edited: a folder has its name.
    const aside = `${own.file}.aside`
    await rename(own.file, aside)
    await mkdir(own.file)
    await save({ ...config, until: '2' })
    assert.equal(warnings.length, 1)
    assert.match(warnings[0] ?? '', /could not be written: .*tried again at the end/)
    await meanwhile(aside)
    await saveAgain()
    return { warnings: warnings.slice(1), saveAgain }
  }

  test('it is stored at the end of the run, where that is possible by then', async () => {
    await using own = await shop()
    const { warnings, saveAgain } = await replaced(own, async (aside) => {
      await rmdir(own.file)
      await rename(aside, own.file)
    })
    assert.match(await readFile(own.file, 'utf8'), /until: "2"/)
    assert.deepEqual(warnings, [`The token that the API replaced is now in the config of ${own.file}.`])
    const before = await stat(own.file)
    await saveAgain()
    assert.equal((await stat(own.file)).mtimeMs, before.mtimeMs)
  })

  test('otherwise the run says what to do', async () => {
    await using own = await shop()
    const { warnings } = await replaced(own, async () => {})
    assert.match(warnings.join('\n'), /is lost, since .* could not be written: .* get a new refresh token/)
  })
})

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, utimesSync } from 'node:fs'
import { describe, test } from 'node:test'
import { openApi } from './asking.ts'

type Api = ReturnType<typeof openApi>
const at = '/v1/connectors/shop'

async function save(api: Api, text: string): Promise<void> {
  const { version } = (await api.ask('GET', at)).body
  assert.equal((await api.ask('PUT', at, { text, basedOn: version })).status, 200)
}

/** The texts of all versions, newest first. */
async function pastTexts(api: Api): Promise<string[]> {
  const { versions } = (await api.ask('GET', `${at}/versions`)).body as { versions: { version: string }[] }
  return Promise.all(versions.map(async ({ version }) => (await api.ask('GET', `${at}/versions/${version}`)).body.text))
}

describe('the history of a connector', () => {
  test('keeps every version saved, newest first, in files named by time and version', async () => {
    using api = openApi()
    await api.ask('POST', '/v1/connectors', { name: 'shop', text: 'one' })
    await save(api, 'two')
    await save(api, 'three ☃')
    assert.deepEqual(await pastTexts(api), ['three ☃', 'two', 'one'])
    const { versions } = (await api.ask('GET', `${at}/versions`)).body
    assert.deepEqual(
      versions.map(({ isCurrent, bytes }: { isCurrent: boolean; bytes: number }) => [isCurrent, bytes]),
      [
        [true, 9],
        [false, 3],
        [false, 3],
      ],
    )
    const files = readdirSync(api.at('shop/.history')).toSorted()
    assert.deepEqual(files.splice(0, 2), ['.gitignore', '.saving'])
    for (const file of files) assert.match(file, /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-[0-9a-f]{16}\.yaml$/)
    assert.equal(readFileSync(api.at('shop/.history', files[0] ?? ''), 'utf8'), 'one')
    assert.equal(readFileSync(api.at('shop/.history/.gitignore'), 'utf8'), '*\n')
  })

  test('keeps what a person wrote, also when it was not opened before it was overwritten', async () => {
    using api = openApi()
    api.put('shop/manifest.yaml', 'written by hand')
    await save(api, 'one')
    api.put('shop/manifest.yaml', 'by hand again')
    await api.ask('GET', at)
    api.put('shop/manifest.yaml', 'one')
    assert.deepEqual(await pastTexts(api), ['one', 'by hand again', 'written by hand'])
  })

  test('a version that comes back is the newest, and there once', async () => {
    using api = openApi()
    await api.ask('POST', '/v1/connectors', { name: 'shop', text: 'one' })
    await save(api, 'two')
    await save(api, 'one')
    assert.deepEqual(await pastTexts(api), ['one', 'two'])
  })

  test('a file with an old date is still the newest version', async () => {
    using api = openApi()
    await api.ask('POST', '/v1/connectors', { name: 'shop', text: 'one' })
    api.put('shop/manifest.yaml', 'unpacked from an archive')
    utimesSync(api.at('shop/manifest.yaml'), new Date('2001-01-01'), new Date('2001-01-01'))
    assert.deepEqual(await pastTexts(api), ['unpacked from an archive', 'one'])
  })

  test('keeps the newest hundred', async () => {
    using api = openApi()
    await api.ask('POST', '/v1/connectors', { name: 'shop', text: 'text 0' })
    for (let index = 1; index <= 104; index++) await save(api, `text ${index}`)
    const texts = await pastTexts(api)
    assert.equal(texts.length, 100)
    assert.equal(texts[0], 'text 104')
    assert.equal(texts.at(-1), 'text 5')
  })

  test('strangers in its folder are left alone, and versions that are not there are not found', async () => {
    using api = openApi()
    await api.ask('POST', '/v1/connectors', { name: 'shop', text: 'one' })
    api.put('shop/.history/notes.txt', 'mine')
    assert.deepEqual(await pastTexts(api), ['one'])
    for (const version of ['0123456789abcdef', '..%2fmanifest', 'a%00']) {
      const { status } = await api.ask('GET', `${at}/versions/${version}`)
      assert.ok([400, 404].includes(status), version)
    }
    assert.equal(readFileSync(api.at('shop/.history/notes.txt'), 'utf8'), 'mine')
  })
})

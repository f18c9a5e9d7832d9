/** The store of test configs as a file: what opens it, what does not, and what several processes do to it. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findKeychain } from '../../../src/server/secrets/keychain.ts'
import { openSecretStore } from '../../../src/server/secrets/secret-store.ts'
import { openTestConfigs, type StoreContent } from '../../../src/server/secrets/test-configs.ts'

const passphrase = 'correct horse'
const secret = 'tl-4f9-never-shown-e27'
const text = JSON.stringify({
  version: '6.0.0',
  type: 'DeclarativeSource',
  spec: { connection_specification: { properties: { pin: { type: 'string', airbyte_secret: true } } } },
})

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'turnleaf-secrets-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const file = () => join(home, '.test-configs/store.json')
// Cheap guesses: these passphrases protect nothing.
const openStore = (keychain = findKeychain('linux', '')) =>
  openSecretStore<StoreContent>({ home, keychain, empty: {}, cost: 10 })
const config = { connector: 'shop', name: 'sandbox', text, origins: ['https://api.shop.example'], basedOn: null }

async function filled() {
  const store = openStore()
  await store.create({ kind: 'passphrase', passphrase })
  const configs = openTestConfigs(store, false)
  const kept = await configs.keep({
    ...config,
    values: { pin: secret, shop: 'north', access: { token: `${secret}2` } },
  })
  return { store, configs, kept }
}

test('a secret goes in, and out again only by its reference, also in another process after unlocking', async () => {
  const { kept } = await filled()
  assert.deepEqual(kept.values, {
    pin: '${stored:shop/sandbox/pin}',
    shop: 'north',
    access: { token: '${stored:shop/sandbox/access/token}' },
  })
  assert.ok(!readFileSync(file(), 'utf8').includes(secret))

  const later = openStore()
  assert.deepEqual(await later.status(), { state: 'locked', key: 'passphrase', hasKeychain: false })
  await assert.rejects(openTestConfigs(later, false).list('shop'), { code: 'secrets/locked' })
  await later.unlock(passphrase)
  assert.deepEqual(await openTestConfigs(later, false).list('shop'), [kept])
  const found = await openTestConfigs(later, false).find({ connector: 'shop', config: 'sandbox', path: ['pin'] })
  assert.deepEqual(found, { value: secret, origins: config.origins })
  later.lock()
  await assert.rejects(later.read(), { code: 'secrets/locked' })
})

test('a wrong passphrase opens nothing, and a short one makes no store', async () => {
  await assert.rejects(openStore().create({ kind: 'passphrase', passphrase: 'seven77' }), {
    code: 'secrets/short-passphrase',
  })
  assert.equal((await openStore().status()).state, 'none')
  await filled()
  const later = openStore()
  await assert.rejects(later.unlock('correct house'), { code: 'secrets/wrong-passphrase' })
  await assert.rejects(later.unlock(undefined), { code: 'secrets/wrong-passphrase' })
  assert.equal((await later.status()).state, 'locked')
  await assert.rejects(later.create({ kind: 'passphrase', passphrase }), { code: 'secrets/store-exists' })
})

test('any changed byte, and any cut, is noticed, and the file is left as it is', async () => {
  const { store, configs } = await filled()
  const whole = readFileSync(file())
  const { sealed, iv } = JSON.parse(whole.toString()) as { sealed: string; iv: string }
  const changedBytes = [...whole.keys()].filter((at) => at % 7 === 0)
  const damages = [
    ...changedBytes.map((at) => {
      const changed = Buffer.from(whole)
      changed[at] = (changed[at] ?? 0) ^ 1
      return changed
    }),
    ...[0, 1, whole.length >> 1, whole.length - 3].map((length) => whole.subarray(0, length)),
    Buffer.from(whole.toString().replace(sealed, '')),
    Buffer.from(whole.toString().replace(iv, Buffer.alloc(12).toString('base64'))),
  ]
  let refused = 0
  for (const damage of damages) {
    writeFileSync(file(), damage)
    const value = await store.read().then(JSON.stringify, (error: { code?: string }) => error.code)
    // A changed blank, or unused bits of base64, change nothing.
    if (value === JSON.stringify(await readWhole(whole))) continue
    refused++
    assert.ok(['secrets/damaged', 'secrets/locked', 'secrets/later-version'].includes(String(value)), String(value))
    writeFileSync(file(), damage)
    await assert.rejects(configs.keep({ ...config, name: 'other', values: {} }))
    await assert.rejects(openStore().create({ kind: 'passphrase', passphrase }), { code: 'secrets/store-exists' })
    assert.deepEqual(readFileSync(file()), damage)
  }
  assert.ok(refused > damages.length / 2, `${refused} of ${damages.length}`)

  writeFileSync(file(), 'not json')
  assert.deepEqual(await store.status(), { state: 'damaged', key: null, hasKeychain: false })
  await store.remove()
  assert.equal((await store.status()).state, 'none')

  async function readWhole(bytes: Buffer) {
    writeFileSync(file(), bytes)
    return store.read()
  }
})

test('only the owner can read the file and its folder', { skip: process.platform === 'win32' }, async () => {
  const { configs, kept } = await filled()
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
  assert.equal(mode(file()), '600')
  assert.equal(mode(join(home, '.test-configs')), '700')
  assert.equal(readFileSync(join(home, '.test-configs/.gitignore'), 'utf8'), '*\n')
  chmodSync(file(), 0o644)
  await configs.keep({ ...config, values: kept.values, basedOn: kept.version })
  assert.equal(mode(file()), '600')
})

test('two processes that write at once lose nothing', async () => {
  const { store, configs } = await filled()
  const program = fileURLToPath(new URL('keep-many.js', import.meta.url))
  const writers = ['one', 'two'].map((prefix) =>
    spawn(process.execPath, [program, home, prefix, '12'], { stdio: 'inherit' }),
  )
  const codes = await Promise.all(writers.map((writer) => once(writer, 'exit')))
  assert.deepEqual(codes, [
    [0, null],
    [0, null],
  ])
  const names = (await configs.list('shop')).map(({ name }) => name)
  const wanted = ['one', 'two'].flatMap((prefix) => Array.from({ length: 12 }, (_, at) => `${prefix}-${at}`))
  assert.deepEqual(names.toSorted(), [...wanted, 'sandbox'].toSorted())
  assert.equal((await store.status()).state, 'unlocked')
})

test('a change that is based on an older version is refused, and a kept secret is kept', async () => {
  const { configs, kept } = await filled()
  const values = { ...kept.values, shop: 'south' }
  const changed = await configs.keep({ ...config, values, basedOn: kept.version })
  assert.equal(changed.values.shop, 'south')
  assert.equal((await configs.find({ connector: 'shop', config: 'sandbox', path: ['pin'] })).value, secret)
  await assert.rejects(configs.keep({ ...config, values, basedOn: kept.version }), { code: 'server/changed-meanwhile' })
  await assert.rejects(configs.remove('shop', 'sandbox', kept.version), { code: 'server/changed-meanwhile' })
  await assert.rejects(configs.keep({ ...config, values, basedOn: null }), { code: 'server/exists' })
  await configs.remove('shop', 'sandbox', changed.version)
  assert.deepEqual(await configs.list('shop'), [])
  await assert.rejects(configs.keep({ ...config, values, basedOn: changed.version }), { code: 'server/not-found' })
  await assert.rejects(configs.keep({ ...config, values, basedOn: null }), { code: 'secrets/not-stored' })
})

test('a copy under another name has the secrets, and a shared server sends them nowhere else', async () => {
  const { store, configs, kept } = await filled()
  await configs.keep({ ...config, name: 'copy', values: kept.values })
  assert.equal(
    (await configs.find({ connector: 'shop', config: 'copy', path: ['access', 'token'] })).value,
    `${secret}2`,
  )

  const shared = openTestConfigs(store, true)
  const elsewhere = { ...config, name: 'stolen', values: kept.values, origins: ['https://evil.example'] }
  await assert.rejects(shared.keep(elsewhere), { code: 'secrets/enter-again' })
  await assert.rejects(shared.keep({ ...elsewhere, values: { pin: '1234' } }), { code: 'secrets/too-short' })
  await shared.keep({ ...elsewhere, values: { pin: secret } })
  await configs.keep({ ...elsewhere, name: 'own machine' })
})

test('a keychain keeps the key, and the process list never shows it', {
  skip: process.platform === 'win32',
}, async () => {
  // Stands in for secret-tool: one file for each account, and a log of its arguments.
  const bin = mkdtempSync(join(home, 'bin-'))
  const program = `#!/bin/sh
echo "$@" >> "${bin}/arguments"
for account; do :; done
case "$1" in
  store) cat > "${bin}/key-$account" ;;
  lookup) cat "${bin}/key-$account" ;;
  clear) rm "${bin}/key-$account" ;;
esac
`
  writeFileSync(join(bin, 'secret-tool'), program, { mode: 0o755 })
  const keychain = findKeychain('linux', bin)
  assert.ok(keychain !== null)
  assert.equal(findKeychain('win32', bin), null)
  assert.equal(findKeychain('linux', home), null)

  const store = openStore(keychain)
  await store.create({ kind: 'keychain' })
  await openTestConfigs(store, false).keep({ ...config, values: { pin: secret } })
  const { key } = JSON.parse(readFileSync(file(), 'utf8')) as { key: { id: string } }
  const kept = readFileSync(join(bin, `key-${key.id}`), 'utf8')
  assert.ok(!readFileSync(join(bin, 'arguments'), 'utf8').includes(kept))

  const later = openStore(keychain)
  assert.deepEqual(await later.status(), { state: 'locked', key: 'keychain', hasKeychain: true })
  await assert.rejects(openStore(null).unlock(undefined), { code: 'secrets/no-keychain' })
  await later.unlock(undefined)
  assert.equal((await openTestConfigs(later, false).list('shop')).length, 1)
  await later.remove()
  await assert.rejects(async () => readFileSync(join(bin, `key-${key.id}`)))
})

/** A process killed while it saves leaves one text or the other, whole, and a history that can be read. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { openApi } from './asking.ts'

const store = new URL('../../../src/server/connectors/connectors.js', import.meta.url).href
const texts = ['a', 'b'].map((letter) => `${letter}\n`.repeat(50_000))

/** Saves one text after the other until it is killed; says so once it is under way. */
const program = (home: string) => `
import { openConnectors } from ${JSON.stringify(store)}
const connectors = openConnectors({ home: ${JSON.stringify(home)} })
const texts = ['a', 'b'].map((letter) => (letter + '\\n').repeat(50_000))
for (let turn = 0; ; turn++) {
  const { version } = await connectors.open('shop')
  await connectors.save('shop', texts[turn % 2], version)
  if (turn === 2) process.stdout.write('saving')
}`

test('a process killed while it saves leaves one text or the other, whole', async () => {
  using api = openApi()
  await api.ask('POST', '/v1/connectors', { name: 'shop', text: texts[0] })
  for (let kill = 0; kill < 8; kill++) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program(api.home)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    assert.ok(texts.includes(readFileSync(api.at('shop/manifest.yaml'), 'utf8')))
    const { status, body } = await api.ask('GET', '/v1/connectors/shop')
    assert.equal(status, 200)
    assert.deepEqual(readdirSync(api.at('shop')).toSorted(), ['.history', 'manifest.yaml'])
    const { versions } = (await api.ask('GET', '/v1/connectors/shop/versions')).body
    assert.equal(versions.length, 2)
    assert.equal(versions[0].version, body.version)
  }
})

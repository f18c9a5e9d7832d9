import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { withoutConnections } from '../../src/engine/response/refuse-connections.ts'
import { manifestOf } from '../helpers/manifests.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { connectorOf, failures, sentences } from './shop.ts'

const authenticator = (work: string) => `
import { Authenticator } from 'turnleaf'
import { lookup } from 'node:dns/promises'
export class Key extends Authenticator {
  async authenticate() {
    ${work}
    return { headers: { 'X-Key': 'k' } }
  }
}
`

describe('a replay has no network', () => {
  test('a class with a client of its own fails the test, and names what it wanted', async () => {
    await using api = await serveApi({ '*': () => ({ json: { data: [{ id: 1 }] } }) })
    const requester = { authenticator: { type: 'CustomAuthenticator', class_name: 'source_shop.components.Key' } }
    for (const [call, target] of [
      [`fetch('${api.url}/else').catch(() => {})`, new URL(api.url).host],
      ["lookup('somewhere.example').catch(() => {})", 'somewhere.example'],
    ] as const) {
      await using shop = await connectorOf(manifestOf({ url: api.url, requester }))
      await mkdir(join(shop.folder, 'source_shop'))
      await writeFile(join(shop.folder, 'source_shop/components.js'), authenticator(''))
      await shop.record()
      assert.deepEqual(failures(await shop.test()), [])
      const asked = api.asked.length
      await using other = await connectorOf(manifestOf({ url: api.url, requester }))
      await mkdir(join(other.folder, 'source_shop'))
      await writeFile(
        join(other.folder, 'source_shop/components.js'),
        authenticator(`if (globalThis.replaying) await ${call}`),
      )
      await other.record()
      assert.deepEqual(api.asked.slice(asked), ['GET /items'])
      Object.assign(globalThis, { replaying: true })
      const results = await other.test()
      Object.assign(globalThis, { replaying: false })
      assert.deepEqual(failures(results), ['network'])
      assert.match(sentences(results), new RegExp(`\\+ ${target}`))
      assert.equal(api.asked.length, asked + 1)
    }
  })

  test('other work of the process still connects', async () => {
    await using api = await serveApi({ '*': () => ({ text: 'here' }) })
    const attempts: string[] = []
    const inside = withoutConnections(
      () =>
        fetch(api.url, { headers: { connection: 'close' } }).then(
          () => 'connected',
          () => 'refused',
        ),
      (target) => attempts.push(target),
    )
    const outside = await fetch(api.url, { headers: { connection: 'close' } })
    assert.equal(await outside.text(), 'here')
    assert.equal(await inside, 'refused')
    assert.deepEqual(attempts, [new URL(api.url).host])
  })
})

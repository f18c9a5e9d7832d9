import assert from 'node:assert/strict'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { startApi } from '../start-api.ts'
import { testServices } from '../services.ts'
import { openApi } from './asking.ts'

type Told = { name: string; version: string | null }

/** The events of a stream, one after the other, past the signs of life. */
function eventsIn(reply: Response) {
  const reader = (reply.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
  let heard = ''
  return {
    async next(): Promise<Told> {
      for (;;) {
        const [block, ...rest] = heard.split('\n\n')
        if (block !== undefined && rest.length > 0) {
          heard = rest.join('\n\n')
          if (block.startsWith('data: ')) return JSON.parse(block.slice(6)) as Told
        } else {
          const { done, value } = await reader.read()
          if (done) throw new Error('The stream has ended.')
          heard += value
        }
      }
    },
    [Symbol.asyncDispose]: () => reader.cancel(),
  }
}

async function listening(api: ReturnType<typeof openApi>) {
  const reply = await api.app.request('/v1/changes')
  assert.equal(reply.status, 200)
  assert.equal(reply.headers.get('content-type'), 'text/event-stream')
  return eventsIn(reply)
}

describe('changes', () => {
  test('what is created, saved and deleted is announced with its version', async () => {
    using api = openApi()
    await using changes = await listening(api)
    const made = (await api.ask('POST', '/v1/connectors', { name: 'shop', text: 'one' })).body
    assert.deepEqual(await changes.next(), { kind: 'connector', name: 'shop', version: made.version })
    const change = { text: 'two', basedOn: made.version }
    const saved = (await api.ask('PUT', '/v1/connectors/shop', change)).body
    assert.equal((await changes.next()).version, saved.version)
    await api.ask('DELETE', '/v1/connectors/shop')
    assert.deepEqual(await changes.next(), { kind: 'connector', name: 'shop', version: null })
  })

  test('changes on disk are announced: a new folder, a write, a write by renaming, a deletion', async () => {
    using api = openApi()
    await using changes = await listening(api)
    const told = async (name: string) => {
      const event = await changes.next()
      assert.equal(event.name, name)
      const opened = await api.ask('GET', `/v1/connectors/${name}`)
      assert.equal(event.version, opened.status === 404 ? null : opened.body.version)
      return opened.body.text as string | undefined
    }
    // There is not even a folder for connectors yet.
    api.put('shop/manifest.yaml', 'one')
    assert.equal(await told('shop'), 'one')
    api.put('shop/manifest.yaml', 'two')
    assert.equal(await told('shop'), 'two')
    api.put('shop/.manifest.yaml.swp', 'three')
    renameSync(api.at('shop/.manifest.yaml.swp'), api.at('shop/manifest.yaml'))
    assert.equal(await told('shop'), 'three')
    rmSync(api.at('shop'), { recursive: true })
    assert.equal(await told('shop'), undefined)
    // The same name once more, then all of it gone and back.
    api.put('shop/manifest.yaml', 'four')
    assert.equal(await told('shop'), 'four')
    rmSync(api.at(), { recursive: true })
    assert.equal(await told('shop'), undefined)
    api.put('other/manifest.yaml', 'five')
    assert.equal(await told('other'), 'five')
  })

  test('a file that is emptied and then filled, or moved away and back, is announced once', async () => {
    using api = openApi()
    api.put('shop/manifest.yaml', 'one')
    await using changes = await listening(api)
    writeFileSync(api.at('shop/manifest.yaml'), '')
    writeFileSync(api.at('shop/manifest.yaml'), 'two')
    renameSync(api.at('shop'), api.at('.away'))
    renameSync(api.at('.away'), api.at('shop'))
    const event = await changes.next()
    assert.equal(event.version, (await api.ask('GET', '/v1/connectors/shop')).body.version)
    api.put('next/manifest.yaml', 'next')
    assert.equal((await changes.next()).name, 'next')
    const { versions } = (await api.ask('GET', '/v1/connectors/shop/versions')).body
    assert.equal(versions.length, 1)
  })

  test('what a person wrote is in the history, although it was not opened', async () => {
    using api = openApi()
    api.put('shop/manifest.yaml', 'one')
    await using changes = await listening(api)
    for (const text of ['two', 'three']) {
      api.put('shop/manifest.yaml', text)
      await changes.next()
    }
    const { versions } = (await api.ask('GET', '/v1/connectors/shop/versions')).body
    assert.equal(versions.length, 2)
  })

  test('other files, other folders and a file written as it was are no changes', async () => {
    using api = openApi()
    api.put('shop/manifest.yaml', 'one')
    await using changes = await listening(api)
    api.put('shop/source_shop/paging.ts', '')
    api.put('nothing/README.md', '')
    mkdirSync(join(api.home, 'connectors/.hidden'))
    const { version } = (await api.ask('GET', '/v1/connectors/shop')).body
    await api.ask('PUT', '/v1/connectors/shop', { text: 'one', basedOn: version })
    api.put('next/manifest.yaml', 'next')
    assert.equal((await changes.next()).name, 'next')
  })

  test('every listener is informed, and more than 64 are refused until one leaves', async () => {
    using api = openApi()
    const all = await Promise.all(Array.from({ length: 64 }, () => listening(api)))
    const refused = await api.ask('GET', '/v1/changes')
    assert.deepEqual([refused.status, refused.body.code], [429, 'server/busy'])
    await api.ask('POST', '/v1/connectors', { name: 'shop', text: 'one' })
    for (const one of all) assert.equal((await one.next()).name, 'shop')
    await all.pop()?.[Symbol.asyncDispose]()
    const again = await listening(api)
    await Promise.all([...all, again].map((one) => one[Symbol.asyncDispose]()))
  })

  test('over a real connection: announced at once, released after a disconnect, closed with the server', async () => {
    using services = testServices()
    const server = await startApi({ baseUrl: 'http://127.0.0.1:1', version: '1', services })
    const left = await Promise.all(
      Array.from({ length: 64 }, async () => {
        const hangUp = new AbortController()
        await fetch(`${server.url}/v1/changes`, { signal: hangUp.signal })
        return hangUp
      }),
    )
    for (const one of left) one.abort()
    let reply = await fetch(`${server.url}/v1/changes`)
    while (reply.status === 429) {
      await reply.text()
      reply = await fetch(`${server.url}/v1/changes`)
    }
    const events = eventsIn(reply)
    const first = events.next()
    await fetch(`${server.url}/v1/connectors`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'shop', text: 'one' }),
    })
    assert.equal((await first).name, 'shop')
    await server.close()
    await assert.rejects(events.next())
  })
})

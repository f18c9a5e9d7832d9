/** Without TLS only where the server has none: a password refused over TLS is not sent again in the open. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { parseAddress } from '../../../src/destinations/postgres/address.ts'
import { connect } from '../../../src/destinations/postgres/session.ts'

/** What a client sent first on each connection to a server that answers the request for TLS so, and then hangs up. */
async function asked(answer: 'S' | 'N', mode: string): Promise<string[]> {
  const first: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (data) => {
      const isTls = data.readInt32BE(4) === 80_877_103
      first.push(isTls ? 'TLS' : 'open')
      socket.end(isTls ? answer : '')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const address = parseAddress(`postgres://me:secret@127.0.0.1:${port}/shop?sslmode=${mode}`)
  await assert.rejects(connect(address, 1), { code: 'destinations/unreachable' })
  server.close()
  await once(server, 'close')
  return first
}

test('a server without TLS is asked again without, unless TLS is required', async () => {
  assert.deepEqual(await asked('N', 'prefer'), ['TLS', 'open'])
  assert.deepEqual(await asked('N', 'require'), ['TLS'])
  assert.deepEqual(await asked('N', 'disable'), ['open'])
})

test('a server with TLS that fails is not asked again without', async () => {
  assert.deepEqual(await asked('S', 'prefer'), ['TLS'])
})

/** Without TLS only where the server has none: a password refused over TLS is not sent again in the open. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { TLSSocket } from 'node:tls'
import { parseAddress } from '../../../src/destinations/postgres/address.ts'
import { connect } from '../../../src/destinations/postgres/session.ts'
import { ConnectorError } from '../../../src/std/errors.ts'
import { tempFolder } from '../../cli/shop.ts'
import { ownCertificate } from '../../helpers/own-certificate.ts'

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

test('a certificate that no known authority has signed is refused with what to do', async () => {
  await using server = await serveCertificate()
  await assert.rejects(connect(server.address('sslmode=verify-full'), 1), (error) => {
    assert.ok(error instanceof ConnectorError)
    assert.match(error.message, /cannot be reached: self-signed certificate/)
    assert.match(error.hint, /sslrootcert=FILE.*sslmode=require/)
    return error.code === 'destinations/unreachable'
  })
})

test('where sslrootcert names another authority, the hint does not ask for what is there', async () => {
  await using server = await serveCertificate()
  await using files = await tempFolder()
  const other = await files.write('other.pem', ownCertificate().cert.toString())
  for (const [mode, says] of [
    ['require', /another authority.* Or remove sslrootcert: sslmode=require alone/],
    ['verify-full', /another authority.* Or use sslmode=require without sslrootcert/],
  ] as const) {
    const address = server.address(`sslmode=${mode}&sslrootcert=${other}`)
    await assert.rejects(connect(address, 1), (error) => {
      assert.ok(error instanceof ConnectorError)
      assert.match(error.hint, says)
      assert.doesNotMatch(error.hint, /add sslrootcert/)
      return error.code === 'destinations/unreachable'
    })
  }
})

test('an unknown mode of PGSSLMODE is said to be one of PGSSLMODE', () => {
  const before = process.env.PGSSLMODE
  process.env.PGSSLMODE = 'no-verify'
  try {
    assert.throws(() => parseAddress('postgres://me@127.0.0.1/shop'), {
      code: 'destinations/unknown',
      message: 'The environment variable PGSSLMODE has an unknown sslmode: no-verify.',
    })
    assert.throws(() => parseAddress('postgres://me@127.0.0.1/shop?sslmode=sure'), {
      message: 'The address of the Postgres database has an unknown sslmode: sure.',
    })
  } finally {
    if (before === undefined) delete process.env.PGSSLMODE
    else process.env.PGSSLMODE = before
  }
})

test('no-verify is a mode where the address asks for the modes of the driver', async () => {
  await using server = await serveCertificate()
  const address = (parameters: string) => server.address(`sslmode=no-verify${parameters}`)
  // The certificate is accepted: what fails is the login that follows, which this server does not answer.
  await assert.rejects(connect(address('&uselibpqcompat=false'), 1), { message: /Connection terminated/ })
  for (const parameters of ['', '&uselibpqcompat=true'])
    assert.throws(() => address(parameters), { message: /unknown sslmode: no-verify/ })
})

/** A server that accepts TLS with a certificate that no authority has signed, and then hangs up. */
async function serveCertificate() {
  const certificate = ownCertificate()
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write('S')
      const secure = new TLSSocket(socket, { isServer: true, ...certificate }).on('error', () => {})
      secure.once('data', () => secure.end())
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: (parameters: string) => parseAddress(`postgres://me:secret@127.0.0.1:${port}/shop?${parameters}`),
    async [Symbol.asyncDispose]() {
      server.close()
      await once(server, 'close')
    },
  }
}

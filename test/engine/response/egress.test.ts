import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Egress, mayReach } from '../../../src/engine/response/egress.ts'
import { openNetwork } from '../../../src/engine/response/send.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { get, hasCode } from './asking.ts'

const rows: [address: string, local: boolean, publicOnly: boolean][] = [
  ['93.184.216.34', true, true],
  ['2606:4700::1111', true, true],
  ['2d00::1', true, true],
  ['127.0.0.1', true, false],
  ['::1', true, false],
  ['::ffff:127.0.0.1', true, false],
  ['10.1.2.3', true, false],
  ['192.168.1.1', true, false],
  ['172.16.0.1', true, false],
  ['100.64.0.1', true, false],
  ['fd12::1', true, false],
  ['169.254.169.254', false, false],
  ['::ffff:169.254.169.254', false, false],
  ['64:ff9b::a9fe:a9fe', false, false],
  ['2002:a9fe:a9fe::1', false, false],
  ['fe80::1', false, false],
  ['fe80::1%eth0', false, false],
  ['fd00:ec2::254', false, false],
  ['100.100.100.200', false, false],
  ['168.63.129.16', false, false],
  ['0.0.0.0', false, false],
  ['0.1.2.3', false, false],
  ['::', false, false],
  ['224.0.0.1', false, false],
  ['ff02::1', false, false],
  ['255.255.255.255', false, false],
  ['64:ff9b::5db8:d822', true, true],
  ['::127.0.0.1', true, false],
  ['::7f00:1', true, false],
  ['::169.254.169.254', false, false],
  ['::808:808', true, false],
  ['::2', false, false],
  ['::ffff:7f00:1', true, false],
  ['::ffff:0:127.0.0.1', true, false],
  ['::ffff:0:a9fe:a9fe', false, false],
  ['64:ff9b::127.0.0.1', true, false],
  ['64:ff9b::10.0.0.1', true, false],
  ['64:ff9b:1::8.8.8.8', false, false],
  ['64:ff9b:1:a9fe:a9:fe00::', false, false],
  ['2002:7f00:1::', true, false],
  ['2002:808:808::1', true, true],
  ['2001:0:4136:e378:8000:63bf:80ff:fffe', true, false],
  ['2001:0:4136:e378:8000:63bf:5601:5601', false, false],
  ['2600::5efe:127.0.0.1', true, false],
  ['2600::200:5efe:169.254.169.254', false, false],
  ['2600::5efe:8.8.8.8', true, true],
  ['::1%lo', true, false],
  ['::ffff:127.0.0.1%1', true, false],
  ['fec0::1', true, false],
  ['fc00::1', true, false],
  ['4000::1', true, false],
  ['5f00::1', true, false],
  ['2001:db8::1', true, false],
  ['100.127.255.255', true, false],
  ['192.0.0.8', true, false],
  ['198.18.0.1', true, false],
  ['240.0.0.1', true, false],
  ['not an address', false, false],
]

for (const [address, local, publicOnly] of rows) {
  test(`egress: ${address}`, () => {
    assert.equal(mayReach(address, 'loopback-allowed'), local)
    assert.equal(mayReach(address, 'public-only'), publicOnly)
    assert.equal(mayReach(address, 'any'), true)
  })
}

/** Asks a server on the loopback by this host, and returns what the server heard. */
async function heardOf(host: string, egress: Egress): Promise<string[]> {
  await using api = await serveApi({ '*': () => ({ json: {} }) })
  const network = openNetwork({ egress })
  const url = api.url.replace('127.0.0.1', host)
  try {
    await assert.rejects(network.send(get(url), AbortSignal.timeout(5000)), hasCode('response/address-refused'))
  } finally {
    await network.close()
  }
  return api.asked
}

test('egress: a literal address is refused before the server hears a thing', async () => {
  assert.deepEqual(await heardOf('127.0.0.1', 'public-only'), [])
})

test('egress: other spellings of the address are refused too', async () => {
  const spellings = ['0x7f.1', '2130706433', '0177.0.0.1', '0x7f000001', '127.1', '127。0。0。1', '0', '0.0.0.0']
  const wrapped = ['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[::7f00:1]']
  const tunnels = ['[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[::ffff:0:7f00:1]']
  for (const host of [...spellings, ...wrapped, ...tunnels]) {
    assert.deepEqual(await heardOf(host, 'public-only'), [])
  }
})

test('egress: a name that resolves to a closed address is refused', async () => {
  for (const host of ['localhost', 'LOCALHOST']) {
    assert.deepEqual(await heardOf(host, 'public-only'), [])
  }
})

test('egress: link-local is closed by default', async () => {
  const network = openNetwork()
  const asking = network.send(get('http://169.254.169.254/latest/meta-data'), AbortSignal.timeout(5000))
  await assert.rejects(asking, hasCode('response/address-refused', /169\.254\.169\.254/))
  await network.close()
})

test('egress: a name works where its address is open', async () => {
  await using api = await serveApi({ 'GET /': () => ({ text: 'here' }) })
  const network = openNetwork()
  const response = await network.send(get(api.url.replace('127.0.0.1', 'localhost')), AbortSignal.timeout(5000))
  assert.equal(response.status, 200)
  await network.close()
})

test('egress: what was refused is named, a name with its address', async () => {
  const network = openNetwork({ egress: 'public-only' })
  const refusal = (url: string, message: RegExp) =>
    assert.rejects(network.send(get(url), AbortSignal.timeout(5000)), hasCode('response/address-refused', message))
  await refusal('http://127.0.0.1:1/', /refuses to connect to 127\.0\.0\.1\.$/)
  await refusal('http://localhost:1/', /refuses to connect to localhost \((127\.0\.0\.1|::1)\)\.$/)
  await network.close()
})

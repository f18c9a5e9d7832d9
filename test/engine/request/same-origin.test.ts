import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sameOrigin } from '../../../src/engine/request/url.ts'

const rows: [name: string, home: string, target: string, expected: boolean][] = [
  ['paths and queries do not matter', 'https://api.shop/v1?x=1', 'https://api.shop/v2', true],
  ['the default port may be written out', 'https://api.shop/', 'https://api.shop:443/', true],
  ['case of the host does not matter', 'https://API.shop/', 'https://api.shop/', true],
  ['http to https of the same host', 'http://api.shop/', 'https://api.shop/', true],
  ['https to http is a step down', 'https://api.shop/', 'http://api.shop/', false],
  ['http to https on another port', 'http://api.shop:8080/', 'https://api.shop:8443/', false],
  ['http to https from a port of its own', 'http://api.shop:8080/', 'https://api.shop/', false],
  ['another port', 'https://api.shop/', 'https://api.shop:8443/', false],
  ['a subdomain', 'https://shop/', 'https://api.shop/', false],
  ['a host that only starts alike', 'https://api.shop/', 'https://api.shop.evil/', false],
  ['a user that looks like the host', 'https://api.shop/', 'https://api.shop@evil/', false],
  ['an upgrade to another host', 'http://api.shop/', 'https://api.other/', false],
  ['an upgrade to another port', 'http://api.shop/', 'https://api.shop:8443/', false],
  ['a home without a path', 'https://api.shop', 'https://api.shop/v2', true],
  ['a home without a path, and a longer host', 'https://api.shop', 'https://api.shop.evil/', false],
  ['another host', 'https://api.shop/', 'https://api.other/', false],
  ['schemes without an origin', 'file:///a', 'file:///a', false],
  ['what is no address', 'https://api.shop/', '/v2', false],
]

for (const [name, home, target, expected] of rows) {
  test(`origin: ${name}`, () => assert.equal(sameOrigin(home, target), expected))
}

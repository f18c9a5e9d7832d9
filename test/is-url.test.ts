import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUrl, originOf } from '../src/std/text/is-url.ts'

test('an address with letters beyond ASCII stays one, however often it is asked about', () => {
  let refused = 0
  for (let times = 0; times < 50_000; times++) if (!isUrl('https://bl\u00e4tter.example/caf\u00e9')) refused++
  assert.equal(refused, 0)
  assert.equal(isUrl('/next?page=2', 'https://shop.example/orders'), true)
  for (const text of ['', 'shop.example', '/next', 'http://']) assert.equal(isUrl(text), false, text)
})

test('the origin of an address, however it is spelt', () => {
  for (const [address, origin] of [
    ['https://api.shop.example/orders?page=2', 'https://api.shop.example'],
    ['https://api.shop.example/orders?page=3', 'https://api.shop.example'],
    ['https://api.shop.example:443/orders', 'https://api.shop.example'],
    ['http://api.shop.example:80/', 'http://api.shop.example'],
    ['http://api.shop.example:8080/a', 'http://api.shop.example:8080'],
    ['http://127.1:99/a', 'http://127.0.0.1:99'],
    ['HTTPS://API.shop.example/a', 'https://api.shop.example'],
    ['https://user:word@api.shop.example/a', 'https://api.shop.example'],
    ['https://api.shop.example\\@other.example/a', 'https://api.shop.example'],
    ['https://api.shop.example?x=/a', 'https://api.shop.example'],
    ['https://[::1]:8443/a', 'https://[::1]:8443'],
    ['no address', 'no address'],
  ] as const) {
    assert.equal(originOf(address), origin, address)
    assert.equal(originOf(address), origin, `${address}, a second time`)
  }
})

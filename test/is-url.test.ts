import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUrl } from '../src/std/text/is-url.ts'

test('an address with letters beyond ASCII stays one, however often it is asked about', () => {
  let refused = 0
  for (let times = 0; times < 50_000; times++) if (!isUrl('https://bl\u00e4tter.example/caf\u00e9')) refused++
  assert.equal(refused, 0)
  assert.equal(isUrl('/next?page=2', 'https://shop.example/orders'), true)
  for (const text of ['', 'shop.example', '/next', 'http://']) assert.equal(isUrl(text), false, text)
})

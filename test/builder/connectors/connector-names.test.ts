import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  freeName,
  isConnectorName,
  nameFromAddress,
  nameFromFile,
  nearestName,
} from '../../../src/builder/connectors/connector-names.ts'

describe('names of connectors', () => {
  test('any text becomes a name that a folder may have', () => {
    const texts = ['Größe & Co.', '../../etc/passwd', '漢字', '', '-x', 'A'.repeat(200), 'con\u0000nul', ' My API 2 ']
    for (const text of texts) assert.ok(isConnectorName(nearestName(text)), text)
    assert.equal(nearestName('Größe & Co.'), 'gro-e-co')
    assert.equal(nearestName(' My API 2 '), 'my-api-2')
  })

  test('the name comes from the file, or from its folder if the file has the usual name', () => {
    assert.equal(nameFromFile('stripe.yaml'), 'stripe')
    assert.equal(nameFromFile('source-stripe/manifest.yaml'), 'stripe')
    assert.equal(nameFromFile('manifest (2).yaml'), 'connector')
  })

  test('the name comes from the host of an address', () => {
    for (const [address, name] of [
      ['https://api.github.com/repos', 'github'],
      ['https://shop.co.uk', 'shop'],
      ['https://api.eu.shop.example', 'shop'],
      ['http://127.0.0.1:8082', 'local'],
      ['http://[::1]:80', 'local'],
      ['localhost:3000', 'localhost'],
    ] as const) {
      assert.equal(nameFromAddress(address), name)
    }
  })

  test('a taken name gets a number, and stays short enough', () => {
    assert.equal(freeName('shop', ['shop', 'shop-2']), 'shop-3')
    const long = 'a'.repeat(63)
    assert.ok(isConnectorName(freeName(long, [long])))
  })
})

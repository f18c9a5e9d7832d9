import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { ConnectorError } from '../../src/std/errors.ts'
import { fileText } from '../../src/recordings/file-text.ts'
import { recordingIn, recordingPath } from '../../src/recordings/recording-file.ts'
import { parseJson } from '../../src/std/json.ts'
import { manifestOf } from '../helpers/manifests.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { connectorOf } from './shop.ts'

function errorOf(work: () => unknown): ConnectorError {
  try {
    work()
  } catch (error) {
    assert.ok(error instanceof ConnectorError)
    return error
  }
  throw new assert.AssertionError({ message: 'nothing was thrown' })
}

describe('a recording on disk', () => {
  test('garbage is refused with its place', async () => {
    await using api = await serveApi({ 'GET /items': () => ({ json: { data: [{ id: 1 }] } }) })
    await using shop = await connectorOf(manifestOf({ url: api.url }))
    await shop.record()
    const text = (await shop.written()).get('items.json') ?? ''
    const rows: [string, RegExp, string | undefined][] = [
      [text.slice(0, 200), /is not JSON/, ''],
      [text.replace('"format": 1', '"format": "1"'), /\/format must be a number, and is `"1"`/, '/format'],
      [text.replace('"exchanges": [', '"exchange": ['), /\/exchanges must be a list, and is missing/, '/exchanges'],
      [
        text.replace('"status": 200', '"status": null'),
        /must be a number, and is null/,
        '/exchanges/0/response/status',
      ],
      [
        text.replace('"body": {', '"body": 3, "other": {'),
        /must have one of json, lines/,
        '/exchanges/0/response/body',
      ],
      [text.replace(/"recordedAt": "[^"]*"/, '"recordedAt": "yesterday"'), /\/recordedAt is not a time/, '/recordedAt'],
      ['[]', /the file must be an object, and is a list/, ''],
    ]
    for (const [broken, words, pointer] of rows) {
      assert.notEqual(broken, text)
      const error = errorOf(() => recordingIn(broken, 'shop/recordings/items.json'))
      assert.equal(error.code, 'recordings/invalid')
      assert.match(error.message, words)
      assert.equal(error.at?.pointer, pointer)
      assert.equal(error.at?.file, 'shop/recordings/items.json')
    }
    const newer = errorOf(() => recordingIn(text.replace('"format": 1', '"format": 7'), 'items.json'))
    assert.equal(newer.code, 'recordings/other-version')
    await writeFile(join(shop.folder, 'recordings/items.json'), '{')
    await assert.rejects(shop.test(), { code: 'recordings/invalid' })
  })

  test('is the same file again where nothing changed but the time', async () => {
    await using api = await serveApi({ 'GET /items': () => ({ json: { data: [{ id: 1, b: 2, a: 1 }] } }) })
    await using shop = await connectorOf(manifestOf({ url: api.url }))
    await shop.record()
    const path = join(shop.folder, 'recordings/items.json')
    const first = await readFile(path, 'utf8')
    await shop.record()
    const second = await readFile(path, 'utf8')
    const withoutTime = (text: string) => text.replace(/"recordedAt": .*/, '')
    assert.equal(withoutTime(second), withoutTime(first))
  })

  test('a name of a stream leads to one file in the folder', () => {
    assert.equal(recordingPath('shop', 'orders'), join('shop', 'recordings', 'orders.json'))
    assert.equal(recordingPath('shop', '../a b/ü'), join('shop', 'recordings', '%2E.%2Fa%20b%2F%C3%BC.json'))
  })

  test('text of a file keeps every digit and every character', () => {
    const text =
      '{"a":12345678901234567890,"b":2.0,"c":["{ \\"x\\": [1,2] }",{}],"d":{"e":[]},"f":{"g":{"css":["a {  }"]}}}'
    const { value } = parseJson(text)
    assert.deepEqual(parseJson(fileText(value)).value, value)
    assert.match(fileText({ a: { b: { c: [1, { d: 2 }] } } }), /\n {4}"b": \{ "c": \[1, \{ "d": 2 \}\] \}\n/)
  })
})

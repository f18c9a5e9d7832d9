import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byteOrderMark, readText } from '../../../../src/engine/response/formats/text.ts'

test('text: a byte order mark is whole, or none', () => {
  assert.equal(byteOrderMark(Buffer.from([0xff, 0xfe, 0x41])), 'utf-16le')
  assert.equal(byteOrderMark(Buffer.from([0xfe, 0xff, 0x41])), 'utf-16be')
  assert.equal(byteOrderMark(Buffer.from([0xef, 0xbb, 0xbf])), 'utf-8')
  for (const other of [[0xff, 0x41], [0x41, 0xfe], [0x41, 0xff], [0xfe, 0x41], [0xef, 0xbb, 0x41], [0xef], []]) {
    assert.equal(byteOrderMark(Buffer.from(other)), undefined, other.join(' '))
  }
})

test('text: characters that a piece ends in the middle of come with the next one', () => {
  const bytes = Buffer.from('é€😀 – ü')
  for (const encoding of ['utf-8', 'utf-16le']) {
    const written = encoding === 'utf-8' ? bytes : Buffer.from(bytes.toString(), 'utf16le')
    for (let length = 1; length <= 5; length++) {
      const reader = readText(encoding)
      let text = ''
      for (let at = 0; at < written.length; at += length) text += reader.read(written.subarray(at, at + length))
      assert.equal(text + reader.end(), bytes.toString(), `${encoding} in pieces of ${length}`)
    }
  }
})

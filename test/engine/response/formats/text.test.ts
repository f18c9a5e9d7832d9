import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byteOrderMark, readText, utf8Text } from '../../../../src/engine/response/formats/text.ts'

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

test('text: of its bytes the first three are waited for, and no more', () => {
  const reader = readText('utf-8')
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((letter) => reader.read(Buffer.from(letter))),
    ['', '', 'abc', 'd'],
  )
  const short = readText('utf-8')
  assert.deepEqual([short.read(Buffer.from('ab')), short.end()], ['', 'ab'])
  assert.equal(readText('utf-8').end(), '')
})

test('text: bytes that are none are an error, at their place or at the end', () => {
  const read = (encoding: string, ...bytes: number[]) => {
    const reader = readText(encoding)
    return reader.read(Uint8Array.from(bytes)) + reader.end()
  }
  assert.throws(() => read('utf-8', 97, 98, 0xff), TypeError)
  assert.throws(() => read('utf-8', 97, 98, 0xc3), TypeError)
  assert.throws(() => read('utf-16le', 97, 0, 98), TypeError)
  assert.equal(read('iso-8859-1', 97, 0x80, 0xe9), 'a\u0080é')
  assert.equal(read('windows-1252', 97, 0x80, 0xe9), 'a€é')
})

test('text: UTF-8 is read to the byte, within a larger buffer too', () => {
  const bytes = Buffer.from('xabcé✓')
  assert.equal(utf8Text(bytes.subarray(1, 4)), 'abc')
  assert.equal(utf8Text(bytes.subarray(1)), 'abcé✓')
  assert.throws(() => utf8Text(Uint8Array.of(97, 0xe9)), TypeError)
})

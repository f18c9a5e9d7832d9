import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { FormatError } from '../../../../src/engine/response/formats/item-parser.ts'
import {
  type Chunks,
  collected,
  gunzipIfPacked,
  inflated,
  isZlibWrapped,
  unbrotlied,
  withStart,
} from '../../../../src/engine/response/formats/unpack.ts'
import { bytesOf, piecesOf } from './decoding.ts'

const textOf = async (chunks: Chunks) => Buffer.from(await collected(chunks, 1_000_000)).toString()

test('unpack: the start of a body is known before it is read, and is there again', async () => {
  for (const [length, known] of [
    [0, ''],
    [1, 'ab'],
    [2, 'ab'],
    [3, 'abcd'],
    [5, 'abcde'],
    [9, 'abcde'],
  ] as const) {
    const { start, all } = await withStart(piecesOf(bytesOf('abcde'), 2), length)
    assert.equal(Buffer.from(start).toString(), known)
    assert.equal(await textOf(all), 'abcde')
  }
  const { start, all } = await withStart(piecesOf(new Uint8Array(), 1), 1)
  assert.equal(start.length, 0)
  assert.equal(await textOf(all), '')
})

test('unpack: a reader that stops ends the source, before and after the start', async () => {
  for (const reads of [0, 1]) {
    let isEnded = false
    const source = async function* () {
      try {
        for (;;) yield bytesOf('a')
      } finally {
        isEnded = true
      }
    }
    const { all } = await withStart(source(), 1)
    const iterator = all[Symbol.asyncIterator]()
    for (let read = 0; read < reads; read++) await iterator.next()
    assert.deepEqual(await iterator.return?.(), { done: true, value: undefined })
    assert.equal(isEnded, true)
  }
})

test('unpack: what is wrapped in zlib is told by the low half of its first byte', () => {
  assert.deepEqual(
    [0x78, 0x08, 0xf8, 0x79, 0x07, 0x87, 0x00].map((byte) => isZlibWrapped(Uint8Array.of(byte))),
    [true, true, true, false, false, false, false],
  )
  assert.equal(isZlibWrapped(new Uint8Array()), false)
})

test('unpack: each packing is undone byte by byte, and nothing stays nothing', async () => {
  const words = bytesOf('many words '.repeat(50))
  const packings: [unpack: (chunks: Chunks) => Chunks, packed: Uint8Array][] = [
    [gunzipIfPacked, gzipSync(words)],
    [gunzipIfPacked, words],
    [inflated, deflateSync(words)],
    [inflated, deflateRawSync(words)],
    [unbrotlied, brotliCompressSync(words)],
  ]
  for (const [unpack, packed] of packings) {
    for (const length of [1, 1000])
      assert.equal(await textOf(unpack(piecesOf(packed, length))), Buffer.from(words).toString())
    assert.equal(await textOf(unpack(piecesOf(new Uint8Array(), 1))), '')
  }
})

test('unpack: as many bytes as the limit are held, and not one more', async () => {
  assert.equal((await collected(piecesOf(new Uint8Array(10), 3), 10)).length, 10)
  await assert.rejects(collected(piecesOf(new Uint8Array(11), 3), 10), (error) => {
    assert.ok(error instanceof FormatError && error.isTooLarge)
    return error.message === 'it is larger than the limit of 10 bytes'
  })
})

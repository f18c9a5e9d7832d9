import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { gatherChunks } from '../../../src/engine/response/gather.ts'

const mebibyte = 1024 * 1024

/** Bytes in pieces of uneven length. */
function pieces(bytes: Buffer): Buffer[] {
  const cut: Buffer[] = []
  for (let start = 0, size = 7; start < bytes.length; start += size, size = (size * 5) % 200_003) {
    cut.push(bytes.subarray(start, start + size))
  }
  return cut
}

for (const size of [0, 1, 100_000, 4 * mebibyte - 1, 4 * mebibyte, 9 * mebibyte + 3]) {
  for (const named of ['no length', 'the right length', 'too small a length', 'too large a length'] as const) {
    test(`${size} bytes come back as they were, with ${named} in the headers`, () => {
      const expected = {
        'no length': null,
        'the right length': size,
        'too small a length': 10,
        'too large a length': size * 3,
      }
      const bytes = randomBytes(size)
      const gathered = gatherChunks(expected[named])
      for (const piece of pieces(bytes)) gathered.add(piece)
      assert.equal(gathered.length(), size)
      assert.ok(bytes.equals(gathered.whole()))
    })
  }
}

test('a single chunk is not copied', () => {
  const chunk = Buffer.from('{"data":[]}')
  const gathered = gatherChunks(chunk.length)
  gathered.add(chunk)
  assert.equal(gathered.whole(), chunk)
})

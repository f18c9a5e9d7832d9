/** Hashes distinguish values by type, length, order and every bit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Float } from '../../../src/std/json.ts'
import { Hash } from '../../../src/std/hashing/hash.ts'

const hashOf = (...values: unknown[]) => {
  const hash = new Hash().start()
  for (const value of values) hash.add(value)
  const { low, high } = hash.end()
  return `${low} ${high}`
}

test('equal values have equal hashes, whatever was hashed before', () => {
  const hash = new Hash()
  hash.start().add('something else').end()
  const { low, high } = hash.start().add('a').add(1.5).end()
  assert.equal(`${low} ${high}`, hashOf('a', 1.5))
})

test('values of different kinds, lengths and orders have different ones', () => {
  const different: unknown[][] = [
    [],
    [''],
    ['', ''],
    ['1', '2'],
    ['12', ''],
    ['', '12'],
    ['1\n2', ''],
    ['2', '1'],
    [1, 2],
    [2, 1],
    [1],
    ['1'],
    [1.5],
    [0],
    [2 ** 32],
    [2 ** 53],
    [-1],
    [true],
    ['true', 'x'],
    [9007199254740993n],
    [9007199254740992n],
    [new Float(2)],
    [{ c: 1 }],
    [[1]],
    ['\u0000'],
    ['\u0000\u0000'],
    ['a'.repeat(1000)],
    ['a'.repeat(1001)],
  ]
  assert.equal(new Set(different.map((values) => hashOf(...values))).size, different.length)
})

test('a seed makes others of them', () => {
  const seeded = [0, 1, 2, 3, 1000].map((seed) => new Hash().start(seed).add('a').end())
  assert.equal(new Set(seeded.map(({ low }) => low)).size, 5)
  assert.equal(new Set(seeded.map(({ high }) => high)).size, 5)
})

test('each half spreads: of 65,536 neighbours about as many share 16 bits as chance lets', () => {
  const spellings: ((id: number) => string | number)[] = [
    (id) => id,
    (id) => id * 1024,
    (id) => id / 1024,
    (id) => `item-${id}`,
    (id) => `${String(id).padStart(8, '0')}-0000-4000-8000-000000000000`,
  ]
  for (const spell of spellings) {
    for (const half of ['low', 'high'] as const) {
      for (const shift of [0, 16]) {
        const seen = new Uint8Array(65_536)
        const hash = new Hash()
        for (let id = 0; id < 65_536; id++) seen[(hash.start().add(spell(id)).end()[half] >>> shift) & 0xffff] = 1
        const share = seen.reduce((sum, bit) => sum + bit, 0) / 65_536
        // 1 - 1/e of all places; a permutation takes every one.
        assert.ok(share > 0.62, `${spell(7)}, ${half} >>> ${shift}: ${share}`)
      }
    }
  }
})

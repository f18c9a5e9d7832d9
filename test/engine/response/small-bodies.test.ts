import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HttpResponse } from '../../../src/engine/response/http-response.ts'
import { withSmallBodies } from '../../../src/engine/response/small-bodies.ts'
import { answered, get, never } from './asking.ts'

/** What comes of a streamed body in these pieces; one that is an error fails there. */
async function held(...pieces: (number | Error)[]) {
  let discarded = 0
  const chunks = (async function* () {
    for (const piece of pieces) {
      if (piece instanceof Error) throw piece
      yield new Uint8Array(piece).fill(piece % 251)
    }
  })()
  const streamed = { ...answered(200), stream: { chunks, discard: () => void discarded++ } }
  const response = await withSmallBodies(async () => streamed)(get('https://api.shop/'), never)
  return { response, discarded: () => discarded }
}

async function lengthsIn({ stream }: HttpResponse, most = Number.POSITIVE_INFINITY): Promise<number[]> {
  const lengths: number[] = []
  for await (const chunk of stream?.chunks ?? []) {
    lengths.push(chunk.length)
    if (lengths.length >= most) break
  }
  return lengths
}

const kibibyte = 1024

test('a streamed body of sixteen KiB is held whole, one of a byte more still comes as a stream', async () => {
  const small = await held(10 * kibibyte, 6 * kibibyte)
  assert.equal(small.response.stream, undefined)
  assert.equal(small.response.body.length, 16 * kibibyte)
  const empty = await held()
  assert.deepEqual([empty.response.stream, empty.response.body.length], [undefined, 0])
  const large = await held(10 * kibibyte, 6 * kibibyte + 1, 7)
  assert.equal(large.response.body.length, 0)
  assert.deepEqual(await lengthsIn(large.response), [10 * kibibyte, 6 * kibibyte + 1, 7])
  assert.equal(large.discarded(), 0)
})

test('a body that came whole is left as it is', async () => {
  const response = answered(200, 'whole')
  assert.equal(await withSmallBodies(async () => response)(get('https://api.shop/'), never), response)
})

test('a reader that stops within what is held, or after it, ends the exchange', async () => {
  for (const most of [1, 3]) {
    const { response, discarded } = await held(10 * kibibyte, 10 * kibibyte, 5, 5)
    await lengthsIn(response, most)
    assert.equal(discarded(), 1)
  }
})

test('a failure comes after the bytes that came before it', async () => {
  const { response, discarded } = await held(3, new Error('cut off'))
  const seen: number[] = []
  const reading = async () => {
    for await (const chunk of response.stream?.chunks ?? []) seen.push(chunk.length)
  }
  await assert.rejects(reading(), /cut off/)
  assert.deepEqual(seen, [3])
  assert.equal(discarded(), 1)
})

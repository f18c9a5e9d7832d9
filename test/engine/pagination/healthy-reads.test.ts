/** Reads drawn by a seed, tens of thousands of pages each, that bring something new again and again: none is stopped. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLoopGuard, type GuardedPage } from '../../../src/engine/pagination/loop-guard.ts'
import { openLoopMemory } from '../../../src/engine/pagination/page-memory.ts'
import type { JsonRecord } from '../../../src/engine/plan/plan.ts'
import { randomFrom } from '../../helpers/random.ts'

const pages = 20_000
const seeds = [1, 2, 3]

type Draw = { readonly upTo: (most: number) => number; readonly oneIn: (chances: number) => boolean }
type DrawPage = (index: number, draw: Draw) => { readonly url: string; readonly received: JsonRecord[] }

const fresh = (index: number, size: number) => Array.from({ length: size }, (_, row) => ({ id: `${index}-${row}` }))
const byPage = (index: number) => `/items?page=${index}`
const constant = [{ id: 'a' }, { id: 'b' }]

const healthyReads: Record<string, DrawPage> = {
  'pages of any size': (index, draw) => ({ url: byPage(index), received: fresh(index, 1 + draw.upTo(50)) }),
  'a scroll with one token': (index, draw) => ({ url: '/scroll', received: fresh(index, 1 + draw.upTo(5)) }),
  'a scroll that waits, up to ninety empty responses in a row': (index) => ({
    url: '/scroll',
    received: index % 90 === 0 ? fresh(index, 3) : [],
  }),
  'a scroll with two tokens in turn': (index) => ({ url: `/scroll?t=${index % 2}`, received: fresh(index, 3) }),
  'nearly a thousand empty pages in a row under new tokens': (index) => ({
    url: byPage(index),
    received: index % 1000 === 0 ? fresh(index, 3) : [],
  }),
  'a page seen before, now and then, twice in a row at most': (index, draw) => ({
    url: byPage(index),
    received: index % 3 !== 0 && draw.oneIn(2) ? constant : fresh(index, 2),
  }),
  'a page requested twice, now and then': (index) => ({
    url: byPage(index - (index % 2)),
    received: fresh(index - (index % 2), 3),
  }),
  'rows of pages before it, and one that is new': (index, draw) => ({
    url: byPage(index),
    received: [...fresh(draw.upTo(index + 1), 3), { id: `new ${index}` }],
  }),
  'pages whose first and last rows are constant': (index) => ({
    url: byPage(index),
    received: [{ id: 'first' }, { id: index }, { id: 'last' }],
  }),
  'one new row a page': (index) => ({ url: byPage(index), received: [{ id: index }] }),
  'long integers that differ in their last digit': (index) => ({
    url: byPage(index),
    received: [{ id: 9_007_199_254_740_993n + BigInt(index) }, { id: 'x' }],
  }),
  'numbers that are close to each other': (index) => ({
    url: byPage(index),
    received: [{ id: index / 1024 }, { id: -index }],
  }),
}

for (const [name, drawPage] of Object.entries(healthyReads)) {
  for (const primaryKey of [[], [['id']]]) {
    test(`left alone: ${name}${primaryKey.length === 0 ? '' : ', by their key'}`, () => {
      for (const seed of seeds) {
        const random = randomFrom(seed)
        const draw: Draw = {
          upTo: (most) => Math.floor(random() * most),
          oneIn: (chances) => random() * chances < 1,
        }
        // As little as this makes every way through the memory be taken, several times.
        const memory = openLoopMemory({ recentPages: 256, anchorPages: 32 })
        const guard = createLoopGuard({ streamName: 'items', primaryKey, at: { pointer: '' }, memory })
        for (let index = 0; index < pages; index++) {
          const { url, received } = drawPage(index, draw)
          assert.doesNotThrow(() => guard(asked(url, received)), `seed ${seed}, page ${index + 1}`)
        }
      }
    })
  }
}

/** Rows that nothing identifies: their values may come again for as long as this. */
const patient: Record<string, DrawPage> = {
  'constant records': (index) => ({ url: byPage(index), received: [{ on: true }] }),
  'pages of equal rows': (index, draw) => ({ url: byPage(index), received: alike(1 + draw.upTo(40), draw.upTo(2)) }),
  'rows of two kinds, two on a page': (index, draw) => ({
    url: byPage(index),
    received: [...alike(1, draw.upTo(2)), ...alike(1, index === 0 ? 0 : draw.upTo(2))],
  }),
  'a scroll of equal rows': (_, draw) => ({ url: '/scroll', received: alike(3, draw.upTo(5)) }),
}
const alike = (size: number, value: number) => Array.from({ length: size }, () => ({ value }))

for (const [name, drawPage] of Object.entries(patient)) {
  test(`left alone for a thousand pages: ${name}`, () => {
    for (const seed of seeds) {
      const random = randomFrom(seed)
      const draw: Draw = { upTo: (most) => Math.floor(random() * most), oneIn: (chances) => random() * chances < 1 }
      const guard = createLoopGuard({ streamName: 'items', primaryKey: [], at: { pointer: '' } })
      for (let index = 0; index < 1000; index++) {
        const { url, received } = drawPage(index, draw)
        guard(asked(url, received))
      }
    }
  })
}

function asked(url: string, received: JsonRecord[]): GuardedPage {
  return { request: { method: 'GET', url, headers: {}, body: null }, received }
}

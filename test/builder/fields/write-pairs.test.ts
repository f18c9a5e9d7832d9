/** Pairs are changed one by one: comments and quotes of the others stay. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writePairs } from '../../../src/builder/fields/write-pairs.ts'

const text = `query:
  # sorted, so that pages do not overlap
  sort: "id"
  limit: 10 # the most
  state: open
`
const before = { sort: 'id', limit: 10, state: 'open' }
const same = (key: keyof typeof before) => ({ was: key, key, value: before[key] })
const write = (...wished: Parameters<typeof writePairs>[3]) => writePairs(text, ['query'], before, wished)

test('a new pair goes to the end', () => {
  const changed = write(same('sort'), same('limit'), same('state'), { was: null, key: 'q', value: '{{ config.q }}' })
  assert.equal(changed, `${text}  q: "{{ config.q }}"\n`)
})

test('a pair is renamed in its place', () => {
  const changed = write(same('sort'), { was: 'limit', key: 'per_page', value: 10 }, same('state'))
  assert.equal(changed, text.replace('limit', 'per_page'))
})

test('a pair is removed without its neighbours', () => {
  assert.equal(write(same('sort'), same('limit')), text.replace('  state: open\n', ''))
})

test('another order is written, with every value', () => {
  const changed = write(same('state'), same('sort'), same('limit'))
  assert.match(changed, /state: open\n[^]*sort: "?id"?\n[^]*limit: 10/)
})

test('no change is none', () => {
  assert.equal(write(same('sort'), same('limit'), same('state')), text)
})

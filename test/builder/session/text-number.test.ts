import assert from 'node:assert/strict'
import { it } from 'node:test'
import { numberOfText } from '../../../src/builder/session/text-number.ts'

it('gives the same text the same number, however it was put together', () => {
  const text = 'streams:\n  - name: orders\n'
  const again = ['streams:', '  - name: orders', ''].join('\n')
  assert.equal(numberOfText(text), numberOfText(again))
})

it('never gives two texts one number, even when the first is long forgotten', () => {
  const texts = Array.from({ length: 100 }, (_, index) => `version: ${index}`)
  const numbers = [...texts, ...texts].map(numberOfText)
  for (const [index, number] of numbers.entries()) {
    const other = numbers.findIndex((one, at) => one === number && texts[at % 100] !== texts[index % 100])
    assert.equal(other, -1)
  }
})

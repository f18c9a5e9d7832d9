import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escapePattern } from '../../../src/std/text/escape-pattern.ts'
import { messageOf } from '../../../src/std/text/message-of.ts'
import { percentDecode, queryDecode } from '../../../src/std/text/percent-decode.ts'

test('text that is not encoded correctly stays as it is', () => {
  assert.equal(percentDecode('a%20b+c'), 'a b+c')
  assert.equal(percentDecode('100%'), '100%')
  assert.equal(queryDecode('a%20b+c'), 'a b c')
})

test('an escaped pattern matches its text and nothing else, with every flag', () => {
  const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
  for (const flags of ['', 'i', 'u']) {
    assert.ok(new RegExp(`^${escapePattern(printable.join(''))}$`, flags).test(printable.join('')))
    for (const letter of printable.filter((one) => !/[a-z]/i.test(one))) {
      const pattern = new RegExp(`^${escapePattern(letter)}$`, flags)
      assert.deepEqual(
        printable.filter((other) => pattern.test(other)),
        [letter],
      )
    }
  }
})

test('whatever was thrown has a message, and one without its own has those of its parts', () => {
  assert.equal(messageOf(new Error('closed')), 'closed')
  assert.equal(messageOf('closed'), 'closed')
  assert.equal(messageOf({ code: 7, message: 'closed' }), 'closed')
  assert.equal(messageOf({ code: 7 }), '{"code":7}')
  assert.equal(
    messageOf(new AggregateError([new Error('::1 refused'), new Error('127.0.0.1 refused')])),
    '::1 refused; 127.0.0.1 refused',
  )
})

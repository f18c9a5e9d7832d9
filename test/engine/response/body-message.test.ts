import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchableMessage, whatTheBodySays } from '../../../src/engine/response/body-message.ts'
import { answered } from './asking.ts'

const nested = (name: string, depth: number, words: string): unknown =>
  depth === 0 ? words : { [name]: nested(name, depth - 1, words) }
const lists = (depth: number, words: string): unknown => (depth === 0 ? words : [lists(depth - 1, words)])
const says = (body: unknown) => whatTheBodySays(answered(400, typeof body === 'string' ? body : JSON.stringify(body)))
const searched = (body: unknown) =>
  searchableMessage(answered(200, typeof body === 'string' ? body : JSON.stringify(body)))

test('a message is read from six levels, and no deeper', () => {
  assert.equal(says(nested('error', 6, 'no')), 'no')
  assert.equal(says(nested('error', 7, 'no')), null)
  assert.equal(says(lists(6, 'no')), 'no')
  assert.equal(says(lists(7, 'no')), null)
})

test('words to search for are read from twenty levels, and no deeper', () => {
  assert.equal(searched(nested('error', 20, 'no')), 'no')
  assert.equal(searched(nested('error', 21, 'no')), '')
  assert.equal(searched(lists(20, 'no')), 'no')
  assert.equal(searched(lists(21, 'no')), '')
})

test('a message is the most specific one, of a list the first three', () => {
  assert.equal(says({ title: 'Oops', error: { code: 7, message: '' }, detail: 'no quota' }), 'no quota')
  assert.equal(says({ errors: [{ message: 'a' }, { other: 1 }, { message: 'c' }, { message: 'd' }] }), 'a; c')
  assert.equal(says({ errors: ['a', '', 'c'] }), 'a; c')
  assert.equal(says({ code: 1234 }), '1234')
  assert.equal(says('{"code":12345678901234567890}'), '12345678901234567890')
  assert.equal(says({ other: 'no' }), null)
  assert.equal(says({ error: true }), null)
})

test('words to search for: the first name that holds anything is followed, all members of a list are joined', () => {
  assert.equal(searched({ message: '', messages: [], error: { message: 'no' }, reason: 'other' }), 'no')
  assert.equal(searched({ errors: ['a', { msg: 'b' }, 3, 'c', 'd'] }), 'a, b, c, d')
  assert.equal(searched({ message: { other: 'x' }, reason: 'no' }), '')
  assert.equal(searched('just text'), 'just text')
})

test('a long message is cut at 300 characters, and its spaces are one', () => {
  assert.equal(says({ message: 'x'.repeat(300) }), 'x'.repeat(300))
  assert.equal(says({ message: 'x'.repeat(301) }), `${'x'.repeat(299)}…`)
  assert.equal(says({ message: '  a\n\t b ' }), 'a b')
})

test('what is not JSON says its start, a page for people its title, broken JSON nothing', () => {
  assert.equal(says('try later'), 'try later')
  assert.equal(says('<!doctype html><html><head><title>Gone fishing</title></head></html>'), 'Gone fishing')
  assert.equal(says('<!doctype html><html></html>'), null)
  assert.equal(says('{"message":'), null)
  assert.equal(says(''), null)
})

test('names may begin with a capital, as APIs in C# write them', () => {
  assert.equal(says({ Message: 'no' }), 'no')
  assert.equal(says({ ErrorMessage: 'no' }), 'no')
  assert.equal(says({ message: 'small', Message: 'large' }), 'small')
})

test('of a page for people, the first 4096 bytes are searched for its title', () => {
  const page = (length: number) => `<html>${'<title>xy'.padStart(length - 6)}`
  assert.equal(says(page(4096)), 'xy')
  assert.equal(says(page(4097)), 'x')
})

test('what was decoded by others comes first, where it says anything', () => {
  const response = answered(400, '{"message":"outside"}')
  assert.equal(whatTheBodySays(response, { message: 'inside' }), 'inside')
  assert.equal(whatTheBodySays(response, { other: 'inside' }), 'outside')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  encodeForm,
  encodePairs,
  isBarePath,
  isPreSigned,
  joinUrl,
  queryOf,
  resolveUrl,
  separatorAfter,
  withQuery,
} from '../../../src/engine/request/url.ts'

const rows: [string, string, string, string][] = [
  ['the path is added to the base', 'https://h/v1', 'items', 'https://h/v1/items'],
  ['a slash at the start of the path means nothing', 'https://h/v1/', '/items', 'https://h/v1/items'],
  ['without a path the base stays as it is', 'https://h/a//b/', '', 'https://h/a//b/'],
  ['Airbyte: empty parts are dropped', 'https://h/v4', 'groups//1/links', 'https://h/v4/groups/1/links'],
  ['Airbyte: those of the base, too', 'https://h//v1', 'forms', 'https://h/v1/forms'],
  ['Airbyte: and those at the end but one', 'https://h/v1', 'a//b//', 'https://h/v1/a/b/'],
  ['what is in the query stays', 'https://h/v1', 'a?b=c//d', 'https://h/v1/a?b=c//d'],
  [
    'Airbyte: a backslash is a letter of its part',
    'https://h/v1',
    'lists/a\\b/tasks',
    'https://h/v1/lists/a%5Cb/tasks',
  ],
  ['two of them lead to no other host', 'https://h/v1', '\\\\g/x', 'https://h/v1/%5C%5Cg/x'],
  ['Airbyte: a percent sign that begins no escape', 'https://h/v1', 'tags/50% off', 'https://h/v1/tags/50%25%20off'],
  ['and those that begin one, in a path without others', 'https://h/v1', 'a%20b?c=5%', 'https://h/v1/a%20b?c=5%25'],
  ['Airbyte: or with others, and a backslash', 'https://h/v1', 'a%20b\\5%', 'https://h/v1/a%2520b%5C5%25'],
  ['Airbyte: letters and digits need no escape', 'https://h/v1', 'a%41%7e?b=%2D%5f%31', 'https://h/v1/aA~?b=-_1'],
  ['Airbyte: an escape has capital letters', 'https://h/v1', 'a%2fb?c=%c3%A9', 'https://h/v1/a%2Fb?c=%C3%A9'],
  ['an escaped percent sign begins no other escape', 'https://h/v1', 'a%2541?b=%252f', 'https://h/v1/a%2541?b=%252f'],
  ['the escapes of a signed address stay', 'https://h/v1', 'https://g/a%2fb?sig=%41', 'https://g/a%2fb?sig=%41'],
  ['a path that is an address of its own stays as it is', 'https://h/v1', 'https://g/x//y', 'https://g/x//y'],
]

for (const [name, base, path, joined] of rows) {
  test(`address: ${name}`, () => {
    assert.equal(joinUrl(base, path), joined)
  })
}

test('address: of a text that is none, an error shows the first 200 characters', () => {
  const link = `ftp://h/${'a'.repeat(1000)}`
  assert.throws(() => resolveUrl(link, undefined), {
    code: 'request/invalid-url',
    message: `\`${link.slice(0, 200)}\` is not an http or https URL.`,
  })
})

test('address: a pre-signed link keeps every character, any other is spelt as Python spells it', () => {
  const page = 'https://h/v1/items?page=1'
  assert.equal(resolveUrl('https://g/a|b?sig=x%2fy&q=ü#top', page), 'https://g/a|b?sig=x%2fy&q=ü')
  assert.equal(resolveUrl('https://g/a|b?sig=&q=ü#top', page), 'https://g/a%7Cb?sig=&q=%C3%BC')
  assert.equal(resolveUrl('HTTPS://G/a?Signature=x', page), 'HTTPS://G/a?Signature=x')
  assert.equal(resolveUrl('https://g/a?sig=5%', page), 'https://g/a?sig=5%')
  assert.equal(resolveUrl('/a%20b?c=5%&d=%20', page), 'https://h/a%20b?c=5%25&d=%2520')
  // Not an address by itself: it is joined to the page, signed or not.
  assert.equal(resolveUrl('/a?sig=x', page), 'https://h/a?sig=x')
  assert.throws(() => resolveUrl('https://?sig=x', page), { code: 'request/invalid-url' })
})

test('address: parameters are added to whatever query it has', () => {
  assert.equal(withQuery('https://h/a', []), 'https://h/a')
  assert.equal(withQuery('https://h/a?', []), 'https://h/a?')
  assert.equal(withQuery('https://h/a', [['b', 'c d']]), 'https://h/a?b=c+d')
  assert.equal(withQuery('https://h/a?x=1', [['b', 'c']]), 'https://h/a?x=1&b=c')
  assert.deepEqual(['https://h/a?', 'https://h/a?x=1&'].map(separatorAfter), ['', ''])
  assert.equal(
    encodePairs([
      ['a b', '1'],
      ['c', ''],
    ]),
    'a+b=1&c=',
  )
})

test('address: the mark of a credential stays readable, and only as a whole value', () => {
  assert.equal(
    encodePairs([
      ['key', '****'],
      ['****', '*****'],
    ]),
    'key=****&%2A%2A%2A%2A=%2A%2A%2A%2A%2A',
  )
})

test('address: values are encoded as a form is', () => {
  assert.equal(encodeForm('aZ09_.~-'), 'aZ09_.~-')
  assert.equal(encodeForm("a b+!'()*/é"), 'a+b%2B%21%27%28%29%2A%2F%C3%A9')
  // Half of a pair: no character, and no reason to fail.
  assert.equal(encodeForm('\ud83d'), '%EF%BF%BD')
})

test('address: of parameters with one name the first that has a value counts', () => {
  assert.deepEqual([...queryOf('https://h/a')], [])
  assert.deepEqual(
    [...queryOf('https://h/a?b=&b=1&b=2&c=x+y&d')],
    [
      ['b', '1'],
      ['c', 'x y'],
    ],
  )
})

test('address: it is pre-signed where a parameter that has a value is called a signature', () => {
  const signed = ['X-Amz-Signature', 'x-goog-signature', 'sig', 'Signature'].map((name) => `https://h/a?b=1&${name}=x`)
  for (const link of signed) assert.equal(isPreSigned(link), true, link)
  const others = ['https://h/a', 'https://h/sig=x', 'https://h/a?sig=', 'https://h/a?design=x', 'https://h/a?sigs=x']
  for (const link of others) assert.equal(isPreSigned(link), false, link)
})

test('address: a bare path starts neither at the host nor at the page', () => {
  for (const path of ['6/info.json', 'a?b=c', '1:2', '']) assert.equal(isBarePath(path), true, path)
  for (const link of ['/a', ' /a', '?a', '\\a', 'https://h', 'HTTP://h', 'x+1.-:a']) {
    assert.equal(isBarePath(link), false, link)
  }
})

test('address: the error names the base and the path where both were needed', () => {
  assert.throws(() => joinUrl('no address', 'items'), { message: '`no address/ + items` is not an http or https URL.' })
  assert.throws(() => joinUrl('', 'items'), { message: '`items` is not an http or https URL.' })
})

test('address: signs, spaces and slashes in a path are spelt as Python spells them', () => {
  assert.equal(joinUrl('https://h', 'a[b]^|c  '), 'https://h/a%5Bb%5D%5E%7Cc%20%20')
  assert.equal(joinUrl('https://h//v1', ''), 'https://h/v1')
  assert.equal(joinUrl('https://h/v1', '  /a'), 'https://h/v1/a')
  assert.equal(joinUrl('https://h/v1', 'a#b'), 'https://h/v1/a')
  assert.equal(joinUrl('', 'https://h/a//b'), 'https://h/a//b')
})

test('address: one after the other, each has its own base and its own path', () => {
  const joined = [
    joinUrl('https://a', 'x'),
    joinUrl('https://b', 'x'),
    joinUrl('https://b', 'y'),
    joinUrl('https://b', 'y'),
    joinUrl('https://a', 'x'),
  ]
  assert.deepEqual(joined, ['https://a/x', 'https://b/x', 'https://b/y', 'https://b/y', 'https://a/x'])
})

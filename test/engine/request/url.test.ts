import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinUrl, resolveUrl } from '../../../src/engine/request/url.ts'

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

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRedactor } from '../../../src/engine/secrets/redact.ts'
import { withoutSecrets } from '../../../src/engine/secrets/without-secrets.ts'
import { get, hasCode, post } from '../response/asking.ts'

const { isSecret } = createRedactor(['s3cret/1', '42'])

const urls: [name: string, url: string, expected: string, dropped: string[]][] = [
  ['no query', 'https://other/x', 'https://other/x', []],
  ['a secret in any form', 'https://other/?a=1&key=s3cret%2f1&b=%5b', 'https://other/?a=1&b=%5b', ['key']],
  ['nothing else in the query', 'https://other/?key=s3cret/1', 'https://other/', ['key']],
  ['a short secret as a whole value', 'https://other/?pin=42&page=142', 'https://other/?page=142', ['pin']],
  ['a secret without a name', 'https://other/?s3cret/1', 'https://other/', ['a nameless parameter']],
  ['an empty query', 'https://other/?', 'https://other/?', []],
]
for (const [name, url, expected, dropped] of urls) {
  test(`without secrets: ${name}`, () => {
    const stripped = withoutSecrets(get(url), isSecret)
    assert.equal(stripped.request.url, expected)
    assert.deepEqual(stripped.dropped, dropped)
  })
}

test('without secrets: a secret in the path is refused', () => {
  assert.throws(() => withoutSecrets(get('https://other/s3cret%2F1/x'), isSecret), hasCode('response/address-refused'))
})

test('without secrets: headers of one host, with a secret or with a piece of one stay behind, others go along', () => {
  const isPlaced = (kind: string, name: string, value: string) =>
    kind === 'header' && name === 'X-Shop' && value === 'ab'
  const headers = { Host: 'a', 'X-Api-Key': 'b', 'X-Note': 's3cret/1', 'X-Shop': 'ab', Accept: '*/*' }
  const stripped = withoutSecrets(get('https://other/', headers), isSecret, isPlaced)
  assert.deepEqual(stripped.request.headers, { Accept: '*/*' })
  assert.deepEqual(stripped.dropped, ['Host', 'X-Api-Key', 'X-Note', 'X-Shop'])
  assert.deepEqual(withoutSecrets(get('https://other/', { 'X-Shop': 'ab' }), isSecret).dropped, [])
})

test('without secrets: a parameter with a piece of a secret stays behind', () => {
  const isPlaced = (kind: string, name: string, value: string) =>
    kind === 'parameter' && name === 'shop' && value === 'ab'
  const { request, dropped } = withoutSecrets(get('https://other/?shop=ab&shop=cd#top'), isSecret, isPlaced)
  assert.equal(request.url, 'https://other/?shop=cd#top')
  assert.deepEqual(dropped, ['shop'])
})

const bodies: [what: string, body: string, isKept: boolean][] = [
  ['with a secret', 'note=s3cret/1', false],
  ['with a member of a credential', '{"in":{"api_key" : "x"}}', false],
  ['with a field of a credential', 'page=2&password=x', false],
  ['whose first field is a credential', 'password=x', false],
  ['with a piece of a secret', '{"shop":"ab"}', false],
  ['with a field that holds a piece', 'page=1&shop=ab', false],
  ['that is a piece itself', 'ab', false],
  ['without any', '{"page":2,"shops":"ab"}', true],
]
for (const [what, body, isKept] of bodies) {
  test(`without secrets: a body ${what} ${isKept ? 'goes along' : 'stays behind'}`, () => {
    const isPlaced = (kind: string, name: string, text: string) =>
      kind === 'body' && (name === 'shop' || (name === '' && text === 'ab'))
    const { request, dropped } = withoutSecrets(post('https://other/', body), isSecret, isPlaced)
    assert.deepEqual([request.body, dropped], isKept ? [body, []] : [null, ['body']])
  })
}

test('without secrets: a request without a body loses none', () => {
  const { request, dropped } = withoutSecrets(get('https://other/'), isSecret)
  assert.deepEqual([request.body, dropped], [null, []])
})

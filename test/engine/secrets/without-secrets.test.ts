import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRedactor } from '../../../src/engine/secrets/redact.ts'
import { withoutSecrets } from '../../../src/engine/secrets/without-secrets.ts'
import { get, hasCode } from '../response/asking.ts'

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

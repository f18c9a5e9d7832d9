import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectorError } from '../../../src/std/errors.ts'
import { createRedactor } from '../../../src/engine/secrets/redact.ts'
import { post } from '../response/asking.ts'
import { randomFrom } from '../../helpers/random.ts'

const secret = 'p@ss/w+rd "ü" 1'
const base64 = (text: string) => Buffer.from(text).toString('base64')
const base64url = (text: string) => Buffer.from(text).toString('base64url')

const forms: [name: string, written: string][] = [
  ['as it is', secret],
  ['URL-encoded', encodeURIComponent(secret)],
  ['URL-encoded in lower case', encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
  ['as a form', new URLSearchParams({ '': secret }).toString().slice(1)],
  ['in part, as Python leaves the slash', encodeURIComponent(secret).replaceAll('%2F', '/')],
  ['URL-encoded twice', encodeURIComponent(encodeURIComponent(secret))],
  ['JSON-escaped', JSON.stringify(secret).slice(1, -1)],
  ['JSON-escaped in ASCII', JSON.stringify(secret).slice(1, -1).replace('ü', '\\u00FC').replace('/', '\\/')],
  ['base64', base64(secret)],
  ['base64url', base64url(secret)],
  ['base64, URL-encoded', encodeURIComponent(base64(secret))],
]
for (const [name, written] of forms) {
  test(`redact: ${name}`, () => {
    const redactor = createRedactor([secret])
    assert.equal(redactor.text(`before ${written} after`), 'before **** after')
    assert.equal(redactor.isSecret(`x${written}`), true)
  })
}

test('redact: base64 of a pair that holds the secret, wherever it is', () => {
  const redactor = createRedactor(['correct horse'])
  for (const pair of [
    'u:correct horse',
    'me:correct horse',
    'you:correct horse',
    'correct horse:x',
    'a:correct horse:b',
  ]) {
    for (const written of [base64(pair), base64url(pair)]) {
      const shown = redactor.text(`Basic ${written}`)
      assert.match(shown, /\*{4}/)
      for (const run of shown.slice(6).split('****')) {
        assert.doesNotMatch(Buffer.from(run, 'base64').toString(), /corr|orre|rect|hors|orse/)
      }
    }
  }
})

test('redact: a pair that was added is hidden whole', () => {
  const redactor = createRedactor([])
  redactor.add('user:pa')
  assert.equal(redactor.text(`Basic ${base64('user:pa')}`), 'Basic ****')
})

test('redact: the longer of two secrets is hidden whole', () => {
  assert.equal(createRedactor(['abcd', 'abcdefgh']).text('abcdefgh'), '****')
})

test('redact: an empty secret hides nothing, patterns are taken literally', () => {
  assert.equal(createRedactor(['', 'a.*b+']).text('axxb a.*b+ abb'), 'axxb **** abb')
  assert.equal(createRedactor([]).text('anything'), 'anything')
})

test('redact: a short secret is hidden only where it is the whole value', () => {
  const redactor = createRedactor(['42'])
  assert.equal(redactor.text('42'), '****')
  assert.equal(redactor.text('page 42 of 142'), 'page 42 of 142')
  assert.deepEqual(redactor.value({ a: '42', b: '142', c: 142 }), { a: '****', b: '142', c: 142 })
  const request = redactor.request(post('https://api.shop/42?pin=42&page=142', '{"pin":"42","n":142}', { pin: '42' }))
  assert.equal(request.url, 'https://api.shop/42?pin=****&page=142')
  assert.deepEqual(request.headers, { pin: '****' })
  assert.equal(request.body, '{"pin":"****","n":142}')
})

test('redact: four letters are hidden as a part of a text, three only as the whole', () => {
  const redactor = createRedactor(['wxyz', 'pin', 'abcdefghij'])
  assert.equal(redactor.text('wxyz'), '****')
  assert.equal(redactor.text('1wxyz'), '1****')
  assert.equal(redactor.text('wxyz1'), '****1')
  assert.equal(redactor.text('pin'), '****')
  assert.equal(redactor.text('1pin'), '1pin')
  assert.equal(redactor.text('the pin, wxyz and abcdefghij'), 'the pin, **** and ****')
})

test('redact: from eight letters on, a secret is hidden in small letters as well', () => {
  assert.equal(createRedactor(['KQ7-VXW2']).text('kq7-vxw2'), '****')
  assert.equal(createRedactor(['KQ7-VXW']).text('kq7-vxw'), 'kq7-vxw')
})

test('redact: a request shows neither credentials by name nor secrets by value', () => {
  const redactor = createRedactor(['s3cret'])
  const headers = {
    Authorization: 'Bearer unknown',
    'X-API-Key': 'unknown',
    cookie: 'a=b',
    'X-Shop-Access-Token': 'unknown',
    'X-Custom': 'id s3cret',
    'X-Continuation-Token': 'page2',
    Accept: '*/*',
  }
  const url = 'https://me:pass@api.shop/s3cret/v1?key=pre-s3cret&page=%5b1%5d&s3cret=x'
  assert.deepEqual(redactor.request(post(url, 'key=s3cret&a=b', headers)), {
    method: 'POST',
    url: 'https://****@api.shop/****/v1?key=****&page=%5b1%5d&****=x',
    headers: {
      Authorization: '****',
      'X-API-Key': '****',
      cookie: '****',
      'X-Shop-Access-Token': '****',
      'X-Custom': 'id ****',
      'X-Continuation-Token': 'page2',
      Accept: '*/*',
    },
    body: 'key=****&a=b',
  })
})

test('redact: a link hides what opens it by its name, and shows where its page begins', () => {
  const { url } = createRedactor([])
  const link = (query: string) => url(`https://api.example.com/x?${query}`).split('?')[1]
  assert.equal(link('o=10&api_key=abc123def&access_token=x%2By'), 'o=10&api_key=****&access_token=****')
  for (const place of ['page_token=abc', 'start_key=abc', 'pagination_token=a', 'token=20', 'cursor=abc', 'key=']) {
    assert.equal(link(place), place)
  }
})

test('redact: a JSON body keeps its numbers, and its spelling when there is nothing to hide', () => {
  const redactor = createRedactor(['s3cret'])
  const hidden = redactor.request(post('https://api.shop/', '{"id":12345678901234567890,"key":"s3cret"}'))
  assert.equal(hidden.body, '{"id":12345678901234567890,"key":"****"}')
  assert.equal(redactor.request(post('https://api.shop/', '{ "id": 1.0 }')).body, '{ "id": 1.0 }')
})

test('redact: values are searched to the bottom, and stay the same object when clean', () => {
  const redactor = createRedactor(['s3cret', '123456789'])
  const clean = { a: [{ b: 'x' }], at: new Date(0), n: null }
  assert.equal(redactor.value(clean), clean)
  const shown = redactor.value({ a: [{ b: 'my s3cret' }, clean], s3cret: 1, id: 123456789 })
  assert.deepEqual(shown, { a: [{ b: 'my ****' }, clean], '****': 1, id: '****' })
  assert.deepEqual(redactor.value(JSON.parse('{"__proto__":"s3cret"}')), JSON.parse('{"__proto__":"****"}'))
})

test('redact: a deep value is searched once per level', () => {
  let deep: unknown = 's3cret'
  for (let level = 0; level < 500; level++) deep = level % 2 === 0 ? { deep } : [deep]
  assert.doesNotMatch(JSON.stringify(createRedactor(['s3cret']).value(deep)), /s3cret/)
})

test('redact: response headers hide cookies', () => {
  assert.deepEqual(createRedactor([]).headers({ 'set-cookie': 'a=b', etag: 'x' }), { 'set-cookie': '****', etag: 'x' })
})

test('redact: no random secret is left in any form of a request', () => {
  const next = randomFrom(7)
  const alphabet = 'abcXYZ0189 _-.~!*\'()/+=&?#%"\\<>@:é漢😀\n\t'
  const letters = Array.from(alphabet)
  for (let round = 0; round < 500; round++) {
    const length = 4 + Math.floor(next() * 30)
    const random = Array.from({ length }, () => letters[Math.floor(next() * letters.length)]).join('')
    const redactor = createRedactor([random])
    const url = new URL('https://api.shop/v1')
    url.searchParams.set('key', random)
    const body = JSON.stringify({ nested: [{ key: `x${random}y` }] })
    const headers = { 'x-basic': base64(`user:${random}`), 'x-url': base64url(random), 'x-plain': `k ${random}` }
    const request = redactor.request(post(`${url.href}&raw=${encodeURIComponent(random)}`, body, headers))
    const shown = [
      JSON.stringify(request),
      redactor.text(JSON.stringify({ random })),
      redactor.text(`${url.href} ${base64(random)} ${random}`),
      JSON.stringify(redactor.value({ random, list: [random], url: url.href })),
    ].join('\n')
    const escaped = JSON.stringify(random).slice(1, -1)
    for (const form of [random, encodeURIComponent(random), escaped, base64(random), base64url(random)]) {
      assert.ok(!shown.includes(form.replace(/=+$/, '')), `${JSON.stringify(random)} is shown as ${form}`)
    }
  }
})

test('a secret is found in small letters, as the host of an address has it', () => {
  const { text } = createRedactor(['Kq7-vXw2pLm9'])
  assert.equal(text('http://kq7-vxw2plm9.shop.test cannot be reached'), 'http://****.shop.test cannot be reached')
})

test('the problems that an error lists hide the same', () => {
  const problem = {
    code: 'manifest/syntax',
    severity: 'error',
    message: 'no s3cr3t-key',
    hint: 's3cr3t-key?',
    at: { pointer: '' },
  } as const
  const error = new ConnectorError('manifest/syntax', 'several', { problems: [problem] })
  const shown = createRedactor(['s3cr3t-key']).error(error) as ConnectorError
  assert.deepEqual(
    shown.problems.map(({ message, hint }) => [message, hint]),
    [['no ****', '****?']],
  )
})

test('redact: a piece of a path is hidden within words from three letters on, a shorter one between separators', () => {
  const path = (text: string) => createRedactor([{ place: { in: 'path' }, text }]).url('https://api.shop/ab/abba/abc-x')
  assert.equal(path('abb'), 'https://api.shop/ab/****a/abc-x')
  assert.equal(path('ab'), 'https://api.shop/****/abba/abc-x')
})

test('redact: short pieces are hidden at their places in a text too: in quotes, and in addresses', () => {
  const words = createRedactor([{ place: { in: 'words' }, text: 'ab' }])
  assert.equal(words.text('got `ab`, not "abc" or ab'), 'got `****`, not "abc" or ab')
  const parameter = createRedactor([{ place: { in: 'parameter', name: 'shop' }, text: 'ab' }])
  assert.equal(
    parameter.text('GET https://api.shop/ab?shop=ab&page=2 failed'),
    'GET https://api.shop/ab?shop=****&page=2 failed',
  )
  const path = createRedactor([{ place: { in: 'path' }, text: 'ab' }])
  assert.equal(path.text('GET https://api.shop/ab/items failed at ab'), 'GET https://api.shop/****/items failed at ab')
  assert.deepEqual(path.value({ url: 'https://api.shop/ab/items', other: 'ab' }), {
    url: 'https://api.shop/****/items',
    other: 'ab',
  })
})

test('redact: the cause of an error hides what the error hides', () => {
  const redactor = createRedactor(['s3cret'])
  const thrownBy = (cause: unknown) => {
    const shown = redactor.error(new ConnectorError('response/unreachable', 'It failed.', { cause }))
    assert.ok(shown instanceof ConnectorError)
    return shown.cause
  }
  const own = thrownBy(new ConnectorError('response/unreachable', 'No answer to s3cret.', { hint: 'Try s3cret.' }))
  assert.ok(own instanceof ConnectorError)
  assert.deepEqual([own.message, own.hint], ['No answer to ****.', 'Try ****.'])
  const others = thrownBy(new Error('getaddrinfo s3cret'))
  assert.ok(others instanceof Error)
  assert.equal(others.message, 'getaddrinfo ****')
  assert.doesNotMatch(String(others.stack), /s3cret/)
  const clean = new Error('socket hang up')
  assert.equal(thrownBy(clean), clean)
})

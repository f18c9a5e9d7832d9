/** Credentials take the place of their mark, at home only. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AuthPlan, credentialPlacement } from '../../../src/engine/auth/plan/authenticator.ts'
import { authenticate, withoutCredential } from '../../../src/engine/auth/sign-request.ts'
import { type StaticPlan, staticSecret } from '../../../src/engine/auth/credentials.ts'
import type { HttpRequest } from '../../../src/engine/request/http-request.ts'
import { secretTexts } from '../../../src/engine/auth/secret-texts.ts'
import { compileTemplate } from '../../../src/engine/template/template.ts'

const config = { token: 's3cret', user: 'u', password: 'p:w' }
const asked: HttpRequest = { method: 'GET', url: 'https://api.test/items?a=1', headers: {}, body: null }
const key = (placement: Extract<AuthPlan, { kind: 'key' }>['placement']): StaticPlan => ({
  kind: 'key',
  placement,
  token: compileTemplate('{{ config.token }}'),
  parameters: {},
})
const bearer: StaticPlan = { kind: 'bearer', token: compileTemplate('{{ config.token }}'), parameters: {} }
const basic: StaticPlan = {
  kind: 'basic',
  username: compileTemplate('{{ config.user }}'),
  password: compileTemplate('{{ config.password }}'),
  parameters: {},
}

const signedBy = (auth: StaticPlan, request: HttpRequest, values: Record<string, unknown> = config) =>
  authenticate(credentialPlacement(auth) ?? { into: 'path' }, staticSecret(auth, values), request)

test('bearer', () => assert.equal(signedBy(bearer, asked).headers.Authorization, 'Bearer s3cret'))
test('basic', () => assert.equal(signedBy(basic, asked).headers.Authorization, `Basic ${btoa('u:p:w')}`))
test('basic with letters beyond ASCII', () => {
  const { headers } = signedBy(basic, asked, { user: 'ü', password: 'p' })
  assert.equal(headers.Authorization, `Basic ${Buffer.from('ü:p').toString('base64')}`)
})
test('key in a header', () =>
  assert.equal(signedBy(key({ into: 'header', name: 'X-Key' }), asked).headers['X-Key'], 's3cret'))
test('key in the query takes the place of its mark', () => {
  const marked = { ...asked, url: 'https://api.test/items?a=1&key=****&limit=3' }
  assert.equal(
    signedBy(key({ into: 'query', name: 'key' }), marked).url,
    'https://api.test/items?a=1&key=s3cret&limit=3',
  )
})
test('a link without the key gets it, a link with its own keeps that', () => {
  const auth = key({ into: 'query', name: 'key' })
  assert.equal(signedBy(auth, asked).url, 'https://api.test/items?a=1&key=s3cret')
  const linked = { ...asked, url: 'https://api.test/items?key=theirs' }
  assert.equal(signedBy(auth, linked).url, linked.url)
})
test('key in a form and in JSON', () => {
  const form = signedBy(key({ into: 'form', name: 'key' }), { ...asked, body: 'a=1&key=****' })
  assert.equal(form.body, 'a=1&key=s3cret')
  const json = signedBy(key({ into: 'json', path: ['auth', 'key'] }), {
    ...asked,
    body: '{"auth": {"id": 1, "key": "****"}}',
  })
  assert.equal(json.body, '{"auth": {"id": 1, "key": "s3cret"}}')
})
test('no credential in the config: nothing is sent, mark included', () => {
  const marked = { ...asked, url: 'https://api.test/items?key=****&a=1', headers: { Authorization: '****' } }
  assert.equal(signedBy(key({ into: 'query', name: 'key' }), marked, {}).url, 'https://api.test/items?a=1')
  assert.deepEqual(signedBy(bearer, marked, {}).headers, {})
})
const bodies: [name: string, placement: Parameters<typeof key>[0], body: string, without: string | null][] = [
  ['form', { into: 'form', name: 'key' }, 'a=1&key=****&b=2', 'a=1&b=2'],
  ['form with nothing else', { into: 'form', name: 'key' }, 'key=****', null],
  [
    'JSON',
    { into: 'json', path: ['auth', 'key'] },
    '{"auth": {"id": 1, "key": "****"}, "n": 2.0}',
    '{"auth": {"id": 1}, "n": 2.0}',
  ],
  ['JSON with nothing else', { into: 'json', path: ['key'] }, '{"key": "****"}', null],
]
for (const [name, placement, body, without] of bodies) {
  test(`no credential, or elsewhere: the mark leaves a ${name} body too`, () => {
    assert.equal(signedBy(key(placement), { ...asked, body }, {}).body, without)
    assert.equal(withoutCredential(placement, { ...asked, body }).body, without)
  })
}
test('elsewhere the mark is taken away', () => {
  const away = { ...asked, url: 'https://b.test/?key=****' }
  assert.equal(withoutCredential({ into: 'query', name: 'key' }, away).url, 'https://b.test/')
})
test('what must not be shown includes what it is made of', () => {
  assert.deepEqual(secretTexts(basic, config), ['p:w', btoa('u:p:w')])
  assert.deepEqual(secretTexts(bearer, config), ['s3cret', 's3cret'])
})

/** Tokens that the connector signs itself, verified by another implementation against the public keys. */
import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { test } from 'node:test'
import { decodeProtectedHeader, jwtVerify } from 'jose'
import { openTokens } from '../../../src/engine/run/tokens.ts'
import { ConnectorError } from '../../../src/std/errors.ts'
import { option } from '../../helpers/manifests.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { assertHidden, authenticatedBy, oauth, pagesOf, serveWithTokens } from './token-server.ts'

const startOfTime = 1_700_000_000_000
const now = () => startOfTime
const currentDate = new Date(startOfTime)

const jwt = (algorithm: string, fields: Record<string, unknown> = {}) => ({
  type: 'JwtAuthenticator',
  secret_key: '{{ config.key }}',
  algorithm,
  header_prefix: 'Bearer',
  ...fields,
})

async function tokenSent(authenticator: Record<string, unknown>, config: Record<string, unknown>): Promise<string> {
  await using api = await serveWithTokens()
  const pages = await pagesOf(authenticatedBy(api.url, authenticator), { config, now })
  const sent = (api.requests[0]?.headers.authorization ?? '').replace('Bearer ', '')
  assertHidden(pages, [sent])
  return sent
}

const pem = (key: KeyObject, type: 'pkcs8' | 'pkcs1' | 'sec1' = 'pkcs8') =>
  key.export({ format: 'pem', type: type }) as string
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve })

const keys: [algorithm: string, pair: { publicKey: KeyObject; privateKey: KeyObject }][] = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'].map(
    (algorithm) => [algorithm, rsa] as [string, typeof rsa],
  ),
  ['ES256', ec('P-256')],
  ['ES384', ec('P-384')],
  ['ES512', ec('P-521')],
  ['EdDSA', generateKeyPairSync('ed25519')],
]
for (const [algorithm, { publicKey, privateKey }] of keys) {
  test(`${algorithm} by a private key`, async () => {
    const token = await tokenSent(jwt(algorithm), { key: pem(privateKey) })
    const { payload, protectedHeader } = await jwtVerify(token, publicKey, { currentDate })
    assert.deepEqual(payload, { iat: 1_700_000_000, exp: 1_700_001_200, nbf: 1_700_000_000 })
    assert.deepEqual(protectedHeader, { alg: algorithm, typ: 'JWT' })
  })
}

test('ES256K by a private key, which jose does not know', async () => {
  const { publicKey, privateKey } = ec('secp256k1')
  const token = await tokenSent(jwt('ES256K'), { key: pem(privateKey) })
  const [header, payload, signature = ''] = token.split('.')
  const signed = Buffer.from(`${header}.${payload}`)
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' as const }
  assert.ok(verify('sha256', signed, key, Buffer.from(signature, 'base64url')))
})

for (const algorithm of ['HS256', 'HS384', 'HS512']) {
  test(`${algorithm} by a shared secret`, async () => {
    const token = await tokenSent(jwt(algorithm), { key: 'hs-s3cret' })
    await jwtVerify(token, new TextEncoder().encode('hs-s3cret'), { currentDate })
  })
}

test('a shared secret that is to be encoded first', async () => {
  const token = await tokenSent(jwt('HS256', { base64_encode_secret_key: true }), { key: 'hs-s3cret' })
  await jwtVerify(token, new TextEncoder().encode(btoa('hs-s3cret')), { currentDate })
})

const forms: [name: string, key: string][] = [
  ['PKCS 1', pem(rsa.privateKey, 'pkcs1')],
  ['with its line breaks written as \\n', pem(rsa.privateKey).replaceAll('\n', '\\n')],
]
for (const [name, key] of forms) {
  test(`a key in another form: ${name}`, async () => {
    await jwtVerify(await tokenSent(jwt('RS256'), { key }), rsa.publicKey, { currentDate })
  })
}

test('a key under a passphrase', async () => {
  const options = { format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'pp-s3cret' } as const
  const key = rsa.privateKey.export(options) as string
  const authenticator = jwt('RS256', { passphrase: '{{ config.passphrase }}' })
  await jwtVerify(await tokenSent(authenticator, { key, passphrase: 'pp-s3cret' }), rsa.publicKey, { currentDate })
  const failure = await tokenSent(authenticator, { key, passphrase: 'another' }).catch((error: unknown) => error)
  assert.ok(failure instanceof ConnectorError)
  assert.equal(failure.code, 'plan/invalid-key')
  assertHidden(failure, [key, 'another'])
})

const wrongKeys: [algorithm: string, key: string, reason: RegExp][] = [
  ['RS256', 'not a key', /is not a private key/],
  ['RS256', pem(ec('P-256').privateKey), /type ec, not rsa/],
  ['ES256', pem(ec('P-384').privateKey), /secp384r1, not prime256v1/],
  ['HS256', '', /empty/],
]
for (const [algorithm, key, reason] of wrongKeys) {
  test(`a key that cannot be used with ${algorithm}: ${reason.source}`, async () => {
    await assert.rejects(tokenSent(jwt(algorithm), { key }), { code: 'plan/invalid-key', message: reason })
  })
}

test('headers, claims and life as the manifest has them', async () => {
  const authenticator = jwt('HS256', {
    token_duration: 60,
    jwt_headers: { kid: "{{ json_loads(config['info'])['kid'] }}", typ: 'at+jwt', cty: 'x' },
    additional_jwt_headers: { v: 1 },
    jwt_payload: { iss: '{{ config.who }}', sub: '12', aud: 'api' },
    additional_jwt_payload: {
      scope: 'a b',
      level: 3,
      roles: ['x'],
      who: '{{ config.who }}',
      none: '{{ config.none }}',
    },
  })
  const token = await tokenSent(authenticator, { key: 'hs-s3cret', who: 'me', info: '{"kid": "k1"}' })
  const key = new TextEncoder().encode('hs-s3cret')
  const { payload } = await jwtVerify(token, key, { currentDate, issuer: 'me', audience: 'api' })
  assert.deepEqual(decodeProtectedHeader(token), { v: 1, kid: 'k1', typ: 'at+jwt', cty: 'x', alg: 'HS256' })
  // As Airbyte writes it: by name.
  assert.deepEqual(Object.keys(decodeProtectedHeader(token)), ['alg', 'cty', 'kid', 'typ', 'v'])
  const times = { iat: 1_700_000_000, exp: 1_700_000_060, nbf: 1_700_000_000 }
  assert.deepEqual(payload, {
    scope: 'a b',
    level: 3,
    roles: ['x'],
    who: 'me',
    iss: 'me',
    sub: '12',
    aud: 'api',
    ...times,
  })
})

test('what has a place of its own cannot be an additional claim', async () => {
  const authenticator = jwt('HS256', { additional_jwt_payload: { exp: 1 } })
  await assert.rejects(tokenSent(authenticator, { key: 'k' }), { code: 'manifest/invalid-value', message: /`exp`/ })
})

test('a token serves until half of its life is over', async () => {
  await using api = await serveWithTokens()
  const tokens = openTokens()
  const sent = async (at: number) => {
    const options = { config: { key: 'hs-s3cret' }, tokens, now: () => startOfTime + at, maxPages: 1 }
    await pagesOf(authenticatedBy(api.url, jwt('HS256')), options)
    return api.requests.at(-1)?.headers.authorization
  }
  const first = await sent(0)
  assert.equal(await sent(599_999), first)
  assert.notEqual(await sent(600_000), first)
})

test('a token at another place goes to its own origin only', async () => {
  await using elsewhere = await serveApi({ '*': () => ({ json: { data: [] } }) })
  await using api = await serveWithTokens(undefined, undefined, {
    'GET /items': () => ({ status: 307, headers: { location: `${elsewhere.url}/items` } }),
  })
  const authenticator = jwt('HS256', { header_prefix: undefined, request_option: option('request_parameter', 'jwt') })
  const pages = await pagesOf(authenticatedBy(api.url, authenticator), { config: { key: 'hs-s3cret' }, now })
  const sent = api.requests[0]?.query.get('jwt') ?? ''
  await jwtVerify(sent, new TextEncoder().encode('hs-s3cret'), { currentDate })
  assertHidden([pages, elsewhere.requests, elsewhere.asked], [sent])
})

test('a profile assertion takes the place of client and refresh token', async () => {
  await using api = await serveWithTokens()
  const { publicKey, privateKey } = rsa
  const profile_assertion = jwt('RS256', { header_prefix: undefined, jwt_payload: { aud: `${api.url}/token` } })
  const authenticator = oauth(api.url, {
    use_profile_assertion: true,
    profile_assertion,
    client_id: undefined,
    client_secret: undefined,
    refresh_token: undefined,
  })
  const pages = await pagesOf(authenticatedBy(api.url, authenticator), { config: { key: pem(privateKey) }, now })
  const form = new URLSearchParams(api.requests[0]?.body)
  assert.deepEqual([...form.keys()], ['grant_type', 'assertion'])
  assert.equal(form.get('grant_type'), 'urn:ietf:params:oauth:grant-type:jwt-bearer')
  const assertion = form.get('assertion') ?? ''
  await jwtVerify(assertion, createPublicKey(pem(privateKey)), { currentDate, audience: `${api.url}/token` })
  await jwtVerify(assertion, publicKey, { currentDate })
  assertHidden(pages, [assertion, 'at-secret'])
})

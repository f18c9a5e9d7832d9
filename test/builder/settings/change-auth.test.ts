import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDocument } from '../../../src/document/open-document.ts'
import { changeAuth, changeGrant } from '../../../src/builder/settings/authentication/change-auth.ts'
import { inputsIn } from '../../../src/builder/settings/inputs/spec-inputs.ts'
import { moveToInput } from '../../../src/builder/settings/inputs/wished-input.ts'

const at = ['definitions', 'requester', 'authenticator']
const manifest = 'definitions:\n  requester: { url_base: https://a.test } # ours\n'
const names = (text: string) => inputsIn(openDocument(text).value).map(({ name }) => name)

test('a method comes with the inputs that it needs, and each secret is one', () => {
  const text = changeAuth(manifest, at, 'BasicHttpAuthenticator')
  const inputs = inputsIn(openDocument(text).value)
  assert.deepEqual(
    inputs.map(({ name, isRequired, schema }) => [name, isRequired, schema.airbyte_secret === true]),
    [
      ['username', true, false],
      ['password', true, true],
    ],
  )
  assert.match(text, /# ours/)
})

test('inputs that only the previous method used are removed with it', () => {
  const key = changeAuth(manifest, at, 'ApiKeyAuthenticator')
  assert.deepEqual(names(changeAuth(key, at, 'BearerAuthenticator')), ['api_token'])
  assert.deepEqual(names(changeAuth(key, at, 'NoAuth')), [])
})

test('an input stays if something else uses it, or if it has a description', () => {
  const used = changeAuth(manifest, at, 'ApiKeyAuthenticator').replace('https://a.test', `"{{ config['api_key'] }}"`)
  assert.deepEqual(names(changeAuth(used, at, 'NoAuth')), ['api_key'])
  const described = changeAuth(manifest, at, 'ApiKeyAuthenticator').replace('title: API key', 'title: Shop key')
  assert.deepEqual(names(changeAuth(described, at, 'NoAuth')), ['api_key'])
})

test('a method that comes back brings its inputs back', () => {
  const key = changeAuth(manifest, at, 'ApiKeyAuthenticator')
  const earlier = { type: 'ApiKeyAuthenticator', api_token: "{{ config['api_key'] }}", header: 'X-Key' }
  const back = changeAuth(changeAuth(key, at, 'NoAuth'), at, 'ApiKeyAuthenticator', earlier)
  assert.deepEqual(names(back), ['api_key'])
  assert.match(back, /X-Key/)
})

test('a value that moves to the inputs takes a name that is free', () => {
  const key = changeAuth(manifest, at, 'ApiKeyAuthenticator')
  const { text, name } = moveToInput(key, ['definitions', 'requester', 'url_base'], 'api_key')
  assert.equal(name, 'api_key_2')
  assert.doesNotMatch(text, /a\.test/)
})

test('the credentials of a client need no refresh token; another grant brings it back', () => {
  const oauth = changeAuth(manifest, at, 'OAuthAuthenticator')
  const client = changeGrant(oauth, at, 'client_credentials')
  assert.deepEqual(names(client), ['client_id', 'client_secret'])
  assert.doesNotMatch(client, /refresh_token/)
  const back = changeGrant(client, at, 'refresh_token')
  assert.deepEqual(names(back), ['client_id', 'client_secret', 'refresh_token'])
  assert.match(back, /refresh_token: .*config\['refresh_token'\]/)

  const own = "{{ config['credentials']['token'] }}"
  assert.ok(changeGrant(client, at, 'refresh_token', own).includes(own))
  const described = oauth.replace('title: Refresh token', 'title: Token of the shop')
  assert.deepEqual(names(changeGrant(described, at, 'client_credentials')), names(oauth), 'an edited input stays')
})

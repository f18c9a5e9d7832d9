/** One list for all: what is masked, what stays at its origin, what becomes an input of a manifest. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCredentialName, isInputName, isSignatureName } from '../../../src/engine/secrets/credential-names.ts'

const credentials = [
  'Authorization',
  'Proxy-Authorization',
  'Cookie',
  'Set-Cookie',
  'X-Auth',
  'auth',
  'bearer',
  'api_key',
  'apiKey',
  'X-Api-Key',
  'hapikey',
  'key',
  'private_key',
  'accessKeyId',
  'token',
  'access_token',
  'accessToken',
  'refresh_token',
  'X-Vault-Token',
  'auth[token]',
  'clientSecret',
  'password',
  'user.password',
  'db_pwd',
  'pass',
  'passphrase',
  'passcode',
  'credential',
  'credentials',
  'session',
  'sessionId',
  'X-Session-Id',
  'sid',
  'jwt',
  'sig',
  'X-Amz-Signature',
  'appid',
  'app_id',
]

/** Not masked, but different for every user: a manifest has an input for them. */
const callers = ['client_id', 'clientId', 'Client-ID', 'account_sid']

const others = [
  'sync_token',
  'syncToken',
  'nextSyncToken',
  'delta_token',
  'page_token',
  'pageToken',
  'next_page_token',
  'nextPageToken',
  'continuation_token',
  'continueToken',
  'before_key',
  'cursor_token',
  'primary_key',
  'sort_key',
  'project_key',
  'issueKey',
  'session_id',
  'first_pass',
  'region',
  'start_date',
  'tokenize',
  'keyword',
  'author',
]

test('names that carry credentials, and names of paging that end alike', () => {
  assert.deepEqual(
    credentials.filter((name) => !isCredentialName(name)),
    [],
  )
  assert.deepEqual([...callers, ...others].filter(isCredentialName), [])
})

test('credentials and names of the caller become inputs', () => {
  assert.deepEqual(
    [...credentials, ...callers].filter((name) => !isInputName(name)),
    [],
  )
  assert.deepEqual(others.filter(isInputName), [])
})

test('names that sign an address', () => {
  assert.deepEqual(['X-Amz-Signature', 'sig', 'AWSAccessKeyId', 'token'].map(isSignatureName), [
    true,
    true,
    true,
    false,
  ])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { learnFromRequest, learnFromResponse } from '../../src/recordings/find-credentials.ts'

function learned(find: (learn: (secret: string, name: string) => void) => void): Record<string, string> {
  const found: Record<string, string> = {}
  find((secret, name) => {
    found[name] = secret
  })
  return found
}

test('a credential in the first field of a form is found, as one in any other', () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = 'client_secret=first-one-1&page=20&refresh_token=second-2%21'
  const request = { method: 'POST', url: 'https://shop.example/token?api_key=third-33', headers, body }
  assert.deepEqual(
    learned((learn) => learnFromRequest(request, learn)),
    { api_key: 'third-33', client_secret: 'first-one-1', refresh_token: 'second-2!' },
  )
  const answer = {
    headers: {},
    cookies: ['sid=abcd-1234; Path=/'],
    body: 'access_token=fourth-4&scope=all',
    isToken: true,
  }
  assert.deepEqual(
    learned((learn) => learnFromResponse(answer, learn)),
    { cookie_sid: 'abcd-1234', access_token: 'fourth-4' },
  )
})

test('a user with a password in an address, and the password of a basic login, are credentials', () => {
  const headers = { authorization: `Basic ${Buffer.from('me:pass:word').toString('base64')}` }
  const request = { method: 'GET', url: 'https://leaf:hidden%21@shop.example/orders?page=12', headers, body: null }
  const found: string[] = []
  learnFromRequest(request, (secret) => found.push(secret))
  for (const secret of ['pass:word', 'hidden!', 'leaf']) assert.ok(found.includes(secret), secret)
  assert.ok(!found.includes('12'))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomeOf, retryAfterMs } from '../../../src/engine/response/outcome.ts'
import { answered } from './asking.ts'

const now = Date.UTC(2026, 0, 1)

const statuses: [kind: 'accept' | 'retry' | 'fail', statuses: number[]][] = [
  ['accept', [200, 201, 204]],
  // A part of a body, nothing new, and redirects that lead nowhere carry no list of records.
  ['retry', [206, 300, 302, 304, 408, 425, 429, 500, 501, 502, 503, 504, 507, 520, 529, 599]],
  ['fail', [400, 401, 402, 403, 404, 405, 406, 409, 410, 413, 415, 422, 426, 451]],
]
for (const [kind, members] of statuses) {
  for (const status of members) {
    test(`outcome: ${status} → ${kind}`, () => assert.equal(outcomeOf(answered(status), now).kind, kind))
  }
}

test('outcome: a part that counts records is a page, a part of the bytes is not', () => {
  const part = (range: string) => outcomeOf(answered(206, '[]', { 'content-range': range }), now)
  for (const range of ['0-9/57', 'items 0-9/57', 'id 1..50; max=50', '*/*'])
    assert.equal(part(range).kind, 'accept', range)
  for (const range of ['bytes 0-9/57', 'Bytes 0-9/57']) assert.equal(part(range).kind, 'retry', range)
})

const waits: [name: string, header: string | undefined, expected: number | undefined][] = [
  ['seconds', '7', 7000],
  ['parts of a second', '0.25', 250],
  ['zero', '0', 0],
  ['a date', 'Thu, 01 Jan 2026 00:01:30 GMT', 90_000],
  ['a date in the old spelling', 'Thursday, 01-Jan-26 00:01:30 GMT', 90_000],
  ['a date gone by', 'Wed, 31 Dec 2025 23:00:00 GMT', 0],
  ['absent', undefined, undefined],
  ['empty', '', undefined],
  ['negative', '-3', undefined],
  ['words', 'soon', undefined],
  ['a weekday and nonsense', 'Thu, nonsense', undefined],
]
for (const [name, header, expected] of waits) {
  test(`outcome: Retry-After, ${name}`, () => assert.equal(retryAfterMs(header, now), expected))
}

test('outcome: a wait that the server names is passed on', () => {
  const outcome = outcomeOf(answered(429, '{"message":"slow down"}', { 'retry-after': '7' }), now)
  assert.deepEqual(outcome, {
    kind: 'retry',
    reason: 'https://api.shop/v1/orders answered 429 Too Many Requests, and says: slow down',
    waitMs: 7000,
    isRateLimited: true,
  })
})

const bodies: [name: string, body: string, said: string | null][] = [
  ['message', '{"message":"No."}', 'No.'],
  ['error as text', '{"error":"No."}', 'No.'],
  ['error with a message', '{"error":{"code":7,"message":"No."}}', 'No.'],
  ['OAuth', '{"error":"invalid_grant","error_description":"Expired."}', 'Expired.'],
  ['errors as a list', '{"errors":[{"detail":"A."},{"detail":"B."}]}', 'A.; B.'],
  ['errors as texts', '{"errors":["A.","B."]}', 'A.; B.'],
  ['messages', '{"messages":["A."]}', 'A.'],
  ['problem details', '{"type":"x","title":"No.","status":400}', 'No.'],
  ['reason', '{"reason":"No."}', 'No.'],
  ['an empty message next to a useful one', '{"message":"","detail":"No."}', 'No.'],
  ['a list on top', '[{"message":"No."}]', 'No.'],
  ['white space is folded, control characters are shown', '{"message":"a\\n  b\\u001b[31m"}', 'a b\\u001b[31m'],
  ['nothing telling', '{"data":[]}', null],
  ['a name from the prototype', '{"constructor":1}', null],
  ['plain text', 'Not today.', 'Not today.'],
  ['the title of a page', '<html><head><title>Login</title></head>', 'Login'],
  ['broken JSON', '{"message":"No', null],
  ['nothing', '', null],
]
for (const [name, body, said] of bodies) {
  test(`outcome: what the body says: ${name}`, () => {
    const outcome = outcomeOf(answered(400, body), now)
    const words = said === null ? '.' : `, and says: ${said}`
    assert.equal(
      outcome.kind === 'fail' && outcome.message,
      `https://api.shop/v1/orders answered 400 Bad Request${words}`,
    )
  })
}

test('outcome: a long message is shortened, and the query is not shown', () => {
  const outcome = outcomeOf(answered(400, JSON.stringify({ message: 'x'.repeat(5000) })), now)
  assert.ok(outcome.kind === 'fail')
  assert.match(outcome.message, /x{299}…$/)
  assert.doesNotMatch(outcome.message, /x{300}|key=/)
})

function message(status: number): string {
  const outcome = outcomeOf(answered(status), now)
  return outcome.kind === 'fail' ? `${outcome.code} ${outcome.message} ${outcome.hint ?? ''}` : ''
}

test('outcome: 401 and 403 point at the credentials, 404 at the path', () => {
  assert.match(message(401), /^response\/rejected .*credentials are missing or not accepted/)
  assert.match(message(403), /^response\/rejected .*credentials/)
  assert.match(message(404), /^response\/rejected .*path.*`path`/)
  assert.match(message(422), /parameters/)
})

test('outcome: a 403 with a used up quota names the rate limit, and when it resets', () => {
  const hintOf = (headers: Record<string, string>) => {
    const outcome = outcomeOf(answered(403, '', headers), now)
    return outcome.kind === 'fail' ? `${outcome.failureType} ${outcome.hint}` : outcome.kind
  }
  const at = new Date(now + 90_000).toISOString()
  const soon = String((now + 90_000) / 1000)
  for (const headers of [
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': soon },
    { 'ratelimit-remaining': '0', 'ratelimit-reset': '90' },
    { 'x-rate-limit-remaining': '0', 'retry-after': '90' },
  ])
    assert.match(
      hintOf(headers),
      new RegExp(`^config_error The rate limit .*remaining: 0.* It resets at ${at}\\. Run again after`),
    )
  assert.match(hintOf({ 'x-ratelimit-remaining': '0' }), /rate limit of the API is used up .*\)\. Run again later/)
  assert.match(hintOf({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9'.repeat(15) }), /rate limit/)
  assert.equal(hintOf({ 'x-ratelimit-remaining': '41', 'x-ratelimit-reset': soon }), 'config_error undefined')
})

test('outcome: a date in Retry-After is one of the server’s clock, however far it is off', () => {
  const hours = 5 * 3_600_000
  const headers = {
    date: new Date(now + hours).toUTCString(),
    'retry-after': new Date(now + hours + 30_000).toUTCString(),
  }
  const outcome = outcomeOf(answered(429, '', headers), now)
  assert.equal(outcome.kind === 'retry' && outcome.waitMs, 30_000)
})

test('outcome: refused credentials are a matter of the config, other refusals are not', () => {
  const typeOf = (status: number) => {
    const outcome = outcomeOf(answered(status), now)
    return outcome.kind === 'fail' ? outcome.failureType : outcome.kind
  }
  assert.deepEqual([400, 401, 402, 403, 404].map(typeOf), [
    undefined,
    'config_error',
    undefined,
    'config_error',
    undefined,
  ])
})

test('outcome: a status that carries no list says what it carries', () => {
  const reasonOf = (status: number) => {
    const outcome = outcomeOf(answered(status), now)
    return outcome.kind === 'retry' ? outcome.reason : outcome.kind
  }
  assert.equal(
    reasonOf(206),
    'https://api.shop/v1/orders answered 206 Partial Content, which carries only a part of the body.',
  )
  assert.equal(
    reasonOf(304),
    'https://api.shop/v1/orders answered 304 Not Modified, which carries no body that could hold a list of records.',
  )
})

test('outcome: each refusal has the advice that fits it', () => {
  assert.match(message(401), /Check the `authenticator`/)
  assert.match(message(402), /Check the parameters/)
  assert.match(message(404), /Check `url_base` and `path`/)
  assert.match(message(405), /Check `http_method`/)
  assert.match(message(406), /Check the parameters/)
})

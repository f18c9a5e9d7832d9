/** What a failure on the way is called, and whether another try may help. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectorError, type ErrorCode } from '../../../src/std/errors.ts'
import { isTransient, networkFailure, type Phase } from '../../../src/engine/response/failure.ts'

const limits = { connectMs: 1, headersMs: 2, bodyMs: 3, totalMs: 4, maxBodyBytes: 5 }
const failed = (code: string, message: string, phase: Phase = 'headers') =>
  networkFailure(Object.assign(new Error(message), { code }), 'api.shop', phase, limits)

const rows: [code: string, phase: Phase, expected: ErrorCode, words: string, message?: string][] = [
  [
    'UND_ERR_CONNECT_TIMEOUT',
    'headers',
    'response/timeout',
    'api.shop was too slow: the limit for connecting is 1 ms.',
  ],
  [
    'UND_ERR_HEADERS_TIMEOUT',
    'headers',
    'response/timeout',
    'api.shop was too slow: the limit for the headers is 2 ms.',
  ],
  [
    'UND_ERR_BODY_TIMEOUT',
    'body',
    'response/timeout',
    'api.shop was too slow: the limit for silence in the body is 3 ms.',
  ],
  [
    'UND_ERR_RES_EXCEEDED_MAX_SIZE',
    'body',
    'response/too-large',
    'The response of api.shop is larger than the limit of 5 bytes.',
  ],
  ['ECONNRESET', 'headers', 'response/cut-short', 'api.shop closed the connection before it answered (ECONNRESET).'],
  ['EPIPE', 'body', 'response/cut-short', 'api.shop closed the connection in the middle of its response (EPIPE).'],
  [
    'UND_ERR_INVALID_ARG',
    'headers',
    'request/invalid-header',
    'The request to api.shop cannot be sent: invalid x header.',
    'invalid x header',
  ],
  [
    'UND_ERR_INVALID_ARG',
    'headers',
    'request/invalid-url',
    'The request to api.shop cannot be sent: no path.',
    'no path',
  ],
  ['Z_BUF_ERROR', 'body', 'response/cut-short', 'The compressed response of api.shop ends in the middle.'],
  ...['Z_DATA_ERROR', 'ERR_BROTLI_PADDING_1', 'ERR__ERROR_FORMAT_PADDING_1', 'ERR__ERROR_FORMAT_X'].map(
    (code): [string, Phase, ErrorCode, string] => [
      code,
      'body',
      'response/not-decodable',
      `The response of api.shop is not compressed as its headers say (${code}).`,
    ],
  ),
  ['EOTHER', 'body', 'response/cut-short', 'The response of api.shop broke off in the middle (EOTHER).'],
  ['EOTHER', 'headers', 'response/unreachable', 'api.shop cannot be reached (EOTHER): why.', 'why'],
  ['HPE_INVALID', 'headers', 'response/unreachable', 'api.shop does not answer in HTTP (HPE_INVALID).'],
  [
    'CERT_HAS_EXPIRED',
    'headers',
    'response/tls-refused',
    'The certificate of api.shop is not accepted (CERT_HAS_EXPIRED).',
  ],
  [
    'CERT_HAS_EXPIRED',
    'body',
    'response/cut-short',
    'The response of api.shop broke off in the middle (CERT_HAS_EXPIRED).',
  ],
  [
    'EPROTO',
    'headers',
    'response/tls-refused',
    'api.shop does not answer in TLS (EPROTO).',
    'SSL: wrong version number',
  ],
  ['EPROTO', 'headers', 'response/tls-refused', 'api.shop refused a connection with TLS (EPROTO).'],
  ['ERR_SSL_X', 'headers', 'response/tls-refused', 'api.shop refused a connection with TLS (ERR_SSL_X).'],
]
for (const [code, phase, expected, words, message = 'no'] of rows) {
  test(`failure: ${code} in the ${phase}, ${message}: ${expected}`, () => {
    const failure = failed(code, message, phase)
    assert.deepEqual([failure.code, failure.message], [expected, words])
  })
}

test('failure: one of ours is left as it is, one without a code is named by its class', () => {
  const own = new ConnectorError('response/aborted', 'mine')
  assert.equal(networkFailure(own, 'api.shop', 'headers', limits), own)
  const named = (error: unknown) => networkFailure(error, 'api.shop', 'headers', limits).message
  assert.equal(named(new TypeError('x')), 'api.shop cannot be reached (TypeError): x.')
  assert.equal(named(Object.assign(new TypeError('x'), { code: 7 })), 'api.shop cannot be reached (TypeError): x.')
  assert.match(named('x'), /^api\.shop cannot be reached \(unknown\)/)
})

test('failure: a certificate has the hint that fits it', () => {
  assert.match(failed('CERT_HAS_EXPIRED', 'x').hint, /must be renewed/)
  for (const code of ['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'])
    assert.match(failed(code, 'x').hint, /is for another one/)
  const usual = new ConnectorError('response/tls-refused', 'x').hint
  assert.equal(failed('SELF_SIGNED_CERT_IN_CHAIN', 'x').hint, usual)
})

test('failure: what may pass is tried again', () => {
  const codes: ErrorCode[] = ['response/unreachable', 'response/timeout', 'response/cut-short', 'response/tls-refused']
  assert.deepEqual(
    codes.map((code) => isTransient(new ConnectorError(code, 'x'))),
    [true, true, true, false],
  )
  assert.equal(isTransient(new Error('x')), false)
})

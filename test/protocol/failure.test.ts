import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectorError } from '../../src/std/errors.ts'
import { failureMessage, failureTypeOf, isFault } from '../../src/protocol/failure.ts'

const of = (code: ConnectorError['code']) => failureTypeOf(new ConnectorError(code, ''))

test('whose turn it is to act', () => {
  assert.equal(of('response/rejected'), 'config_error')
  assert.equal(of('manifest/unsupported-component'), 'config_error')
  assert.equal(of('response/timeout'), 'transient_error')
  assert.equal(of('response/not-decodable'), 'system_error')
  assert.equal(failureTypeOf(new TypeError('x')), 'system_error')
})

test('faults are the user’s own, failures the world’s', () => {
  assert.ok(isFault(new ConnectorError('plan/missing-config', '')))
  assert.ok(!isFault(new ConnectorError('response/rejected', '')))
  assert.ok(!isFault(new Error('manifest/x')))
})

test('TRACE ERROR has the message for people, and the rest in internal_message', () => {
  const error = new ConnectorError('response/rejected', 'The key abcd is refused.', {
    at: { pointer: '/streams/0', file: 'm.yaml', line: 3, column: 5 },
  })
  assert.deepEqual(
    failureMessage(error, 7, (text) => text.replace('abcd', '****'), 'orders'),
    {
      type: 'TRACE',
      trace: {
        type: 'ERROR',
        emitted_at: 7,
        error: {
          message: 'The key **** is refused.',
          internal_message:
            'response/rejected; at: /streams/0  m.yaml:3:5; try: Check the credentials and the permissions they grant.',
          failure_type: 'config_error',
          stream_descriptor: { name: 'orders' },
        },
      },
    },
  )
})

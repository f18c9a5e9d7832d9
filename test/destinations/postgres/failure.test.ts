/** Errors of the driver and the server → what happened, and what to do. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sqlState, statementFailure, stepFailure, unreachable } from '../../../src/destinations/postgres/failure.ts'
import { ChangedTable } from '../../../src/destinations/refused-data.ts'
import { ConnectorError } from '../../../src/std/errors.ts'

const address = 'postgres://me@host/db'
const ofServer = (code: string, message: string, more: object = {}) =>
  Object.assign(new Error(message), { code, severity: 'ERROR', ...more })
const failed = (cause: unknown) => statementFailure(address, cause) as ConnectorError

test('each state of the server has its code', () => {
  const rows: [state: string, code: string][] = [
    ['42P07', 'destinations/table-taken'],
    ['42P01', 'destinations/unreadable'],
    ['42703', 'destinations/unreadable'],
    ['42804', 'destinations/unreadable'],
    ['42883', 'destinations/unreadable'],
    ['42809', 'destinations/unreadable'],
    ['54011', 'destinations/data-refused'],
    ['54001', 'destinations/data-refused'],
    ['0A000', 'destinations/data-refused'],
    ['22003', 'destinations/data-refused'],
    ['23505', 'destinations/data-refused'],
    ['P0001', 'destinations/data-refused'],
    ['54000', 'destinations/data-refused'],
    ['57014', 'destinations/write-refused'],
    ['53100', 'destinations/write-refused'],
    ['42501', 'destinations/write-refused'],
    ['53300', 'destinations/unreachable'],
    ['08006', 'destinations/lost'],
  ]
  for (const [state, code] of rows) assert.equal(failed(ofServer(state, 'No.')).code, code, state)
})

test('an error that ends the session, or is none of the server, says that the session was lost', () => {
  for (const severity of ['FATAL', 'PANIC']) {
    assert.equal(failed(ofServer('57P01', 'terminating', { severity })).code, 'destinations/lost')
  }
  const { code, message } = failed(new Error('Connection terminated.'))
  assert.deepEqual(
    [code, message],
    ['destinations/lost', 'The session with postgres://me@host/db was lost: Connection terminated.'],
  )
  assert.equal(failed(new RangeError('Maximum call stack size exceeded')).code, 'destinations/data-refused')
  const known = new ConnectorError('destinations/busy', 'No.')
  assert.equal(failed(known), known)
  assert.equal(failed('text'), 'text')
})

test('the words of the server come with their detail and state, and a value that may be private does not', () => {
  const where = 'COPY items, line 3, column price: "12345 secret"'
  const { message } = failed(ofServer('22003', 'out of range.', { detail: 'Too large.', where }))
  assert.equal(message, `${address} refused a value of the column "price": out of range (Too large) [22003].`)
  assert.equal(failed(ofServer('22003', 'out of range')).message, `${address} refused: out of range [22003].`)
  assert.match(failed(ofServer('54000', 'row is too big: size 9000')).hint, /RemoveFields/)
})

test('a table that was changed concerns its stream; the hint knows what is staged from what is not', () => {
  const gone = (name: string) => stepFailure(failed(ofServer('42P01', `relation "${name}" does not exist`)))
  const [live, staged] = [gone('orders'), gone('_turnleaf_staged_0123')]
  assert.ok(live instanceof ChangedTable && staged instanceof ChangedTable)
  assert.match(live.hint, /drop the table/)
  assert.match(staged.hint, /--fresh/)
  const other = failed(ofServer('53100', 'disk full'))
  assert.equal(stepFailure(other), other)
})

test('the state is that of the server, also within an error that names it', () => {
  assert.equal(sqlState(ofServer('42P01', 'No.')), '42P01')
  assert.equal(sqlState(failed(ofServer('42P01', 'No.'))), '42P01')
  assert.equal(sqlState(new Error('No.')), undefined)
  assert.equal(sqlState(Object.assign(new Error('No.'), { code: 'ECONNRESET' })), undefined)
})

test('a server that cannot be reached: no password, no session left, no trust, or several addresses', () => {
  const shown = (cause: unknown, attempt?: string) => {
    const { code, message, hint } = unreachable(address, cause, attempt)
    assert.equal(code, 'destinations/unreachable')
    return [message, hint] as const
  }
  const [noPassword] = shown(new Error('SASL: client password must be a string'))
  assert.equal(noPassword, `${address} needs a password, and none is given.`)
  const [full, fewer] = shown(ofServer('53300', 'too many clients'))
  assert.equal(full, `${address} has no session left: too many clients [53300].`)
  assert.match(fewer, /max_connections/)
  const both = new AggregateError([new Error('refused 127.0.0.1'), new Error('refused ::1')])
  assert.equal(shown(both)[0], `${address} cannot be reached: refused 127.0.0.1; refused ::1.`)

  const untrusted = (code: string) => Object.assign(new Error('self-signed certificate'), { code })
  for (const code of ['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE']) {
    assert.match(shown(untrusted(code), 'postgres://host/db')[1], /^Name the certificate/)
  }
  const withFile = (mode: string) =>
    shown(untrusted('UNABLE_TO_GET_ISSUER_CERT'), `postgres://host/db?sslrootcert=a.pem&sslmode=${mode}`)[1]
  assert.match(withFile('require'), /another authority.*remove sslrootcert/)
  assert.match(withFile('verify-full'), /another authority.*without sslrootcert/)
  assert.doesNotMatch(shown(untrusted('CERT_HAS_EXPIRED'))[1], /sslrootcert/)
})

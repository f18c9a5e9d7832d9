/** The address of a database: what of it is shown, and a password with characters that have a meaning in a URL. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseAddress } from '../../../src/destinations/postgres/address.ts'
import { valueInAddress } from '../../../src/destinations/value-in-address.ts'
import { ConnectorError } from '../../../src/std/errors.ts'

/** The address with the value in the place of `${X}`. */
function filled(written: string, value: string): string {
  return written.replace(/\$\{X\}/, (_, offset: number) => valueInAddress(written, offset, value))
}

describe('a variable in an address', () => {
  const cases: readonly (readonly [written: string, value: string, user: string, password: string])[] = [
    ['postgres://me:${X}@db/shop', 'p@ss/w0rd', 'me', 'p@ss/w0rd'],
    ['postgres://me:${X}@db/shop', '?a#b:c', 'me', '?a#b:c'],
    ['postgres://me:${X}@db/shop', '100%', 'me', '100%'],
    ['postgres://me:${X}@db/shop', 'p%40ss%2Fw0rd', 'me', 'p@ss/w0rd'],
    ['postgres://me:${X}@db/shop', 'p%40ss:w', 'me', 'p@ss:w'],
    ['postgres://me:${X}@db/shop', 'p%40ss/w', 'me', 'p%40ss/w'],
    ['postgres://me:be${X}@re@db/shop', 'fo', 'me', 'befo@re'],
    ['postgres://${X}:secret@db/shop', 'me@tenant:1', 'me@tenant:1', 'secret'],
    ['postgres://${X}@db/shop', 'me:p@ss/w:rd', 'me', 'p@ss/w:rd'],
    ['postgres://${X}@db/shop', 'me@tenant', 'me@tenant', ''],
    ['${X}', 'postgres://me:p%40ss@db/shop', 'me', 'p@ss'],
    ['postgres://me:secret@${X}/shop', 'db', 'me', 'secret'],
    ['postgres://me:secret@db${X}', '/shop?sslmode=disable', 'me', 'secret'],
    ['postgres://${X}/shop', 'me:secret@db', 'me', 'secret'],
  ]
  for (const [written, value, user, password] of cases) {
    test(`${written} with ${value}`, () => {
      const [attempt = ''] = parseAddress(filled(written, value)).attempts
      const { username, password: found, host, pathname } = new URL(attempt)
      assert.deepEqual(
        [decodeURIComponent(username), decodeURIComponent(found), host, pathname],
        [user, password, 'db', '/shop'],
      )
    })
  }
})

describe('a password that ends the login is refused, and no part of it is shown', () => {
  for (const login of ['me:p@ss/w0rd', 'me:p@ss?w0rd', 'me:p@ss#w0rd', 'me:12/w0rd', 'me:p@/w0rd', 'me:x@w0rd%40s/y']) {
    test(login, () => {
      assert.throws(
        () => parseAddress(`postgres://${login}@127.0.0.1:9132/shop`),
        (error) => {
          assert.ok(error instanceof ConnectorError)
          assert.match(error.hint, /percent-encode special characters of the password: @ is %40/)
          assert.doesNotMatch(`${error.message} ${error.hint}`, /w0rd|ss[/?#]/)
          return error.code === 'destinations/unknown'
        },
      )
    })
  }

  test('`@` elsewhere stays: encoded in a login, and in the value of a parameter', () => {
    for (const address of ['postgres://me%40tenant:p%40ss@db/shop', 'postgres://db/shop?user=me@tenant&password=p@ss'])
      assert.match(parseAddress(address).shown, /^postgres:\/\/me(?:%40|@)tenant@db\/shop$/)
  })
})

describe('the parts of an address', () => {
  test('password and parameters are not shown; the host and the user may be parameters', () => {
    const shown = (address: string) => parseAddress(address).shown
    assert.equal(shown('postgres://me:secret@host:5433/db?sslmode=disable'), 'postgres://me@host:5433/db')
    assert.equal(shown('postgresql://host/db'), 'postgres://host/db')
    assert.equal(shown('postgres://me@/db'), 'postgres://me@localhost/db')
    assert.equal(shown('postgres:///db?host=/run/pg&user=me&port=5433'), 'postgres://me@/run/pg:5433/db')
  })

  test('the schema is the one that is given, the one in the address, or `public`', () => {
    assert.equal(parseAddress('postgres://host/db').schema, 'public')
    assert.equal(parseAddress('postgres://host/db?schema=').schema, 'public')
    assert.equal(parseAddress('postgres://host/db?schema=shop').schema, 'shop')
    assert.equal(parseAddress('postgres://host/db?schema=shop', 'mail').schema, 'mail')
    assert.doesNotMatch(parseAddress('postgres://host/db?schema=shop').attempts.join(' '), /schema/)
  })

  test('sslmode means what it means to psql, which has no TLS on a socket', () => {
    const modes = (address: string) =>
      parseAddress(address).attempts.map((attempt) => new URL(attempt).searchParams.get('sslmode'))
    for (const mode of ['prefer', 'allow']) {
      assert.deepEqual(modes(`postgres://host/db?sslmode=${mode}`), ['prefer', 'disable'])
    }
    for (const mode of ['disable', 'require', 'verify-ca', 'verify-full']) {
      assert.deepEqual(modes(`postgres://host/db?sslmode=${mode}`), [mode])
    }
    assert.deepEqual(modes('postgres://db?host=/run/pg&sslmode=require'), ['disable'])
    const refused = { code: 'destinations/unknown', message: /^The address of .* has an unknown sslmode: no-verify\.$/ }
    assert.throws(() => modes('postgres://host/db?sslmode=no-verify'), refused)
    assert.throws(() => modes('postgres://host/db?sslmode=no-verify&uselibpqcompat=true'), refused)
    assert.deepEqual(modes('postgres://host/db?sslmode=no-verify&uselibpqcompat=false'), ['no-verify'])
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ConnectorError } from '../../src/std/errors.ts'
import { checkOrigin } from '../../src/site/origin.ts'
import { siteFiles } from './running.ts'
import { createSite } from '../../src/site/site.ts'

const origins: [given: string, origin: string][] = [
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['https://turnleaf.example', 'https://turnleaf.example'],
  ['https://turnleaf.example/', 'https://turnleaf.example'],
  ['https://turnleaf.example:443', 'https://turnleaf.example'],
  ['HTTPS://Turnleaf.Example', 'https://turnleaf.example'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
  ['https://blätter.example', 'https://xn--bltter-cua.example'],
]

const refused: [why: string, given: string][] = [
  ['a path', 'https://turnleaf.example/app'],
  ['a path that ends with a slash', 'https://turnleaf.example/app/'],
  ['a query', 'https://turnleaf.example/?a=1'],
  ['an empty query', 'https://turnleaf.example/?'],
  ['a fragment', 'https://turnleaf.example/#top'],
  ['an empty fragment', 'https://turnleaf.example#'],
  ['a user', 'https://user@turnleaf.example'],
  ['a password', 'https://user:hunter2@turnleaf.example'],
  ['another scheme', 'ftp://turnleaf.example'],
  ['a scheme that runs', 'javascript:alert(1)'],
  ['a quote in its host', 'http://turn"leaf.example'],
  ['an ampersand in its host', 'http://turn&leaf.example'],
  ['no scheme', 'turnleaf.example'],
  ['a path alone', '/'],
  ['nothing', ''],
]

describe('a configured address', () => {
  for (const [given, origin] of origins) {
    test(`${given} is ${origin}`, () => assert.equal(checkOrigin(given, 'base URL'), origin))
  }
  for (const [why, given] of refused) {
    test(`with ${why} is refused at start: ${given}`, () => {
      const facts = { baseUrl: given, apiUrl: 'http://127.0.0.1:1', version: '1' }
      const isRefusal = (error: unknown) =>
        error instanceof ConnectorError &&
        error.code === 'site/invalid-base-url' &&
        !JSON.stringify(error).includes('hunter2')
      assert.throws(() => createSite(facts, siteFiles), isRefusal)
      assert.throws(() => createSite({ ...facts, baseUrl: facts.apiUrl, apiUrl: given }, siteFiles), isRefusal)
    })
  }
})

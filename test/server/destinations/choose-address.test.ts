/** Destinations that clients name: files stay in the home, databases within the egress policy. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { chooseAddress } from '../../../src/server/destinations/choose-address.ts'

const home = mkdtempSync(join(tmpdir(), 'turnleaf-home-'))
after(() => rmSync(home, { recursive: true, force: true }))
mkdirSync(join(home, 'real'))
symlinkSync(tmpdir(), join(home, 'out'))
symlinkSync(join(tmpdir(), 'turnleaf-not-there'), join(home, 'dangling'))
symlinkSync(join(home, 'real'), join(home, 'in'))

const rules = { home, egress: 'loopback-allowed' } as const

const accepted: readonly (readonly [given: string, written: string])[] = [
  ['duckdb:shop.duckdb', 'duckdb:shop.duckdb'],
  ['jsonl:data/shop', 'jsonl:data/shop'],
  ['parquet:./data/../lake', 'parquet:lake'],
  ['jsonl:in/shop', 'jsonl:in/shop'],
]
for (const [given, written] of accepted) {
  test(`${given} is a place in the home`, async () => {
    assert.deepEqual((await chooseAddress(given, rules)).written, written)
  })
}

const refused: readonly (readonly [given: string, reason: RegExp])[] = [
  ['duckdb:../shop.duckdb', /is not a path in .*, the folder of the server/],
  ['duckdb:/etc/shop.duckdb', /is not a path in .*, the folder of the server/],
  ['jsonl:.', /is not a path in .*, the folder of the server/],
  ['jsonl:out/shop', /is not a path in .*, the folder of the server/],
  ['duckdb:dangling', /is not a path in .*, the folder of the server/],
  ['duckdb:', /is not a path in .*, the folder of the server/],
  ['jsonl:connectors/shop', /holds something else/],
  ['jsonl:data/.git', /holds something else/],
  ['mysql://host/db', /none of/],
  ['postgres://me:${HOME}@127.0.0.1/shop', /must be the whole address/],
  ['postgres://me@127.0.0.1/shop?sslrootcert=/etc/passwd', /parameter `sslrootcert`/],
  ['postgres://me@127.0.0.1/shop?host=/var/run', /parameter `host`/],
  ['postgres://me@%2Fvar%2Frun/shop', /names a socket/],
  ['postgres://me@169.254.169.254/shop', /egress policy/],
  ['${TURNLEAF_TEST_NOT_SET}', /is not set/],
  ['${PATH}', /is not the address/],
]
for (const [given, reason] of refused) {
  test(`${given} is refused, and no value of the server is shown`, async () => {
    await assert.rejects(chooseAddress(given, rules), (error: Error) => {
      assert.match(error.message, reason)
      assert.ok(!error.message.includes(process.env.PATH ?? '-'))
      return true
    })
  })
}

test('where other machines can reach the server, a database of its own network is refused', async () => {
  const isPublic = { home, egress: 'public-only' } as const
  await assert.rejects(chooseAddress('postgres://me:secret@127.0.0.1/shop', isPublic), /egress policy/)
  await assert.rejects(chooseAddress('postgres://me@127.0.0.1/shop', isPublic), /user and a password/)
  process.env.TURNLEAF_TEST_WAREHOUSE = 'postgres://me:secret@127.0.0.1/shop'
  try {
    const { address, written } = await chooseAddress('${TURNLEAF_TEST_WAREHOUSE}', isPublic)
    assert.deepEqual([address, written], ['postgres://me:secret@127.0.0.1/shop', '${TURNLEAF_TEST_WAREHOUSE}'])
  } finally {
    delete process.env.TURNLEAF_TEST_WAREHOUSE
  }
})

/** Which addresses name a destination, and which destinations several processes may write to. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leadClaim } from '../../src/destinations/destination.ts'
import { destinationAt, openShared } from '../../src/destinations/open-destination.ts'
import { memoryDestination } from '../helpers/memory-destination.ts'

test('several processes may write to Postgres, and to a destination that says so', async () => {
  for (const address of ['duckdb:shop.duckdb', 'jsonl:rows', 'parquet:rows']) {
    const destination = destinationAt(address)
    assert.equal(destination.address, address)
    await assert.rejects(openShared(destination, 'shop', leadClaim), {
      code: 'destinations/cannot-share',
      message: `${address} cannot be written to by several processes at the same time.`,
    })
  }
  assert.equal(destinationAt('postgres://me@host/db').canShare, true)
  assert.equal(destinationAt('postgresql://me@host/db').canShare, true)
  const opened = await openShared({ ...memoryDestination(), canShare: true }, 'shop', leadClaim)
  await opened.close()
})

test('an address that names no destination is refused, and what may be a password in it is not shown', () => {
  const refused = (address: string, message: string) =>
    assert.throws(() => destinationAt(address), { code: 'destinations/unknown', message })
  refused('shop.duckdb', 'The address names no kind of destination.')
  refused('', 'The address names no kind of destination.')
  refused('mysql://me:secret@host/db', 'There is no destination at mysql:.')
  refused('toString:x', 'The address names no kind of destination.')
  refused('constructor:x', 'There is no destination at constructor:.')
  refused('duckdb:', 'There is no destination at duckdb:.')
})

test('the path of an address may hold anything, line breaks included', () => {
  assert.equal(destinationAt('jsonl:a:b\nc').address, 'jsonl:a:b\nc')
})

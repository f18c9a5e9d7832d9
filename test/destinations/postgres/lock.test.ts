/** Whose session may be ended by another process that needs its lock. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { from } from 'pg-copy-streams'
import { parseAddress } from '../../../src/destinations/postgres/address.ts'
import { lockKey, takeLock } from '../../../src/destinations/postgres/lock.ts'
import { connect } from '../../../src/destinations/postgres/session.ts'
import { freshDatabase } from '../../helpers/postgres.ts'

const leaseMs = 200
const lockWaitMs = 500

/** Another process that holds the lock of the connection while it copies rows: all the time, or none any more. */
async function copying(url: string, isSlow: boolean) {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  await client.query('CREATE TABLE IF NOT EXISTS copied (line text)')
  await client.query('SELECT pg_advisory_lock($1)', [lockKey('public', 'shop')])
  const rows = client.query(from('COPY copied FROM STDIN'))
  let hasEnded = false
  rows.on('error', () => (hasEnded = true))
  rows.write('first\n')
  const timer = setInterval(() => isSlow && !hasEnded && rows.write('next\n'), 20)
  return {
    hasEnded: () => hasEnded,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await client.end()
    },
  }
}

test('a process that copies rows slowly keeps its lock, one that has stopped loses it', async () => {
  await using database = await freshDatabase()
  const session = await connect(parseAddress(database.url), lockWaitMs)
  try {
    const take = () => takeLock(session, 'shop', { isShared: false, leaseMs })
    {
      await using slow = await copying(database.url, true)
      await assert.rejects(take(), { code: 'destinations/busy', message: /^Another sync of the connection "shop"/ })
      assert.equal(slow.hasEnded(), false)
    }
    await using stopped = await copying(database.url, false)
    await take()
    assert.equal(stopped.hasEnded(), true)
  } finally {
    await session.close()
  }
})

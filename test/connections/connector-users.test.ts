import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { connectorUsers, renameConnectorIn } from '../../src/connections/connector-users.ts'
import { setSchedule } from '../../src/schedules/edit-schedule.ts'
import { tempFolder } from '../cli/shop.ts'

test('another name of a connector keeps what was written meanwhile, and brings no removed connection back', async () => {
  await using files = await tempFolder()
  const nightly = await files.write('connections/nightly/connection.yaml', '# mine\nconnector: shop\n')
  const removed = await files.write('connections/removed/connection.yaml', 'connector: shop\n')
  const users = await connectorUsers(files.folder, 'shop')
  await setSchedule('nightly', { every: '7h' }, files.folder, 0)
  await rm(dirname(removed), { recursive: true })
  for (const user of users) await renameConnectorIn(user, 'store')
  assert.equal(await readFile(nightly, 'utf8'), '# mine\nconnector: store\nschedule:\n  every: 7h\n')
  assert.ok(!existsSync(removed))
})

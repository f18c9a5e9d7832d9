/** The sessions of the queue with a server that ends them at any moment. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { hasCode } from '../../src/std/errors.ts'
import { openQueueDatabase } from '../../src/workers/database.ts'

/** A message of the protocol: its letter, its length, its content. */
function message(letter: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(content.length + 4)
  return Buffer.concat([Buffer.from(letter), length, content])
}

const accepted = message('R', Buffer.alloc(4))
const ready = message('Z', Buffer.from('I'))
const done = message('C', Buffer.from('DONE\0'))
const ended = message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mthe server is shut down\0\0'))

test('a server that ends a session with the words that accept it fails one statement, not the process', async () => {
  let sessions = 0
  const server = createServer((socket) => {
    const isFirst = ++sessions === 1
    socket.once('data', () => {
      if (!isFirst) return socket.end(Buffer.concat([accepted, ready, ended]))
      socket.on('data', () => socket.write(Buffer.concat([done, ready])))
      return socket.write(Buffer.concat([accepted, ready]))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const database = await openQueueDatabase(`postgres://me@127.0.0.1:${port}/queue?sslmode=disable`)
  try {
    await database.transaction(async ({ query }) => {
      const lost = database.transaction(() => Promise.resolve())
      await assert.rejects(lost, (error) => hasCode(error, 'destinations/lost'))
      await query('SELECT')
    })
    assert.equal(sessions, 2)
  } finally {
    await database.close()
    server.close()
  }
})

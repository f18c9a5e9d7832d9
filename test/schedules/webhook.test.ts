import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseConnection } from '../../src/connections/connection.ts'
import { sendWebhook } from '../../src/schedules/webhook.ts'
import { serveApi } from '../helpers/serve-api.ts'

const connectionWith = (webhook: string) =>
  parseConnection(JSON.stringify({ connector: 'shop', schedule: { every: '1h', webhook } }), 'c/shop/connection.json')

test('a webhook gets JSON; why it failed is said without its address', async () => {
  await using api = await serveApi({
    'POST /s3cret': () => ({ status: 204 }),
    'POST /gone-s3cret': () => ({ status: 410, text: 's3cret' }),
    'POST /moved-s3cret': () => ({ status: 302, headers: { location: '/s3cret' } }),
  })
  const { signal } = new AbortController()
  const send = (path: string, egress: 'loopback-allowed' | 'public-only' = 'loopback-allowed') =>
    sendWebhook(
      connectionWith(path.startsWith('$') ? path : `${api.url}${path}`),
      { status: 'complete' },
      { egress, signal },
    )
  assert.equal(await send('/s3cret'), null)
  assert.deepEqual(
    [api.requests[0]?.body, api.requests[0]?.headers['content-type']],
    ['{"status":"complete"}', 'application/json'],
  )
  assert.equal(await send('/gone-s3cret'), 'it answers with status 410')
  assert.equal(await send('/moved-s3cret'), 'it answers with status 302')
  assert.equal(api.asked.filter((line) => line === 'POST /s3cret').length, 1)
  assert.equal(await send('/s3cret', 'public-only'), 'response/address-refused')
  assert.equal(await send('${NO_SUCH_WEBHOOK}'), 'connections/missing-variable')
  await api.closeConnections()
})

test('a webhook that does not answer is given up with the signal', async () => {
  let reached = () => {}
  const isReached = new Promise<void>((resolve) => {
    reached = resolve
  })
  await using api = await serveApi({
    '*': () => {
      reached()
      return { raw: () => {} }
    },
  })
  const stop = new AbortController()
  const sent = sendWebhook(connectionWith(`${api.url}/hook`), {}, { egress: 'loopback-allowed', signal: stop.signal })
  await isReached
  stop.abort()
  assert.equal(await sent, 'response/aborted')
})

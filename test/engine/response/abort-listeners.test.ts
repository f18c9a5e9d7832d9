/** Requests leave no listener on the signal of their read: beyond ten Node warns of a leak. */
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { openNetwork } from '../../../src/engine/response/send.ts'
import { serveApi } from '../../helpers/serve-api.ts'

test('a streamed response that is discarded or read leaves no listener on the signal', async () => {
  await using api = await serveApi({ 'GET /items': () => ({ json: { data: [1, 2, 3] } }) })
  const network = openNetwork({ egress: 'loopback-allowed' })
  try {
    const { signal } = new AbortController()
    const request = { method: 'GET', url: `${api.url}/items`, headers: {}, body: null, streams: true } as const
    for (let index = 0; index < 12; index++) {
      const { stream } = await network.send(request, signal)
      assert.ok(stream !== undefined)
      if (index % 2 === 0) stream.discard()
      else for await (const _ of stream.chunks);
      assert.equal(getEventListeners(signal, 'abort').length, 0, `request ${index}`)
    }
  } finally {
    await network.close()
  }
})

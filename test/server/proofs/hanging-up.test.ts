import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { startApi } from '../start-api.ts'
import { manifestOf } from '../../helpers/manifests.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { facts } from '../api.ts'
import { testServices } from '../services.ts'

/** An API that never answers, and reports when the client disconnects. */
async function silentApi() {
  let tell: (response: ServerResponse) => void = () => {}
  const isAsked = new Promise<ServerResponse>((resolve) => {
    tell = resolve
  })
  const server = await serveApi({ '*': () => ({ raw: tell }) })
  return { ...server, isAsked }
}

const bodies: Readonly<Record<string, (url: string) => object>> = {
  '/v1/diagnoses': (url) => ({ text: JSON.stringify(manifestOf({ url })), stream: 'items' }),
  '/v1/detections': (url) => ({ url }),
}

describe('disconnecting ends the running request, and releases its slot', () => {
  for (const [path, bodyOf] of Object.entries(bodies)) {
    test(path, async () => {
      using services = testServices()
      await using api = await startApi({ baseUrl: facts.baseUrl, version: facts.version, services })
      // More of them than there are turns, one after the other.
      for (let turn = 0; turn < 9; turn++) {
        await using server = await silentApi()
        const leaving = new AbortController()
        const reply = await fetch(`${api.url}${path}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(bodyOf(server.url)),
          signal: leaving.signal,
        })
        assert.equal(reply.status, 200)
        const closed = once(await server.isAsked, 'close')
        leaving.abort()
        await closed
      }
    })
  }
})

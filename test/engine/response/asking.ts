/** Short ways to ask, and to say which error is expected. */
import assert from 'node:assert/strict'
import { ConnectorError, type ErrorCode } from '../../../src/std/errors.ts'
import type { HttpRequest } from '../../../src/engine/request/http-request.ts'
import type { HttpResponse } from '../../../src/engine/response/http-response.ts'
import { type Network, openNetwork } from '../../../src/engine/response/send.ts'
import { type Handler, type ServedApi, serveApi } from '../../helpers/serve-api.ts'
import type { NetworkLimits } from '../../../src/engine/response/failure.ts'

export function get(url: string, headers: Record<string, string> = {}): HttpRequest {
  return { method: 'GET', url, headers, body: null }
}

export function post(url: string, body: string, headers: Record<string, string> = {}): HttpRequest {
  return { method: 'POST', url, headers, body }
}

/** A response that no server had to send. */
export function answered(
  status: number,
  body: string | Uint8Array = '',
  headers: Record<string, string> = {},
): HttpResponse {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  return { status, url: 'https://api.shop/v1/orders?page=2&key=k', headers, body: bytes }
}

/** For `assert.rejects` and `assert.throws`: one of our errors, with this code and these words. */
export function hasCode(code: ErrorCode, words = /./): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof ConnectorError, `not a ConnectorError: ${String(error)}`)
    assert.equal(error.code, code, error.message)
    assert.match(error.message, words)
    return true
  }
}

export const never = new AbortController().signal

/** Runs one test against one server, and closes its server and sockets. */
export async function against(
  route: Handler,
  run: (api: ServedApi, network: Network) => Promise<void>,
  limits: Partial<NetworkLimits> = {},
): Promise<void> {
  await using api = await serveApi({ '*': route })
  const network = openNetwork({ limits })
  try {
    await run(api, network)
  } finally {
    await network.close()
  }
}

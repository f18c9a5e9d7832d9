/** Send → Send that follows redirects. */
import { isUrl } from '../../std/text/is-url.ts'
import { ConnectorError } from '../../std/errors.ts'
import type { HttpRequest } from '../request/http-request.ts'
import type { HttpResponse, Send } from './http-response.ts'

/** curl stops after 50 and browsers after 20; an API that needs more than ten has lost its way. */
const maxHops = 10

/** Follows up to ten redirects. Each hop goes through `send`, which checks the address and signs, or strips, for its origin. */
export function withRedirects(send: Send): Send {
  return async (first, signal) => {
    let request = first
    for (let hop = 0; hop <= maxHops; hop++) {
      const response = await send(request, signal)
      const target = targetOf(response, request.url)
      if (target === null) return response
      request = { ...methodAndBody(request, response.status), url: target }
    }
    const message = `${new URL(first.url).host} redirected more than ${maxHops} times, last to ${new URL(request.url).host}.`
    throw new ConnectorError('response/redirect-loop', message)
  }
}

/** Where a redirect leads; null when the response is none. */
function targetOf(response: HttpResponse, from: string): string | null {
  const { location } = response.headers
  if (![301, 302, 303, 307, 308].includes(response.status) || location === undefined) return null
  if (!isUrl(location, from)) throw invalidTarget(from, 'an address that cannot be read')
  const target = new URL(location, from)
  if (target.protocol !== 'http:' && target.protocol !== 'https:') throw invalidTarget(from, target.protocol)
  target.hash = ''
  // A user and password in a link are the server's idea, not the author's.
  target.username = ''
  target.password = ''
  return target.href
}

/** As browsers and Python's requests do: 303 and 302 turn to GET, 301 turns POST to GET; only 307 and 308 keep the body. */
function methodAndBody(request: HttpRequest, status: number): HttpRequest {
  if (status === 307 || status === 308) return request
  const turnsToGet = status === 301 ? request.method === 'POST' : request.method !== 'HEAD'
  const kept = Object.entries(request.headers).filter(([name]) => !bodyHeaders.has(name.toLowerCase()))
  return { ...request, method: turnsToGet ? 'GET' : request.method, headers: Object.fromEntries(kept), body: null }
}

const bodyHeaders = new Set(['content-type', 'content-length', 'transfer-encoding'])

function invalidTarget(from: string, what: string): ConnectorError {
  const message = `${new URL(from).host} redirects to ${what}, where http or https is needed.`
  return new ConnectorError('request/invalid-url', message)
}

/** A request → the same with the headers that every request carries. */
import type { HttpRequest } from '../request/http-request.ts'

/** The version of package.json; a test holds the two together. */
const userAgent = 'turnleaf/0.1.0'

const assumedHeaders = [
  ['accept', '*/*'],
  ['accept-encoding', 'gzip, deflate, br'],
  ['user-agent', userAgent],
] as const

/** Those that the request does not have. */
export function withAssumedHeaders(request: HttpRequest): HttpRequest {
  // Not a spread: V8 adds members to what that makes slowly.
  const headers: Record<string, string> = Object.assign({}, request.headers)
  for (const [name, value] of assumedHeaders) if (!hasHeader(request.headers, name)) headers[name] = value
  return { ...request, headers }
}

function hasHeader(headers: HttpRequest['headers'], name: string): boolean {
  for (const given in headers) if (given.length === name.length && given.toLowerCase() === name) return true
  return false
}

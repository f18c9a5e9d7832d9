/** Send → Send that gives each origin back the cookies it set, and no other. */
import { originOf } from '../../std/text/is-url.ts'
import { type HttpRequest, withHeader } from '../request/http-request.ts'
import type { Send } from './http-response.ts'

/**
 * Some APIs keep a session in a cookie and answer later pages differently without it; Airbyte keeps them too.
 * Bound to the exact origin, whatever `Domain` says: a cookie that is sent to no other origin needs no public suffix list.
 */
export function withCookies(send: Send, now: () => number): Send {
  const jars = new Map<string, Map<string, string>>()

  return async (request, signal) => {
    const origin = originOf(request.url)
    const jar = jars.get(origin)
    const response = await send(jar === undefined ? request : withCookie(request, jar), signal)
    if (response.cookies !== undefined) {
      const kept = jar ?? new Map<string, string>()
      for (const line of response.cookies) keep(kept, line, now())
      jars.set(origin, kept)
    }
    return response
  }
}

function withCookie(request: HttpRequest, jar: ReadonlyMap<string, string>): HttpRequest {
  const hasOwn = Object.keys(request.headers).some((name) => name.toLowerCase() === 'cookie')
  if (hasOwn || jar.size === 0) return request
  return withHeader(request, 'cookie', Array.from(jar, ([name, value]) => `${name}=${value}`).join('; '))
}

/** RFC 6265 §6.1: at least fifty per domain; an API that sets a new one with every response must not drown itself. */
const mostCookies = 50

/** `sid=1; Max-Age=60; Path=/` */
function keep(jar: Map<string, string>, line: string, now: number): void {
  const [pair = '', ...attributes] = line.split(';')
  const [, name, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/s.exec(pair) ?? []
  if (name === undefined || value === undefined) return
  jar.delete(name)
  if (!isOver(attributes, now)) jar.set(name, value)
  if (jar.size > mostCookies) jar.delete(jar.keys().next().value as string)
}

/** Max-Age wins over Expires. */
function isOver(attributes: readonly string[], now: number): boolean {
  const valueOf = (name: string) =>
    attributes.map((text) => new RegExp(`^\\s*${name}\\s*=\\s*(.*?)\\s*$`, 'i').exec(text)?.[1]).find(Boolean)
  const maxAge = valueOf('max-age')
  return maxAge === undefined ? Date.parse(valueOf('expires') ?? '') <= now : Number(maxAge) <= 0
}

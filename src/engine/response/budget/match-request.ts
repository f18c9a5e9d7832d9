/** A request × a matcher of the budget → whether the matcher means it. */
import type { MatcherPlan } from '../../plan/budget.ts'
import type { HttpRequest } from '../../request/http-request.ts'
import { hasMatch } from '../../template/patterns.ts'

/**
 * Whether everything the matcher names is so.
 *
 * @example matchesRequest({ method: 'GET', path: '^/orders', … }, request)
 */
export function matchesRequest(matcher: MatcherPlan, request: HttpRequest): boolean {
  const url = new URL(request.url)
  return (
    (matcher.method === null || matcher.method === request.method.toUpperCase()) &&
    (matcher.origin === null || isOrigin(matcher.origin, url)) &&
    // Airbyte: the path without slashes at its end.
    (matcher.path === null || hasMatch(matcher.path, url.pathname.replace(/\/+$/, ''))) &&
    holds(matcher.query, () => new Map(url.searchParams)) &&
    holds(matcher.headers, () => new Map(lowerCased(request.headers)))
  )
}

/** Airbyte: scheme and host only; with a path, or a template, in it a matcher matches nothing. */
function isOrigin(text: string, { origin }: URL): boolean {
  if (text === origin) return true
  try {
    const wanted = new URL(text)
    return wanted.origin === origin && `${wanted.pathname}${wanted.search}` === '/'
  } catch {
    return false
  }
}

function holds(wanted: Readonly<Record<string, string>>, given: () => ReadonlyMap<string, string>): boolean {
  const pairs = Object.entries(wanted)
  if (pairs.length === 0) return true
  const values = given()
  return pairs.every(([name, value]) => values.get(name) === value)
}

function lowerCased(headers: HttpRequest['headers']): [string, string][] {
  return Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
}

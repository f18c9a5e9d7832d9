/** Guards of the routes: reject requests from pages of other sites, and requests without the token. */
import { isUrl } from '../std/text/is-url.ts'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import { ConnectorError } from '../std/errors.ts'
import { problemResponse } from './responses.ts'

/** For every response: no content sniffing, no embedding by pages of other sites. */
export const isolationHeaders: MiddlewareHandler = async (context, next) => {
  await next()
  context.res.headers.set('X-Content-Type-Options', 'nosniff')
  context.res.headers.set('Cross-Origin-Resource-Policy', 'same-origin')
}

/** Links to a page are allowed from anywhere; its files are loaded by itself only. */
export const notEmbedded: MiddlewareHandler = async (context, next) => {
  const isVisit = context.req.header('sec-fetch-mode') === 'navigate'
  if (!isVisit && !isSameOrigin(context)) return refuse('The request comes from a page of another site.')
  return next()
}

/**
 * For routes that do or reveal something. The check of Host blocks DNS rebinding, the others block requests across
 * origins, also those whose response the page could not read.
 */
export function ownPagesOnly(apiUrl: string): MiddlewareHandler {
  return async (context, next) => {
    const own = ownOrigins(apiUrl, localEnd(context))
    const host = context.req.header('host')
    // HTTP/1.1 requires it; calls within the process have none.
    if (host !== undefined && !namesOwnHost(host, own)) return refuse('The server does not accept this host name.')
    const origin = context.req.header('origin')
    if ((origin !== undefined && !own.has(origin)) || !isSameOrigin(context)) {
      return refuse('The request comes from a page of another site.')
    }
    return next()
  }
}

/** Only browsers send the header; `none` is an address that a person typed. */
function isSameOrigin({ req }: Context): boolean {
  return ['same-origin', 'none', undefined].includes(req.header('sec-fetch-site'))
}

function localEnd({ env }: Context): LocalEnd {
  return (env as Partial<HttpBindings> | undefined)?.incoming?.socket ?? {}
}

function refuse(message: string): Response {
  return problemResponse(new ConnectorError('server/foreign', message))
}

export function tokenOnly(token: string): MiddlewareHandler {
  const wanted = digest(token)
  return async (context, next) => {
    const [, given] = /^bearer +(\S+) *$/i.exec(context.req.header('authorization') ?? '') ?? []
    // Digests have the same length, so the comparison takes constant time.
    if (given !== undefined && timingSafeEqual(digest(given), wanted)) return next()
    const message = given === undefined ? 'The request has no token.' : 'The token is wrong.'
    return problemResponse(new ConnectorError('server/unauthorized', message), {
      'WWW-Authenticate': 'Bearer realm="Turnleaf"',
    })
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** The server's side of a connection. */
type LocalEnd = { readonly localAddress?: string | undefined; readonly localPort?: number | undefined }

/** Whether only this machine can reach the host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/**
 * The published address, and the local address of the connection. Other names are not accepted, since their owner decides
 * what they resolve to; a page cannot forge the address of a connection.
 */
function ownOrigins(apiUrl: string, { localAddress, localPort }: LocalEnd): ReadonlySet<string> {
  const published = new URL(apiUrl)
  const address = (localAddress ?? published.hostname).replace(/^::ffff:|^\[|\]$/g, '')
  const port = localPort ?? published.port
  const hosts = isLoopback(address) ? ['localhost', '127.0.0.1', '[::1]'] : []
  const literal = address.includes(':') ? `[${address}]` : address
  const here = localAddress === undefined ? hosts : [...hosts, literal]
  return new Set([published.origin, ...here.flatMap((host) => originOf(`http://${host}:${port}`) ?? [])])
}

/** With http and https: TLS may end at a proxy. */
function namesOwnHost(host: string, own: ReadonlySet<string>): boolean {
  return ['http', 'https'].some((scheme) => own.has(originOf(`${scheme}://${host}`) ?? ''))
}

function originOf(url: string): string | null {
  if (!isUrl(url)) return null
  const { origin, href } = new URL(url)
  // Rejects a host with a path or a password.
  return href === `${origin}/` ? origin : null
}

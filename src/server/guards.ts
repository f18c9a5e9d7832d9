/** What stands before the routes: requests of other sites' pages are refused, and those without the token. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import { ConnectorError } from '../std/errors.ts'
import { problem } from './responses.ts'

/** For every answer: it is what it says it is, and no page of another site may embed it. */
export const keptToItself: MiddlewareHandler = async (context, next) => {
  await next()
  context.res.headers.set('X-Content-Type-Options', 'nosniff')
  context.res.headers.set('Cross-Origin-Resource-Policy', 'same-origin')
}

/** A page may be visited from anywhere, by a link; its files are loaded by itself only. */
export const notEmbedded: MiddlewareHandler = async (context, next) => {
  const isVisit = context.req.header('sec-fetch-mode') === 'navigate'
  if (!isVisit && !isOfOwnPage(context)) return refuse('A page of another site asks for it.')
  return next()
}

/**
 * Before whatever does or tells something. The Host keeps out pages whose name was made to lead here (DNS rebinding),
 * the others keep out pages that ask across origins, be it without a look at the answer.
 */
export function ownPagesOnly(apiUrl: string): MiddlewareHandler {
  return async (context, next) => {
    const own = ownOrigins(apiUrl, localEnd(context))
    const host = context.req.header('host')
    // HTTP/1.1 does not do without; a call within the process does.
    if (host !== undefined && !namesOwnHost(host, own)) return refuse('The server is not reached by this name.')
    const origin = context.req.header('origin')
    if ((origin !== undefined && !own.has(origin)) || !isOfOwnPage(context)) {
      return refuse('A page of another site asks for it.')
    }
    return next()
  }
}

/** Programs say nothing of sites; browsers do, and `none` is an address that a person typed. */
function isOfOwnPage({ req }: Context): boolean {
  return ['same-origin', 'none', undefined].includes(req.header('sec-fetch-site'))
}

function localEnd({ env }: Context): LocalEnd {
  return (env as Partial<HttpBindings> | undefined)?.incoming?.socket ?? {}
}

function refuse(message: string): Response {
  return problem(new ConnectorError('server/foreign', message))
}

export function tokenOnly(token: string): MiddlewareHandler {
  const wanted = digest(token)
  return async (context, next) => {
    const [, given] = /^bearer +(\S+) *$/i.exec(context.req.header('authorization') ?? '') ?? []
    // Digests are of one length, and take as long to compare whatever is in them.
    if (given !== undefined && timingSafeEqual(digest(given), wanted)) return next()
    const message = given === undefined ? 'The request has no token.' : 'The token is another one.'
    return problem(new ConnectorError('server/unauthorized', message), {
      'WWW-Authenticate': 'Bearer realm="Turnleaf"',
    })
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** The end of a connection that is ours. */
type LocalEnd = { readonly localAddress?: string | undefined; readonly localPort?: number | undefined }

/** Only this machine can reach such a host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/**
 * The published address, and the one that the connection came in at. Names resolve to whatever their owner likes, so
 * no other name counts; the address of a connection cannot be made up by a page.
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

/** The host of a request, as an origin of either kind: TLS may end before the server. */
function namesOwnHost(host: string, own: ReadonlySet<string>): boolean {
  return ['http', 'https'].some((scheme) => own.has(originOf(`${scheme}://${host}`) ?? ''))
}

function originOf(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { origin, href } = new URL(url)
  // A host with a path or a password in it is no host.
  return href === `${origin}/` ? origin : null
}

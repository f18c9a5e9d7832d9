/** A host and a port → a server that bad input cannot break and slow clients cannot hold. */
import { type RequestListener, type Server, createServer } from 'node:http'
import { ConnectorError } from '../std/errors.ts'
import { bindServer, closeAtOnce } from '../std/http/local-server.ts'
import { refuseTunnel, refuseUnreadable } from './refuse.ts'

export type Listener = RequestListener

export type Listening = {
  /** Where it listens, without a slash at the end: `http://127.0.0.1:8080`. */
  readonly url: string
  readonly port: number
  /** Until this is called requests wait, so that two servers can learn each other's addresses first. */
  serve(listener: Listener): void
  /** Ends open connections at once. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** All in milliseconds. A client holds one connection, never the server; these say for how long. */
export type Limits = {
  /** To send the headers of a request. */
  readonly headersMs: number
  /** To send a request, body included. */
  readonly requestMs: number
  /** To start the next request on a connection. */
  readonly keepAliveMs: number
  /** Without a byte in either direction: catches whoever does not read the answer. */
  readonly idleMs: number
  /** How often the first two are looked after. */
  readonly checkMs: number
}

const usualLimits: Limits = { headersMs: 10_000, requestMs: 20_000, keepAliveMs: 15_000, idleMs: 30_000, checkMs: 1000 }

/** Request line and headers together. */
const maxHeaderSize = 16_384

export type ListenOptions = {
  readonly host?: string
  /** 0, the default, takes a free one. */
  readonly port?: number
  readonly limits?: Partial<Limits>
}

export async function listen({ host = '127.0.0.1', port = 0, limits = {} }: ListenOptions): Promise<Listening> {
  const { headersMs, requestMs, keepAliveMs, idleMs, checkMs } = { ...usualLimits, ...limits }
  const server = createServer({
    maxHeaderSize,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: checkMs,
  })
  server.timeout = idleMs
  server.on('clientError', refuseUnreadable)
  server.on('connect', (_request, socket) => refuseTunnel(socket))
  const bound = await bind(server, host, port)
  const close = () => closeAtOnce(server)
  return {
    url: `http://${reachable(host)}:${bound}`,
    port: bound,
    serve: (listener) => void server.on('request', listener),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** "Every interface" is no address that one could visit. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** The port it got. */
async function bind(server: Server, host: string, port: number): Promise<number> {
  try {
    return await bindServer(server, host, port)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) throw error
    throw error.code === 'EADDRINUSE'
      ? new ConnectorError('site/port-taken', `Port ${port} on ${host} is taken.`, { cause: error })
      : new ConnectorError('site/cannot-listen', `Port ${port} on ${host} is refused: ${error.code}.`, { cause: error })
  }
}

/** A host and a port → a server that bad input cannot break and slow clients cannot hold. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { ConnectorError } from '../std/errors.ts'
import { bindServer, closeAtOnce } from '../std/http/local-server.ts'
import { type ProblemStatus, problemText, problemType } from './problem.ts'
import { reasonPhrases } from '../std/text/reason-phrases.ts'

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
  /** Idle time without a byte in either direction: ends clients that do not read the response. Not while the server works on it. */
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
  server.on('request', outlastSilence)
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

/** A query or a slow API may take longer than clients may be idle: until the response begins, the silence is the server's. */
const outlastSilence: RequestListener = (request, response) => {
  // Without a listener Node closes the connection.
  response.on('timeout', () => {
    if (response.headersSent || !request.complete) request.socket.destroy()
  })
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

/** Time for the refusal to arrive: closing at once would throw it away together with what is still unread. */
const lingerMs = 500

type ParserError = Error & { code?: string; rawPacket?: Buffer }

function refuseUnreadable(error: ParserError, socket: Duplex): void {
  // A client that keeps sending after a refusal, or after requesting the end, gets no further response.
  if (socket.writableEnded || error.code === 'HPE_CLOSED_CONNECTION') return
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      if (isAddressTooLong(error)) refuse(socket, 414, 'The address is too long.')
      else refuse(socket, 431, 'The headers are too long.')
      return
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return refuse(socket, 413, 'The chunk extensions are too long.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refuse(socket, 408, 'The request took too long to arrive.')
    default:
      return refuse(socket, 400, 'This is not a request that can be read.')
  }
}

/** CONNECT, to which Node would answer by hanging up. */
function refuseTunnel(socket: Duplex): void {
  refuse(socket, 405, 'Tunnels are not supported.', 'Allow: GET, HEAD, OPTIONS\r\n')
}

/** The parser overflowed before it saw the end of the first line. */
function isAddressTooLong({ rawPacket }: ParserError): boolean {
  if (rawPacket === undefined) return false
  return /^[A-Z]+ \S+$/.test(rawPacket.toString('latin1', 0, 16_384))
}

function refuse(socket: Duplex, status: ProblemStatus, detail: string, fields = ''): void {
  const body = problemText(status, detail)
  // Node has released the socket; a client that hangs up now must not end the process.
  socket.on('error', () => {})
  socket.end(
    `HTTP/1.1 ${status} ${reasonPhrases[status]}\r\n${fields}Content-Type: ${problemType}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
  )
  socket.resume()
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

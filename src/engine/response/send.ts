/** HttpRequest → HttpResponse: the only file that opens a socket. */
import type { Agent } from 'undici'
import { ConnectorError } from '../../std/errors.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { unpackBody, unpackChunks } from './decompress.ts'
import { exchange, type Exchanged } from './exchange.ts'
import { type Egress, guardedConnector } from './egress.ts'
import { aborted, networkFailure, type Phase, timedOut, responseTooLarge, type NetworkLimits } from './failure.ts'
import { type Chunks, withStart } from './formats/unpack.ts'
import type { HttpResponse, Send } from './http-response.ts'

const defaultLimits: NetworkLimits = {
  // undici's own; a handshake over a satellite takes two seconds.
  connectMs: 10_000,
  // Reporting APIs compute for a minute, and most gateways end their patience at 60 s: theirs should come first.
  headersMs: 90_000,
  bodyMs: 60_000,
  // A page of 100 MB over 3 Mbit/s.
  totalMs: 300_000,
  // Half of V8's longest string, so that whatever is accepted can also be decoded.
  maxBodyBytes: 256 * 1024 * 1024,
}

/** Connections that stay open between requests; `close()` ends them, and whatever is still under way. */
export type Network = {
  send: Send
  close: () => Promise<void>
  /** The limit on what is held whole, for those who unpack further. */
  readonly maxBodyBytes: number
}

/** The version of package.json; a test holds the two together. */
const userAgent = 'turnleaf/0.1.0'

const assumedHeaders = [
  ['accept', '*/*'],
  ['accept-encoding', 'gzip, deflate, br'],
  ['user-agent', userAgent],
] as const

/**
 * Opens a network: sends requests over kept-alive connections, within limits, to the addresses the policy allows.
 *
 * @example
 * const network = openNetwork({ limits: { totalMs: 30_000 } })
 * const response = await network.send({ method: 'GET', url, headers: {}, body: null }, signal)
 * await network.close()
 */
export function openNetwork(options: { limits?: Partial<NetworkLimits>; egress?: Egress } = {}): Network {
  const limits = { ...defaultLimits, ...options.limits }
  const closing = new AbortController()
  const egress = options.egress ?? 'loopback-allowed'
  let agent: Agent | null = null
  const opening = openAgent(egress, limits, closing.signal)
  return {
    send(request, signal) {
      if (agent !== null) return send(agent, limits, request, signal)
      return opening.then((opened) => send((agent = opened), limits, request, signal))
    },
    async close() {
      await (await opening).destroy()
      // The agent forgets sockets that are still connecting; they would keep the process alive.
      closing.abort()
    },
    maxBodyBytes: limits.maxBodyBytes,
  }
}

/** Loaded with the first network: undici takes longer to load than all the rest, and validating or planning needs none. */
async function openAgent(egress: Egress, limits: NetworkLimits, closing: AbortSignal): Promise<Agent> {
  const { Agent, buildConnector } = await import('undici')
  return new Agent({
    connect: guardedConnector(buildConnector, egress, limits.connectMs, closing),
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.bodyMs,
  })
}

async function send(
  agent: Agent,
  limits: NetworkLimits,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const target = httpUrl(request.url)
  const { host } = target
  if (signal.aborted) throw aborted(signal)

  let phase: Phase = 'headers'
  const { maxBodyBytes: maxBytes } = limits
  const exceeded = () => responseTooLarge(host, maxBytes)
  const { answer, stop } = exchange(agent, target, withAssumedHeaders(request), {
    accept: (status, headers) => {
      phase = 'body'
      if (request.streams && isGood(status)) return 'stream'
      if (request.method !== 'HEAD' && Number(headers['content-length']) > maxBytes) throw exceeded()
      return 'whole'
    },
    measure: (bytes) => {
      if (bytes > maxBytes) throw exceeded()
    },
  })
  const onAbort = () => stop(aborted(signal))
  signal.addEventListener('abort', onAbort, { once: true })
  const unheard = () => signal.removeEventListener('abort', onAbort)
  const clock = setTimeout(() => stop(timedOut(host, 'the whole response', limits.totalMs)), limits.totalMs)
  try {
    const { body, ...answered } = await answer
    if (body instanceof Uint8Array) {
      const encoding = answered.headers['content-encoding']
      const unpacked = encoding === undefined ? body : await unpackBody(body, encoding, { maxBytes, exceeded })
      unheard()
      return responseOf(request, answered, unpacked)
    }
    // A failure before the first byte can still be retried.
    const { all } = await withStart(body, 1)
    const chunks = received(unpackChunks(all, answered.headers['content-encoding']), { host, limits, unheard })
    const discard = () => stop(new ConnectorError('response/aborted', 'The rest of the response was not wanted.'))
    return { ...responseOf(request, answered, nothing), stream: { chunks, discard } }
  } catch (error) {
    const failure = networkFailure(error, host, phase, limits)
    unheard()
    stop(failure)
    throw failure
  } finally {
    clearTimeout(clock)
  }
}

const nothing = new Uint8Array()

const isGood = (status: number) => status >= 200 && status < 300

function responseOf(
  { url }: HttpRequest,
  { status, headers, cookies }: Omit<Exchanged, 'body'>,
  body: Uint8Array,
): HttpResponse {
  return { status, url, headers, ...(cookies.length > 0 && { cookies }), body }
}

type Receiving = { readonly host: string; readonly limits: NetworkLimits; readonly unheard: () => void }

async function* received(chunks: Chunks, { host, limits, unheard }: Receiving): Chunks {
  try {
    yield* chunks
  } catch (error) {
    throw networkFailure(error, host, 'body', limits)
  } finally {
    unheard()
  }
}

function httpUrl(url: string): URL {
  try {
    const parsed = new URL(url)
    if (parsed.protocol === 'http:' || parsed.protocol === 'https:') return parsed
  } catch {
    // Said below: an address of another kind is as useless as none.
  }
  throw new ConnectorError('request/invalid-url', 'The address of the request is not an http or https address.')
}

/** The request with what every request carries. */
export function withAssumedHeaders(request: HttpRequest): HttpRequest {
  const headers: Record<string, string> = { ...request.headers }
  for (const [name, value] of assumedHeaders) if (!hasHeader(request.headers, name)) headers[name] = value
  return { ...request, headers }
}

function hasHeader(headers: HttpRequest['headers'], name: string): boolean {
  for (const given in headers) if (given.length === name.length && given.toLowerCase() === name) return true
  return false
}

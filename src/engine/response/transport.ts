/** HttpRequest → HttpResponse: the only file that opens a socket. */
import { Agent, buildConnector } from 'undici'
import { ConnectorError } from '../../std/errors.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { withAssumedHeaders } from './assumed-headers.ts'
import { unpackBody, unpackChunks } from './decompress.ts'
import { type Egress, guardedConnector } from './egress.ts'
import { exchange, type Exchanged } from './exchange.ts'
import { aborted, networkFailure, type Phase, timedOut, responseTooLarge, type NetworkLimits } from './failure.ts'
import { type Chunks, withStart } from './formats/unpack.ts'
import type { HttpResponse, Send } from './http-response.ts'

/** Connections that stay open between requests; `close()` ends them, and whatever is still under way. */
export type Transport = { send: Send; close: () => Promise<void> }

export function openTransport(egress: Egress, limits: NetworkLimits): Transport {
  const closing = new AbortController()
  const agent = new Agent({
    connect: guardedConnector(buildConnector, egress, limits.connectMs, closing.signal),
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.bodyMs,
  })
  return {
    send: (request, signal) => sendOver(agent, limitsFor(request, limits), request, signal),
    async close() {
      await agent.destroy()
      // The agent forgets sockets that are still connecting; they would keep the process alive.
      closing.abort()
    },
  }
}

/** A report that may take minutes to begin takes as long as ever after that. */
function limitsFor({ silenceMs }: HttpRequest, limits: NetworkLimits): NetworkLimits {
  if (silenceMs === undefined) return limits
  return { ...limits, headersMs: silenceMs, bodyMs: silenceMs, totalMs: limits.totalMs + silenceMs }
}

async function sendOver(
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
  const { response, stop } = exchange(agent, target, withAssumedHeaders(request), {
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
  const stopListening = () => signal.removeEventListener('abort', onAbort)
  const clock = setTimeout(() => stop(timedOut(host, 'the whole response', limits.totalMs)), limits.totalMs)
  try {
    const { body, ...answered } = await response
    if (body instanceof Uint8Array) {
      const encoding = answered.headers['content-encoding']
      const unpacked = encoding === undefined ? body : await unpackBody(body, encoding, { maxBytes, exceeded })
      stopListening()
      return responseOf(request, answered, unpacked)
    }
    // A failure before the first byte can still be retried.
    const { all } = await withStart(body, 1)
    const chunks = received(unpackChunks(all, answered.headers['content-encoding']), { host, limits, stopListening })
    const discard = () => {
      // Chunks that are not read do not end by themselves.
      stopListening()
      stop(new ConnectorError('response/aborted', 'The rest of the response was not wanted.'))
    }
    return { ...responseOf(request, answered, nothing), stream: { chunks, discard } }
  } catch (error) {
    const failure = networkFailure(error, host, phase, limits)
    stopListening()
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

type Receiving = { readonly host: string; readonly limits: NetworkLimits; readonly stopListening: () => void }

async function* received(chunks: Chunks, { host, limits, stopListening }: Receiving): Chunks {
  try {
    yield* chunks
  } catch (error) {
    throw networkFailure(error, host, 'body', limits)
  } finally {
    stopListening()
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

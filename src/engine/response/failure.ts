/** What undici, zlib or the caller's signal threw → the error a user sees. */
import { ConnectorError, type ErrorCode } from '../../std/errors.ts'
import { messageOf } from '../../std/text/message-of.ts'

export type NetworkLimits = {
  /** From the first packet to an open, encrypted connection. */
  connectMs: number
  /** From the request to the headers of its response. */
  headersMs: number
  /** Silence between two pieces of the body. */
  bodyMs: number
  /** From the call to the last byte; of a streamed body to the first, since a long download is not a slow one. */
  totalMs: number
  /** Of one response, after decompression. A streamed body may be larger: it is never held whole. */
  maxBodyBytes: number
}

/** What `send` was doing when it failed: until the headers arrive there is no response. */
export type Phase = 'headers' | 'body'

/** Failures that may not come again on a retry. */
const transient: readonly ErrorCode[] = ['response/unreachable', 'response/timeout', 'response/cut-short']

/** Whether a retry may help. */
export function isTransient(error: unknown): error is ConnectorError {
  return error instanceof ConnectorError && transient.includes(error.code)
}

/** The caller's signal as an error. */
export function aborted(signal: AbortSignal): ConnectorError {
  return new ConnectorError('response/aborted', 'The read was cancelled.', { cause: signal.reason })
}

/** For a page requested ahead: it is requested again in its turn, so this error is never shown. */
export function inItsTurn(): ConnectorError {
  return new ConnectorError('response/aborted', 'The page was requested ahead and not accepted.')
}

/** Which limit was exceeded, and by which host. */
export function timedOut(host: string, limit: string, limitMs: number, cause?: unknown): ConnectorError {
  const message = `${host} was too slow: the limit for ${limit} is ${limitMs} ms.`
  return new ConnectorError('response/timeout', message, { cause })
}

/** The response has more bytes than a page may. */
export function responseTooLarge(host: string, maxBodyBytes: number): ConnectorError {
  const message = `The response of ${host} is larger than the limit of ${maxBodyBytes} bytes.`
  return new ConnectorError('response/too-large', message)
}

/** Names the host and the code, never the address: its query may hold a secret. */
export function networkFailure(error: unknown, host: string, phase: Phase, limits: NetworkLimits): ConnectorError {
  if (error instanceof ConnectorError) return error
  const code = codeOf(error)
  const make = (kind: ErrorCode, message: string) => new ConnectorError(kind, message, { cause: error })

  switch (code) {
    case 'UND_ERR_CONNECT_TIMEOUT':
      return timedOut(host, 'connecting', limits.connectMs, error)
    case 'UND_ERR_HEADERS_TIMEOUT':
      return timedOut(host, 'the headers', limits.headersMs, error)
    case 'UND_ERR_BODY_TIMEOUT':
      return timedOut(host, 'silence in the body', limits.bodyMs, error)
    case 'UND_ERR_RES_EXCEEDED_MAX_SIZE':
      return responseTooLarge(host, limits.maxBodyBytes)
    case 'UND_ERR_HEADERS_OVERFLOW':
      return make('response/too-large', `The headers of the response of ${host} are too large.`)
    case 'UND_ERR_INVALID_ARG':
      return make(invalidPart(error), `The request to ${host} cannot be sent: ${messageOf(error)}.`)
    case 'ABORT_ERR':
    case 'UND_ERR_DESTROYED':
    case 'UND_ERR_CLOSED':
      return make('response/aborted', `The network was closed before ${host} had answered.`)
    // zlib: the compressed text stops in the middle.
    case 'Z_BUF_ERROR':
      return make('response/cut-short', `The compressed response of ${host} ends in the middle.`)
    case 'UND_ERR_SOCKET':
    case 'ECONNRESET':
    case 'EPIPE':
      return make('response/cut-short', `${host} closed the connection ${closedWhen(phase)} (${code}).`)
  }
  if (isCompression(code)) {
    return make('response/not-decodable', `The response of ${host} is not compressed as its headers say (${code}).`)
  }
  if (phase === 'body') {
    return make('response/cut-short', `The response of ${host} broke off in the middle (${code}).`)
  }
  const tls = tlsFailure(error, code, host)
  if (tls !== null) return tls
  if (code.startsWith('HPE_')) {
    return make('response/unreachable', `${host} does not answer in HTTP (${code}).`)
  }
  return make('response/unreachable', `${host} cannot be reached (${code}): ${messageOf(error)}.`)
}

/** How Node names what is wrong with a certificate. */
const certificateCodes =
  /^(?:CERT_|ERR_TLS_CERT_|UNABLE_TO_(?:GET_ISSUER|VERIFY)|(?:DEPTH_ZERO_)?SELF_SIGNED_|INVALID_(?:CA|PURPOSE)$|HOSTNAME_MISMATCH$)/

/** What the next try would find as well; null for every other failure. OpenSSL's own text is not shown: it names its source files. */
function tlsFailure(cause: unknown, code: string, host: string): ConnectorError | null {
  const refused = (message: string, hint?: string) =>
    new ConnectorError('response/tls-refused', message, { cause, hint })
  if (certificateCodes.test(code))
    return refused(`The certificate of ${host} is not accepted (${code}).`, certificateHint(code))
  if (/wrong version number|packet length too long/.test(messageOf(cause))) {
    return refused(
      `${host} does not answer in TLS (${code}).`,
      'If the API has no TLS, write `http://` instead of `https://`; otherwise check the port.',
    )
  }
  return code.startsWith('ERR_SSL_') || code === 'EPROTO'
    ? refused(`${host} refused a connection with TLS (${code}).`)
    : null
}

function certificateHint(code: string): string | undefined {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return 'The certificate of the server has expired and must be renewed; check the clock of this machine, too.'
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return 'Check the host in the address: the certificate of the server is for another one.'
    default:
      return undefined
  }
}

function closedWhen(phase: Phase): string {
  return phase === 'headers' ? 'before it answered' : 'in the middle of its response'
}

function isCompression(code: string): boolean {
  return code.startsWith('Z_') || code.includes('_PADDING') || code.startsWith('ERR__ERROR_FORMAT')
}

function invalidPart(error: unknown): ErrorCode {
  return /header/i.test(messageOf(error)) ? 'request/invalid-header' : 'request/invalid-url'
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error ? error.name : 'unknown'
}

/** Sends probes one after the other: counted, spaced, limited in time, each listed without secrets. */
import { isUrl } from '../../std/text/is-url.ts'
import { ConnectorError } from '../../std/errors.ts'
import { isJsonLines, peekJson } from '../../engine/response/decode.ts'
import type { HttpResponse } from '../../engine/response/http-response.ts'
import { isTransient } from '../../engine/response/failure.ts'
import { retryAfterMs } from '../../engine/response/outcome.ts'
import { whatTheBodySays } from '../../engine/response/body-message.ts'
import { pause } from '../../engine/response/retry.ts'
import type { Redactor } from '../../engine/secrets/redact.ts'
import type { Network } from '../../engine/response/send.ts'
import type { HttpRequest } from '../../engine/request/http-request.ts'
import { sameOrigin } from '../../engine/request/url.ts'
import type { Probe } from '../probe.ts'
import { parseJson, stringifyJson } from '../../std/json.ts'
import { isList, isObject } from '../../std/values/objects.ts'

export type ProbeResponse = {
  /** Null when none came. */
  readonly status: number | null
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly isJson: boolean
  /** What a refusal says, in its own words. */
  readonly message: string | null
  readonly response: HttpResponse | null
  /** The connection failed, or something in front of the API: the same request may well be answered. */
  readonly isPassing: boolean
}

export type ProbeSender = {
  /**
   * Null when no more may be sent. `says` describes the response. A request that was sent before is not sent again:
   * its response is reused, and does not count.
   */
  readonly ask: (
    why: string,
    request: HttpRequest,
    says: (response: ProbeResponse) => string,
  ) => Promise<ProbeResponse | null>
  readonly left: () => number
  readonly probes: readonly Probe[]
}

type ProbeSenderOptions = {
  readonly network: Pick<Network, 'send'>
  readonly maxRequests: number
  readonly spacingMs: number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly now: () => number
  readonly signal: AbortSignal
  readonly redactor: Redactor
  readonly onProbe: (probe: Probe) => void
}

/** The longest `Retry-After` that a probe waits for. */
const longestWaitMs = 30_000
const mostHops = 3
const repeatAfterMs = 1_000

export function openProbeSender(tools: ProbeSenderOptions): ProbeSender {
  const { maxRequests, redactor } = tools
  const probes: Probe[] = []
  const answers = new Map<string, ProbeResponse>()
  let sent = 0

  const list = (why: string, request: HttpRequest, response: ProbeResponse, saw: string) => {
    const probe: Probe = {
      why,
      method: request.method,
      url: redactor.url(request.url),
      ...sentWith(redactor.request(request)),
      status: response.status,
      saw: redactor.text(saw),
    }
    probes.push(probe)
    tools.onProbe(probe)
  }

  async function ask(
    why: string,
    request: HttpRequest,
    says: (response: ProbeResponse) => string,
  ): Promise<ProbeResponse | null> {
    const key = requestKey(request)
    const known = answers.get(key)
    if (known !== undefined) return known
    const response = await send(why, request, says)
    if (response !== null) answers.set(key, response)
    return response
  }

  async function send(
    why: string,
    request: HttpRequest,
    says: (response: ProbeResponse) => string,
  ): Promise<ProbeResponse | null> {
    let target = request
    let isRepeated = false
    for (let hop = 0; ; hop++) {
      if (sent >= maxRequests) return null
      if (sent > 0) await pause(tools.spacingMs, tools.signal, tools)
      sent++
      const response = await sendOnce(target, tools)
      const waitMs = response.status === 429 ? retryAfterMs(response.headers['retry-after'], tools.now()) : undefined
      const mayWait = waitMs !== undefined && waitMs <= longestWaitMs && sent < maxRequests
      const moved = redirectOf(response, target)
      // Once: names that an API cannot bear must not use up the requests.
      const mayRepeat: boolean = response.isPassing && !isRepeated && sent < maxRequests
      const isDetour = hop < mostHops && (mayWait || moved !== null || mayRepeat)
      list(why, target, response, isDetour ? sayDetour(response, waitMs) : says(response))
      if (!isDetour) return response
      if (mayWait) await pause(waitMs, tools.signal, tools)
      else if (mayRepeat) await pause(repeatAfterMs, tools.signal, tools)
      isRepeated ||= mayRepeat
      if (moved !== null) target = moved
    }
  }
  return { ask, left: () => maxRequests - sent, probes }
}

async function sendOnce(request: HttpRequest, { network, signal }: ProbeSenderOptions): Promise<ProbeResponse> {
  try {
    return answerOf(await network.send(request, signal))
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.code === 'response/aborted' || signal.aborted) throw error
    return {
      status: null,
      url: request.url,
      headers: {},
      body: undefined,
      isJson: false,
      message: error.message,
      response: null,
      isPassing: isTransient(error),
    }
  }
}

function answerOf(response: HttpResponse): ProbeResponse {
  const { status, url, headers } = response
  const json = response.body.length === 0 ? null : peekJson(response)
  return {
    status,
    url,
    headers,
    body: json?.value,
    isJson: json !== null && !isJsonLines(response),
    message: status >= 400 ? whatTheBodySays(response) : null,
    response,
    isPassing: status === 502 || status === 503 || status === 504,
  }
}

/** Only within the same origin: nothing of the given request may go elsewhere. */
function redirectOf({ status, headers }: ProbeResponse, request: HttpRequest): HttpRequest | null {
  const { location } = headers
  if (![301, 302, 307, 308].includes(status ?? 0) || location === undefined) return null
  if (!isUrl(location, request.url) || request.method !== 'GET') return null
  const url = new URL(location, request.url).href
  return sameOrigin(request.url, url) ? { ...request, url } : null
}

function sayDetour({ status, isPassing, message }: ProbeResponse, waitMs: number | undefined): string {
  if (isPassing) return `sent again: ${message ?? `status ${status}`}`
  return status === 429 ? `asks to wait ${Math.ceil((waitMs ?? 0) / 1000)} s` : 'redirects to another URL'
}

/** What the address does not show. */
function sentWith({ headers, body }: HttpRequest): Pick<Probe, 'sent'> {
  const lines = Object.entries(headers)
    .filter(([name]) => !/^(accept|content-type|user-agent)$/i.test(name))
    .map(([name, value]) => `${name}: ${value}`)
  const parts = [...lines, ...(body === null || body === '' ? [] : [body])]
  return parts.length === 0 ? {} : { sent: parts.join('; ') }
}

/** Equal for requests that mean the same, however they are written. */
export function requestKey({ method, url, headers, body }: HttpRequest): string {
  const target = new URL(url)
  const query = sortedPairs(target.searchParams)
  const sent = Object.entries(headers)
    .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
    .filter((line) => !/^(accept|accept-encoding|user-agent): /.test(line))
    .toSorted()
  return [method, target.origin + target.pathname, query, ...sent, bodyKey(body)].join('\n')
}

/** Values of one name keep their order, since it may matter. */
function sortedPairs(params: URLSearchParams): string {
  const sorted = new URLSearchParams(params)
  sorted.sort()
  return sorted.toString()
}

function bodyKey(body: string | null): string {
  if (body === null || body === '') return ''
  const json = jsonIn(body)
  return json === null ? sortedPairs(new URLSearchParams(body)) : stringifyJson(inOrder(json.value))
}

function jsonIn(body: string): { readonly value: unknown } | null {
  if (!/^\s*[[{]/.test(body)) return null
  try {
    return parseJson(body)
  } catch {
    return null
  }
}

function inOrder(value: unknown): unknown {
  if (isList(value)) return value.map(inOrder)
  if (!isObject(value)) return value
  const names = Object.keys(value).toSorted()
  return Object.fromEntries(names.map((name) => [name, inOrder(value[name])]))
}

/** Probes, one after the other: counted, spaced, limited in time, each listed without secrets. */
import { isUrl } from '../../is-url.ts'
import { ConnectorError } from '../../errors.ts'
import { peekJson } from '../../engine/response/decode.ts'
import type { HttpResponse } from '../../engine/response/http-response.ts'
import { retryAfterMs } from '../../engine/response/outcome.ts'
import { whatTheBodySays } from '../../engine/response/body-message.ts'
import { pause } from '../../engine/response/retry.ts'
import type { Redactor } from '../../engine/response/redact.ts'
import type { Network } from '../../engine/response/send.ts'
import type { HttpRequest } from '../../engine/request/http-request.ts'
import { sameOrigin } from '../../engine/request/origin.ts'
import type { Probe } from '../probe.ts'
import { requestKey } from './request-key.ts'

export type Answer = {
  /** Null when none came. */
  readonly status: number | null
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly isJson: boolean
  /** What a refusal says, in its own words. */
  readonly message: string | null
  readonly response: HttpResponse | null
}

export type Asking = {
  /**
   * Null when no more may be sent. `says` puts the answer into words. A request that was sent before is not sent again:
   * its answer is given once more, and counts for nothing.
   */
  readonly ask: (why: string, request: HttpRequest, says: (answer: Answer) => string) => Promise<Answer | null>
  readonly left: () => number
  readonly probes: readonly Probe[]
}

export type AskingTools = {
  readonly network: Pick<Network, 'send'>
  readonly maxRequests: number
  readonly spacingMs: number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly now: () => number
  readonly signal: AbortSignal
  readonly redactor: Redactor
  readonly onProbe: (probe: Probe) => void
}

/** Longer than this nobody waits for an answer to a question of ours. */
const longestWaitMs = 30_000
const mostHops = 3

export function openAsking(tools: AskingTools): Asking {
  const { maxRequests, redactor } = tools
  const probes: Probe[] = []
  const answers = new Map<string, Answer>()
  let sent = 0

  const list = (why: string, request: HttpRequest, answer: Answer, saw: string) => {
    const probe: Probe = {
      why,
      method: request.method,
      url: redactor.url(request.url),
      ...sentWith(redactor.request(request)),
      status: answer.status,
      saw: redactor.text(saw),
    }
    probes.push(probe)
    tools.onProbe(probe)
  }

  async function ask(why: string, request: HttpRequest, says: (answer: Answer) => string): Promise<Answer | null> {
    const key = requestKey(request)
    const known = answers.get(key)
    if (known !== undefined) return known
    const answer = await send(why, request, says)
    if (answer !== null) answers.set(key, answer)
    return answer
  }

  async function send(why: string, request: HttpRequest, says: (answer: Answer) => string): Promise<Answer | null> {
    let target = request
    for (let hop = 0; ; hop++) {
      if (sent >= maxRequests) return null
      if (sent > 0) await pause(tools.spacingMs, tools.signal, tools)
      sent++
      const answer = await sendOnce(target, tools)
      const waitMs = answer.status === 429 ? retryAfterMs(answer.headers['retry-after'], tools.now()) : undefined
      const mayWait = waitMs !== undefined && waitMs <= longestWaitMs && sent < maxRequests
      const moved = redirectOf(answer, target)
      const goesOn = hop < mostHops && (mayWait || moved !== null)
      list(why, target, answer, goesOn ? sayDetour(answer, waitMs) : says(answer))
      if (!goesOn) return answer
      if (mayWait) await pause(waitMs, tools.signal, tools)
      if (moved !== null) target = moved
    }
  }
  return { ask, left: () => maxRequests - sent, probes }
}

async function sendOnce(request: HttpRequest, { network, signal }: AskingTools): Promise<Answer> {
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
    }
  }
}

function answerOf(response: HttpResponse): Answer {
  const { status, url, headers } = response
  const json = response.body.length === 0 ? null : peekJson(response)
  return {
    status,
    url,
    headers,
    body: json?.value,
    isJson: json !== null,
    message: status >= 400 ? whatTheBodySays(response) : null,
    response,
  }
}

/** Only within its own origin: elsewhere nothing of what was given may go. */
function redirectOf({ status, headers }: Answer, request: HttpRequest): HttpRequest | null {
  const { location } = headers
  if (![301, 302, 307, 308].includes(status ?? 0) || location === undefined) return null
  if (!isUrl(location, request.url) || request.method !== 'GET') return null
  const url = new URL(location, request.url).href
  return sameOrigin(request.url, url) ? { ...request, url } : null
}

function sayDetour({ status }: Answer, waitMs: number | undefined): string {
  return status === 429 ? `asks to wait ${Math.ceil((waitMs ?? 0) / 1000)} s` : 'leads to another address'
}

/** What the address does not show. */
function sentWith({ headers, body }: HttpRequest): Pick<Probe, 'sent'> {
  const lines = Object.entries(headers)
    .filter(([name]) => !/^(accept|content-type|user-agent)$/i.test(name))
    .map(([name, value]) => `${name}: ${value}`)
  const parts = [...lines, ...(body === null || body === '' ? [] : [body])]
  return parts.length === 0 ? {} : { sent: parts.join('; ') }
}

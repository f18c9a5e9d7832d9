/** An exchange → what is shown of it: as sent, without secrets. */
import type { Purpose } from '../../engine/request/http-request.ts'
import { decodeText } from '../../engine/response/decode.ts'
import { mask } from '../../engine/secrets/credential-names.ts'
import type { Redactor } from '../../engine/secrets/redact.ts'
import { withAssumedHeaders } from '../../engine/response/assumed-headers.ts'
import { parseJson, stringifyJson } from '../../std/json.ts'
import { setMember } from '../../std/values/set-member.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import type { ShownRequest, ShownResponse } from '../wire/exchange.ts'
import type { Exchange, ObservedResponse } from '../../engine/response/observe.ts'

export type ShownExchange = { readonly request: ShownRequest; readonly response: ShownResponse | null }

/**
 * @param redactor of the run. Secrets that it learns from the response are hidden if this is called later. In responses
 * with tokens, everything that could be one is masked at any time.
 * @param maxChars of the response body; the rest is cut.
 */
export function showExchange(
  exchange: Exchange,
  redactor: Redactor,
  maxChars = Number.POSITIVE_INFINITY,
): ShownExchange {
  const { response } = exchange
  return {
    request: showRequest(exchange, redactor),
    response: response === null ? null : showResponse(response, redactor, isOfToken(exchange), maxChars),
  }
}

/** As sent, with the default headers. */
export function showRequest(exchange: Exchange, redactor: Redactor): ShownRequest {
  const { method, url, headers, body } = redactor.request(withAssumedHeaders(exchange.request))
  return { method, url, headers, body: body !== null && isOfToken(exchange) ? masked(body) : body }
}

function isOfToken({ purpose }: Exchange): boolean {
  return purpose?.kind === 'token'
}

function showResponse(
  response: ObservedResponse,
  redactor: Redactor,
  isMasked: boolean,
  maxChars: number,
): ShownResponse {
  const { status, url } = response
  const kept = response.body()
  const bytes = response.bytes()
  const text = withoutSecrets(textOf(response, kept), redactor)
  const whole = isMasked ? masked(text) : text
  const body = whole.slice(0, maxChars)
  return {
    status,
    url: redactor.url(url),
    headers: redactor.headers(response.headers),
    bytes,
    body,
    isCut: body.length < whole.length || kept.length < bytes,
  }
}

function textOf({ status, url, headers }: ObservedResponse, body: Uint8Array): string {
  try {
    return decodeText({ status, url, headers, body })
  } catch {
    return new TextDecoder('windows-1252').decode(body)
  }
}

/** Text without secrets stays as the API sent it. */
function withoutSecrets(text: string, redactor: Redactor): string {
  try {
    const { value } = parseJson(text)
    const shown = redactor.value(value)
    return shown === value ? text : stringifyJson(shown)
  } catch {
    return redactor.text(text)
  }
}

/** Fields of a token request or response that are not secret; everything else might be. */
const harmless = /^(grant_type|client_id|scopes?|token_type|expires?(_?(in|at|on))?|error(_\w+)?|message|status|code)$/i

function masked(body: string): string {
  if (body === '') return body
  try {
    return stringifyJson(maskedValue(parseJson(body).value))
  } catch {
    // Not JSON: a form, or text that might be a token.
    if (!/^[\w.%+-]+=/.test(body)) return mask
    const fields = body.split('&').map((field) => /^([^=]*)=(.*)$/s.exec(field) ?? [field, field, ''])
    return fields.map(([field, name = '']) => (harmless.test(name) ? field : `${name}=${mask}`)).join('&')
  }
}

function maskedValue(value: unknown): unknown {
  if (isList(value)) return value.map(maskedValue)
  if (!isObject(value)) return typeof value === 'boolean' || value === null ? value : mask
  const shown: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    setMember(shown, name, harmless.test(name) && !isObject(member) && !isList(member) ? member : maskedValue(member))
  }
  return shown
}

/** The purpose of an exchange, in words. */
export function purposeWords(purpose: Purpose | undefined): string {
  switch (purpose?.kind) {
    case undefined:
      return 'Page'
    case 'parent':
      return `Parent stream: ${purpose.stream}`
    case 'token':
      return 'Access token'
    case 'job':
      return `Job: ${purpose.step}`
    case 'lookup':
      return 'Available streams or fields'
  }
}

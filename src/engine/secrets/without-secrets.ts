/** HttpRequest → the same request for a foreign origin: without credentials of its own origin. */
import { ConnectorError } from '../../std/errors.ts'
import { isCredentialName } from './credential-names.ts'
import type { HttpRequest } from '../request/http-request.ts'
import type { Redactor } from './redact.ts'

/** Meant for one host only, whether or not their value is a known secret. */
const isBoundToHost = (name: string) => name.toLowerCase() === 'host' || isCredentialName(name)

/**
 * Leaves out the headers and query parameters that hold a secret, the headers that always belong to one host, and a body
 * with a secret in it; `dropped` has their names. A secret in the path cannot be left out, so that request is refused.
 */
export function withoutSecrets(
  request: HttpRequest,
  isSecret: Redactor['isSecret'],
  isPlaced: Redactor['isPlaced'] = () => false,
): { request: HttpRequest; dropped: string[] } {
  const dropped: string[] = []
  const mayGo = (name: string, isBound: boolean) => {
    // `?<key>` without a value is all name, and the name is the secret.
    if (isBound) dropped.push(isSecret(name) ? 'a nameless parameter' : name)
    return !isBound
  }
  const headers = Object.entries(request.headers).filter(([name, value]) =>
    mayGo(name, isBoundToHost(name) || isSecret(value) || isPlaced('header', name, value)),
  )
  const isBoundBody = (text: string) =>
    isSecret(text) || namesIn(text).some((name) => isCredentialName(name) || isPlaced('body', name, text))
  const body = request.body !== null && mayGo('body', isBoundBody(request.body)) ? request.body : null
  const isBoundPart = (part: string) => {
    const { name, value } = parameter(part)
    return isSecret(part) || isSecret(value) || isPlaced('parameter', name, value)
  }
  const url = withoutSecretParameters(request.url, isBoundPart, (name) => mayGo(name, true))
  if (isSecret(url)) {
    const message = `The request would send a secret in its path to ${new URL(url).host}, and was not sent.`
    const hint = 'Read that address with a separate stream if it may know the secret.'
    throw new ConnectorError('response/address-refused', message, { hint })
  }
  return { request: { ...request, url, headers: Object.fromEntries(headers), body }, dropped }
}

/** The other parts stay as they were written: URLSearchParams would spell them anew. */
function withoutSecretParameters(
  url: string,
  isBound: (part: string) => boolean,
  drop: (name: string) => void,
): string {
  return url.replace(/\?[^#]*/, (query) => {
    const parts = query.slice(1).split('&')
    const kept = parts.filter((part) => {
      if (!isBound(part)) return true
      drop(parameter(part).name)
      return false
    })
    return kept.length === 0 ? '' : `?${kept.join('&')}`
  })
}

/** The names of a JSON body's members, or of a form's fields; the empty name is the body itself. */
function namesIn(body: string): string[] {
  const names = [...body.matchAll(/"([^"]*)"\s*:|(?:^|&)([^=&]*)=/g)].map(([, member, field]) => member ?? field ?? '')
  return ['', ...names]
}

function parameter(part: string): { name: string; value: string } {
  const [[name, value] = ['', '']] = new URLSearchParams(part)
  return { name, value }
}

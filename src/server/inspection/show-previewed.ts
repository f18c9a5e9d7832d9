/** A request that will not be sent → what is shown of it: names for what is not known, the place of the credential. */
import { type AuthPlan, credentialPlacement } from '../../engine/auth/plan/authenticator.ts'
import { credentialMark, type HttpRequest, withHeader } from '../../engine/request/http-request.ts'
import type { ShownRequest } from '../wire/exchange.ts'
import { hidden } from '../hidden.ts'
import type { Placeholders } from './placeholders.ts'

/** @param link The address that takes the place of the author's, where the token is one. */
export function showPreviewed(
  request: HttpRequest,
  auth: AuthPlan,
  { reveal }: Placeholders,
  link?: string,
): ShownRequest {
  const { method, url, headers, body } = withCredentialShown(request, auth)
  const names = Object.entries(headers).map(([name, value]) => [name, reveal(value)])
  return {
    method,
    // A link has parameters of its own, and those it has are not sent twice.
    url: link === undefined ? reveal(url) : reveal(link.slice(new URL(link).origin.length + 1)),
    headers: Object.fromEntries(names) as Record<string, string>,
    body: body === null ? null : reveal(body),
  }
}

function withCredentialShown(request: HttpRequest, auth: AuthPlan): HttpRequest {
  const placement = credentialPlacement(auth)
  switch (placement?.into) {
    case 'header':
      return withHeader(request, placement.name, `${schemes[auth.kind] ?? ''}${hidden}`)
    case 'query':
      return { ...request, url: request.url.replaceAll(credentialMark, hidden) }
    case 'form':
    case 'json':
      return { ...request, body: request.body?.replaceAll(credentialMark, hidden) ?? null }
    default:
      return request
  }
}

const schemes: Partial<Record<AuthPlan['kind'], string>> = { bearer: 'Bearer ', basic: 'Basic ', oauth: 'Bearer ' }

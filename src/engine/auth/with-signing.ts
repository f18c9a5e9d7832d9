/** Send → Send that signs requests to their own origin, and removes secrets from requests to others. */
import { authenticate, unsignLink, withoutCredential } from './sign-request.ts'
import type { Credentials } from './credentials.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { sameOrigin } from '../request/url.ts'
import type { HttpResponse, Send } from '../response/http-response.ts'
import type { Notice } from '../response/notice.ts'
import type { Redactor } from '../secrets/redact.ts'
import { withoutSecrets } from '../secrets/without-secrets.ts'

export type SigningTools = {
  readonly credentials: Credentials
  /** Further origins that the user trusts with the credentials. */
  readonly trusted: readonly string[]
  /** Knows whether a text holds a secret in any form, and where requests hold pieces of one. */
  readonly redactor: Pick<Redactor, 'isSecret' | 'isPlaced'>
  readonly report: (notice: Notice) => void
}

/** Credentials follow the origin, never the link: a next link or redirect elsewhere goes without them, and is reported. */
export function withSigning(send: Send, { credentials, trusted, redactor, report }: SigningTools): Send {
  const reported = new Set<string>()
  const sign = signing(send, credentials)
  return (request, signal) => {
    const { home = request.url } = request
    if ([home, ...trusted].some((origin) => sameOrigin(origin, request.url))) return sign(request, signal)

    const bare = 'placement' in credentials ? withoutCredential(credentials.placement, request) : request
    const stripped = withoutSecrets(bare, redactor.isSecret, redactor.isPlaced)
    const { origin } = new URL(request.url)
    if (!reported.has(origin)) {
      reported.add(origin)
      const own = credentials.kind === 'none' ? [] : ['credentials']
      const dropped = [...own, ...(request.withheld ?? []), ...stripped.dropped]
      report({ kind: 'foreign-origin', from: home, to: stripped.request.url, dropped })
    }
    return send(stripped.request, signal)
  }
}

function signing(send: Send, credentials: Credentials): Send {
  switch (credentials.kind) {
    case 'none':
      return send
    case 'placed':
      return placing(send, credentials)
    case 'rotating':
      return credentials.signing(send)
    case 'added': {
      const { sign, renew, renewals } = credentials
      return async (request, signal) => {
        const before = renewals()
        const response = await send(await sign(request, signal), signal)
        if (!isRefused(response)) return response
        // Another request was refused first and renewed the tokens.
        const isRenewed = renewals() > before || (await renew(null, signal))
        return isRenewed ? send(await sign(request, signal), signal) : response
      }
    }
  }
}

type Placed = Extract<Credentials, { kind: 'placed' }>

/** A secret that is available is used without waiting; one that is refused before it expires is renewed once. */
function placing(send: Send, credentials: Placed): Send {
  const {
    placement,
    secret: { value, renew },
  } = credentials
  // A redirect repeats the credential of its request, which may be over by now.
  const sendWith = (secret: string, request: HttpRequest, signal: AbortSignal) =>
    send(authenticate(placement, secret, { ...request, url: unsignLink(credentials, request.url) }), signal)
  if (renew === undefined) {
    return (request, signal) => {
      const secret = value(signal)
      if (typeof secret === 'string') return sendWith(secret, request, signal)
      return secret.then((fetched) => sendWith(fetched, request, signal))
    }
  }
  return async (request, signal) => {
    const secret = await value(signal)
    const response = await sendWith(secret, request, signal)
    if (!isRefused(response) || !(await renew(secret, signal))) return response
    return sendWith(await value(signal), request, signal)
  }
}

function isRefused({ status }: HttpResponse): boolean {
  return status === 401
}

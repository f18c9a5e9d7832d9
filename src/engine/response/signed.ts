/** Send → Send that signs requests to their own origin and strips those to any other. */
import { authenticate, type Credentials, withoutMark } from '../request/auth.ts'
import type { Send } from './http-response.ts'
import type { Notice } from './notice.ts'
import { sameOrigin } from '../request/origin.ts'
import { withoutSecrets } from './without-secrets.ts'

export type SigningTools = {
  readonly credentials: Credentials
  /** Origins besides the request's own home that the user trusts. */
  readonly trusted: readonly string[]
  /** Whether a text holds a secret in any form. */
  readonly isSecret: (text: string) => boolean
  readonly report: (notice: Notice) => void
}

/** Credentials follow the origin, never the link: a next link or redirect elsewhere goes without them, and is reported. */
export function signed(send: Send, { credentials, trusted, isSecret, report }: SigningTools): Send {
  const reported = new Set<string>()
  return (request, signal) => {
    const { home = request.url } = request
    if ([home, ...trusted].some((origin) => sameOrigin(origin, request.url))) {
      return send(authenticate(credentials, request), signal)
    }

    const stripped = withoutSecrets(withoutMark(credentials, request), isSecret)
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

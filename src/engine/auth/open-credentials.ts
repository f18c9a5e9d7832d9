/** An authenticator's plan → the credentials of one run. */
import type { RequesterPlan } from '../plan/requester.ts'
import { type Credentials, fixedSecret, type Secret, staticSecret } from './credentials.ts'
import { credentialPlacement } from './plan/authenticator.ts'
import { secretTexts } from './secret-texts.ts'
import type { Send } from '../response/http-response.ts'
import { askingFor, type Run } from '../run/run.ts'
import { openCustom } from './custom-authenticator.ts'
import { openJwt } from './jwt.ts'
import { openLegacySession, openSessionToken } from './session.ts'
import { openOAuth } from './oauth.ts'
import { openRotatingTokens } from './rotating-tokens.ts'

/** `open` makes a way to the API for a login requester, which is one like any other. */
export function openCredentials(
  run: Run,
  { auth }: RequesterPlan,
  open: (run: Run, plan: RequesterPlan) => { readonly send: Send },
): Credentials {
  for (const text of secretTexts(auth, run.config)) run.redactor.add(text)
  const placed = (secret: Secret): Credentials => {
    const placement = credentialPlacement(auth)
    return placement === null ? { kind: 'none' } : { kind: 'placed', placement, secret }
  }
  switch (auth.kind) {
    case 'none':
      return { kind: 'none' }
    case 'key':
    case 'bearer':
    case 'basic':
      return placed(fixedSecret(staticSecret(auth, run.config)))
    case 'oauth':
      return placed(openOAuth(run, auth))
    case 'session':
      return placed(openSessionToken(run, auth, open(askingFor(run, { kind: 'token' }), auth.login).send))
    case 'legacy-session':
      return placed(openLegacySession(run, auth))
    case 'jwt':
      return placed(openJwt(run, auth))
    case 'rotating':
      return openRotatingTokens(run, auth)
    case 'custom':
      return openCustom(run, auth)
  }
}

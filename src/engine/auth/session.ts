/** A session plan → the token that its login gives. */
import { ConnectorError } from '../../errors.ts'
import type { SessionPlan } from '../plan/auth-plan.ts'
import { firstMatch, stepOf } from '../records/match-path.ts'
import { authScope, type Secret } from '../request/credentials.ts'
import { buildRequest } from '../request/request.ts'
import { placeOf } from '../response/decode.ts'
import type { Send } from '../response/http-response.ts'
import type { Run } from '../run/run.ts'
import { DateTime } from '../template/dates/date-time.ts'
import { addDuration, parseDuration } from '../template/dates/duration.ts'
import { pythonText } from '../template/text.ts'
import { authIdentity } from './identity.ts'
import { createKeeper, type Token } from './keep-token.ts'
import { decodeTokenAnswer, noToken, renewalBefore } from './token-answer.ts'

/** `login` is the login requester's own way to the API. */
export function openSession(run: Run, plan: SessionPlan, login: Send): Secret {
  const { tokens, now } = run
  if (plan.lifetime === null) return sessionPerRequest(run, plan, login)
  const { lifetime } = plan
  const fetch = () =>
    tokens.underWay(
      logIn(run, plan, login, tokens.closing).then(({ text, askedAt }): Token => {
        const expiresAt = endOf(lifetime, askedAt, plan)
        return { value: text, obtainedAt: askedAt, renewAt: renewalBefore(expiresAt, askedAt) }
      }),
    )
  const keeper = tokens.once(authIdentity(plan), () => createKeeper(null, now))
  return {
    value: (signal) => keeper.value(fetch, signal),
    isKnown: keeper.isKnown,
    renew: (refused, signal) => keeper.renew(fetch, refused, signal),
  }
}

/** Airbyte documents it so: a session without a lifetime serves one request. */
function sessionPerRequest(run: Run, plan: SessionPlan, login: Send): Secret {
  let last = ''
  return {
    async value(signal) {
      const { text } = await logIn(run, plan, login, signal)
      last = text
      return text
    },
    isKnown: (text) => text === last,
  }
}

async function logIn(run: Run, plan: SessionPlan, login: Send, signal: AbortSignal) {
  const { config, tokens, trustedOrigins } = run
  const { at, login: requester } = plan
  const slice = { partition: {}, window: {} }
  const askedAt = run.now()
  const request = buildRequest({ requester, at, config, slice, token: null, placed: [], trustedOrigins })
  const response = await login(request, signal)
  if (response.isIgnored) {
    const message = `The answer of ${placeOf(response)} to the login is ignored, as the manifest says: there is no session.`
    throw new ConnectorError('response/no-token', message, { at })
  }
  const body = decodeTokenAnswer(response)
  const found = firstMatch(body as Record<string, unknown>, plan.tokenPath.map(stepOf))
  if (found === undefined || found === null || typeof found === 'object') {
    throw noToken(response, plan.tokenPath.join('.'), body)
  }
  const token = pythonText(found)
  const hide = plan.lifetime === null ? tokens.hideShortly : tokens.hide
  hide(token)
  const scope = { ...authScope(plan, config), session_token: token }
  const text = plan.token.render(scope)
  hide(text.replace(/^\w+ /, ''))
  return { text, askedAt }
}

function endOf(lifetime: string, from: number, { at }: SessionPlan): number {
  try {
    return addDuration(DateTime.fromEpochMs(from), parseDuration(lifetime)).epochSeconds * 1000
  } catch {
    const message = `\`expiration_duration\` is \`${lifetime.slice(0, 40)}\`, not a duration.`
    throw new ConnectorError('plan/invalid-duration', message, { at })
  }
}

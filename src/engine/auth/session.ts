/** A session plan → the token that its login gives. */
import { ConnectorError } from '../../std/errors.ts'
import type { SessionPlan } from '../plan/auth-plan.ts'
import { durationOf } from '../plan/duration.ts'
import { firstMatch, stepOf } from '../records/match-path.ts'
import { authScope, type Secret } from '../request/credentials.ts'
import { buildRequest } from '../request/request.ts'
import { responseAddress } from '../response/decode.ts'
import { decodeWhole } from '../response/decode-response.ts'
import type { HttpResponse, Send } from '../response/http-response.ts'
import type { Run } from '../run/run.ts'
import { DateTime } from '../template/dates/date-time.ts'
import { addDuration } from '../template/dates/duration.ts'
import { pythonText } from '../template/text.ts'
import { authIdentity } from './identity.ts'
import { createKeeper, keptSecret, type Token } from './keep-token.ts'
import { decodeTokenAnswer, noToken, renewalBefore } from './token-answer.ts'

/** `login` is the login requester's own way to the API. */
export function openSession(run: Run, plan: SessionPlan, login: Send): Secret {
  const { tokens, now } = run
  if (plan.lifetime === null) return sessionPerRequest(run, plan, login)
  const { lifetime } = plan
  const fetch = () =>
    tokens.underWay(
      logIn(run, plan, login, tokens.closing).then(({ text, askedAt }): Token => {
        const expiresAt = addDuration(DateTime.fromEpochMs(askedAt), durationOf(lifetime, plan.at)).epochSeconds * 1000
        return { value: text, obtainedAt: askedAt, renewAt: renewalBefore(expiresAt, askedAt) }
      }),
    )
  const keeper = tokens.once(authIdentity(plan), () => createKeeper(null, now))
  return keptSecret(keeper, fetch)
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

/** Of a format with many items the first counts, as in Airbyte. */
async function decodeLogin(run: Run, { decoder, at }: SessionPlan, response: HttpResponse): Promise<unknown> {
  if (decoder.kind === 'json') return decodeTokenAnswer(response)
  try {
    const { value } = await decodeWhole({ plan: decoder, custom: null, maxBytes: run.network.maxBodyBytes }, response)
    return Array.isArray(value) ? (value[0] as unknown) : value
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error
    // What stands in the answer may be a token: nothing of it is quoted.
    const message = `The answer of ${responseAddress(response)} to the login cannot be decoded: no token can be read from it.`
    throw new ConnectorError('response/no-token', message, { at })
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
    const message = `The answer of ${responseAddress(response)} to the login is ignored, as the manifest says: there is no session.`
    throw new ConnectorError('response/no-token', message, { at })
  }
  const body = await decodeLogin(run, plan, response)
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

/** A session plan → the token that its login gives, or the user's token where it is still valid. */
import { ConnectorError, hasCode } from '../../std/errors.ts'
import { durationOf } from '../plan/read-fields.ts'
import { firstMatch, stepOf } from '../records/match-path.ts'
import { encodeJson } from '../request/encode-json.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { buildRequest } from '../request/request.ts'
import { joinUrl } from '../request/url.ts'
import { responseAddress } from '../response/decode.ts'
import type { HttpResponse, Send } from '../response/http-response.ts'
import type { Run } from '../run/run.ts'
import { DateTime } from '../template/dates/date-time.ts'
import { addDuration } from '../template/dates/duration.ts'
import { authScope, type Secret, evaluateText } from './credentials.ts'
import { authIdentity, createKeeper, keptSecret, type KeptToken } from './keep-token.ts'
import type { LegacySessionPlan, SessionPlan } from './plan/authenticator.ts'
import { authenticate } from './sign-request.ts'
import { decodeTokenResponse, findValue, noToken, renewalBefore, tokenSend, tokenText } from './token-endpoint.ts'

/** `login` sends requests of the login requester. */
export function openSessionToken(run: Run, plan: SessionPlan, login: Send): Secret {
  const { tokens, now } = run
  if (plan.lifetime === null) return sessionPerRequest(run, plan, login)
  const { lifetime } = plan
  const fetch = () =>
    tokens.underWay(
      logIn(run, plan, login, tokens.closing).then(({ text, askedAt }): KeptToken => {
        const expiresAt = addDuration(DateTime.fromEpochMs(askedAt), durationOf(lifetime, plan.at)).epochSeconds * 1000
        return { value: text, obtainedAt: askedAt, renewAt: renewalBefore(expiresAt, askedAt) }
      }),
    )
  const keeper = tokens.once(authIdentity(plan), () => createKeeper(null, now))
  return keptSecret(keeper, fetch)
}

/** A next link repeats the session of its own page, while other slices log in. */
const remembered = 100

/** As Airbyte documents: a session without a lifetime is used for one request. */
function sessionPerRequest(run: Run, plan: SessionPlan, login: Send): Secret {
  let known: string[] = []
  return {
    async value(signal) {
      const { text } = await logIn(run, plan, login, signal)
      known = [text, ...known.slice(0, remembered - 1)]
      return text
    },
    isKnown: (text) => known.includes(text),
  }
}

/** Of a format with many items the first is used, as in Airbyte. */
async function decodeLogin(run: Run, { decoder, at }: SessionPlan, response: HttpResponse): Promise<unknown> {
  if (decoder.kind === 'json') return decodeTokenResponse(response)
  try {
    const { decodeWhole } = await import('../response/decode-response.ts')
    const { value } = await decodeWhole({ plan: decoder, custom: null, maxBytes: run.network.maxBodyBytes }, response)
    return Array.isArray(value) ? (value[0] as unknown) : value
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error
    // The response may hold a token: nothing of it is quoted.
    const message = `The login response of ${responseAddress(response)} cannot be decoded, so it gives no token.`
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
    const message = `The login response of ${responseAddress(response)} is ignored by a rule of the manifest, so there is no session.`
    throw new ConnectorError('response/no-token', message, { at })
  }
  const body = await decodeLogin(run, plan, response)
  const found = body === null ? undefined : firstMatch(body as Record<string, unknown>, plan.tokenPath.map(stepOf))
  const token = tokenText(found)
  if (token === null) throw noToken(response, plan.tokenPath.join('.'), body)
  const hide = plan.lifetime === null ? tokens.hideShortly : tokens.hide
  hide(token)
  const scope = { ...authScope(plan, config), session_token: token }
  const text = plan.token.render(scope)
  hide(text.replace(/^\w+ /, ''))
  return { text, askedAt }
}

/** Airbyte validates the token before every request, and logs in once a day; here a refused request causes a new login. */
const lifeMs = 86_400_000

export function openLegacySession(run: Run, plan: LegacySessionPlan): Secret {
  const { tokens, now } = run
  const keeper = tokens.once(authIdentity(plan), () => createKeeper(null, now))
  const fetch = () => tokens.underWay(fetchSession(run, plan))
  return keptSecret(keeper, fetch)
}

async function fetchSession(run: Run, plan: LegacySessionPlan): Promise<KeptToken> {
  const obtainedAt = run.now()
  const own = evaluateText(plan.token, plan, run.config)
  const value = own !== '' && (await isGood(run, plan, own)) ? own : await logInWithPassword(run, plan)
  return { value, obtainedAt, renewAt: obtainedAt + lifeMs }
}

/** A refused token is replaced by a login; any other error is reported. */
async function isGood(run: Run, plan: LegacySessionPlan, token: string): Promise<boolean> {
  const request: HttpRequest = { method: 'GET', ...addressOf(run, plan, plan.validatePath), headers: {}, body: null }
  try {
    await tokenSend(run)(authenticate(plan.placement, token, request), run.tokens.closing)
    return true
  } catch (error) {
    if (hasCode(error, 'request/token-refused')) return false
    throw error
  }
}

async function logInWithPassword(run: Run, plan: LegacySessionPlan): Promise<string> {
  const { config, tokens } = run
  const [username, password] = [evaluateText(plan.username, plan, config), evaluateText(plan.password, plan, config)]
  if (username === '' || password === '') {
    const message = 'The session token is not valid, and there is no user name and password to get one for.'
    throw new ConnectorError('request/token-refused', message, { at: plan.at })
  }
  tokens.hide(password)
  const request: HttpRequest = {
    method: 'POST',
    ...addressOf(run, plan, plan.loginPath),
    headers: { 'Content-Type': 'application/json' },
    body: encodeJson({ username, password }, plan.at),
  }
  const response = await tokenSend(run)(request, tokens.closing)
  const body = decodeTokenResponse(response)
  const name = evaluateText(plan.tokenKey, plan, config)
  const token = tokenText(findValue(body, name, 0))
  if (token === null) throw noToken(response, name, body)
  tokens.hide(token)
  return token
}

function addressOf({ config }: Run, plan: LegacySessionPlan, path: LegacySessionPlan['loginPath']) {
  const url = joinUrl(evaluateText(plan.base, plan, config), evaluateText(path, plan, config), plan.at)
  return { url, home: url }
}

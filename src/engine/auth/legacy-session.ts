/** The older session plan → the user's own token where it is still good, otherwise one got for name and password. */
import { ConnectorError } from '../../std/errors.ts'
import type { LegacySessionPlan } from '../plan/auth-plan.ts'
import { authenticate } from '../request/auth.ts'
import { type Secret, textOf } from '../request/credentials.ts'
import { encodeJson } from '../request/encode-json.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { joinUrl } from '../request/url.ts'
import type { Run } from '../run/run.ts'
import { pythonText } from '../template/text.ts'
import { authIdentity } from './identity.ts'
import { createKeeper, keptSecret, type Token } from './keep-token.ts'
import { decodeTokenAnswer, findValue, noToken } from './token-answer.ts'
import { tokenSend } from './token-send.ts'

/** Airbyte asks whether the token is good before every request, and logs in once a day; here a refusal tells. */
const lifeMs = 86_400_000

export function openLegacySession(run: Run, plan: LegacySessionPlan): Secret {
  const { tokens, now } = run
  const keeper = tokens.once(authIdentity(plan), () => createKeeper(null, now))
  const fetch = () => tokens.underWay(fetchSession(run, plan))
  return keptSecret(keeper, fetch)
}

async function fetchSession(run: Run, plan: LegacySessionPlan): Promise<Token> {
  const obtainedAt = run.now()
  const own = textOf(plan.token, plan, run.config)
  const value = own !== '' && (await isGood(run, plan, own)) ? own : await logIn(run, plan)
  return { value, obtainedAt, renewAt: obtainedAt + lifeMs }
}

/** A token that is refused gives way to name and password; any other trouble is the reader's to know. */
async function isGood(run: Run, plan: LegacySessionPlan, token: string): Promise<boolean> {
  const request: HttpRequest = { method: 'GET', ...addressOf(run, plan, plan.validatePath), headers: {}, body: null }
  try {
    await tokenSend(run)(authenticate(plan.placement, token, request), run.tokens.closing)
    return true
  } catch (error) {
    if (error instanceof ConnectorError && error.code === 'request/token-refused') return false
    throw error
  }
}

async function logIn(run: Run, plan: LegacySessionPlan): Promise<string> {
  const { config, tokens } = run
  const [username, password] = [textOf(plan.username, plan, config), textOf(plan.password, plan, config)]
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
  const body = decodeTokenAnswer(response)
  const name = textOf(plan.tokenKey, plan, config)
  const token = findValue(body, name, 0)
  if (token === undefined || token === null || typeof token === 'object') throw noToken(response, name, body)
  const text = pythonText(token)
  tokens.hide(text)
  return text
}

function addressOf({ config }: Run, plan: LegacySessionPlan, path: LegacySessionPlan['loginPath']) {
  const url = joinUrl(textOf(plan.base, plan, config), textOf(path, plan, config), plan.at)
  return { url, home: url }
}

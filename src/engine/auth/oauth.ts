/** An OAuth plan → its access token: fetched when it is needed, once for all who share it, and renewed before it ends. */
import { followPath } from '../../std/values/get-at.ts'
import type { OAuthPlan, SingleUsePlan } from '../plan/auth-plan.ts'
import type { Config } from '../plan/plan.ts'
import { fixedSecret, type Secret, textOf } from '../request/credentials.ts'
import type { HttpResponse, Send } from '../response/http-response.ts'
import type { Run } from '../run/run.ts'
import { pythonText } from '../template/text.ts'
import { changedConfig, type ConfigChange } from '../run/tokens.ts'
import { authIdentity } from './identity.ts'
import { signToken } from './jwt.ts'
import { createKeeper, keptSecret, type Token } from './keep-token.ts'
import { refreshTokenOf, tokenRequest } from './oauth-request.ts'
import {
  decodeTokenAnswer,
  expiryOf,
  findValue,
  instantOf,
  noToken,
  renewalBefore,
  skewOf,
  usualLifeMs,
} from './token-answer.ts'
import { tokenSend } from './token-send.ts'

export function openOAuth(run: Run, plan: OAuthPlan): Secret {
  const { tokens, config, now } = run
  if (plan.endpoint === null) return fixedSecret(`Bearer ${textOf(plan.accessToken, plan, config)}`)
  hideWhatIsHeld(run, plan)
  const keeper = tokens.once(identityOf(plan), () => createKeeper(firstToken(plan, config), now))
  const fetch = () => tokens.underWay(fetchToken(run, plan))
  // A refused token costs a single-use refresh token only where somebody keeps the next one.
  const mayRenew = plan.singleUse === null || run.onConfig !== undefined
  const { renew, ...secret } = keptSecret(keeper, fetch)
  return { ...secret, ...(mayRenew && { renew }) }
}

/** Whoever keeps its token at the same place of the config has the same one. */
function identityOf(plan: OAuthPlan): string {
  return plan.singleUse === null ? authIdentity(plan) : authIdentity(plan.singleUse)
}

function hideWhatIsHeld({ tokens, config }: Run, { singleUse }: OAuthPlan): void {
  if (singleUse === null) return
  for (const path of [singleUse.accessTokenPath, singleUse.refreshTokenPath, ['credentials', 'client_secret']]) {
    const held = followPath(config, path)
    if (typeof held === 'string' && held !== '') tokens.hide(held)
  }
}

/** The token of the config, as long as it is good. Airbyte: one without a date is not. */
function firstToken(plan: OAuthPlan, config: Config): Token | null {
  const [held, expiry] =
    plan.singleUse === null
      ? [textOf(plan.accessToken, plan, config), textOf(plan.expiry, plan, config)]
      : [followPath(config, plan.singleUse.accessTokenPath), followPath(config, plan.singleUse.expiryPath)]
  const expiresAt = instantOf(expiry ?? '')
  if (held === undefined || held === null || held === '' || expiresAt === null) return null
  const obtainedAt = Number.NEGATIVE_INFINITY
  return { value: `Bearer ${pythonText(held)}`, obtainedAt, renewAt: renewalBefore(expiresAt, obtainedAt) }
}

async function fetchToken(run: Run, plan: OAuthPlan): Promise<Token> {
  const { tokens, now } = run
  const config = changedConfig(run.config, tokens.changes)
  const assertion = plan.assertion === null ? null : signToken(run, plan.assertion)
  const askedAt = now()
  const response = await askFor(run, plan, config, assertion)

  const body = decodeTokenAnswer(response)
  const found = findIn(body, plan, config)
  if (found.refreshToken !== null) tokens.hide(found.refreshToken)
  if (found.accessToken === null) throw noToken(response, textOf(plan.names.accessToken, plan, config), body)
  tokens.hide(found.accessToken)
  const clues = { format: plan.expiryFormat, askedAt, skewMs: skewOf(response, now()) }
  const expiresAt = expiryOf(found.expiresIn, clues) ?? askedAt + usualLifeMs
  if (plan.singleUse !== null) {
    await keepInConfig(run, changesOf(plan.singleUse, found.accessToken, found.refreshToken, expiresAt))
  }
  return { value: `Bearer ${found.accessToken}`, obtainedAt: askedAt, renewAt: renewalBefore(expiresAt, askedAt) }
}

function askFor(run: Run, plan: OAuthPlan, config: Config, assertion: string | null): Promise<HttpResponse> {
  const { network, tokens } = run
  const refreshToken = refreshTokenOf(plan, config)
  if (refreshToken !== null) tokens.hide(refreshToken)
  // A single-use token that was sent is spent: its answer is waited for, whoever stopped reading meanwhile.
  const send: Send = plan.singleUse === null ? network.send : (request) => network.send(request, neverAborted())
  return tokenSend(run, { refusals: plan.refusals, send })(tokenRequest(plan, config, assertion), tokens.closing)
}

function neverAborted(): AbortSignal {
  return new AbortController().signal
}

function findIn(body: unknown, { names, ...plan }: OAuthPlan, config: Config) {
  const value = (name: OAuthPlan['clientId']) => findValue(body, textOf(name, plan, config))
  const text = (found: unknown) =>
    (typeof found === 'string' && found !== '') || typeof found === 'number' || typeof found === 'bigint'
      ? String(found)
      : null
  return {
    accessToken: text(value(names.accessToken)),
    refreshToken: text(value(names.refreshToken)),
    expiresIn: value(names.expiresIn),
  }
}

function changesOf(
  { accessTokenPath, refreshTokenPath, expiryPath }: SingleUsePlan,
  accessToken: string,
  refreshToken: string | null,
  expiresAt: number,
): ConfigChange[] {
  return [
    { path: accessTokenPath, value: accessToken },
    // Airbyte: an endpoint that names no new refresh token leaves the old one in force.
    ...(refreshToken === null ? [] : [{ path: refreshTokenPath, value: refreshToken }]),
    { path: expiryPath, value: new Date(expiresAt).toISOString().replace('Z', '+00:00') },
  ]
}

/** Handed over before the token is used: whatever happens next, the token that replaces the spent one is not lost. */
async function keepInConfig({ tokens, config, onConfig }: Run, changes: readonly ConfigChange[]): Promise<void> {
  tokens.changes.push(...changes)
  await onConfig?.(changedConfig(config, tokens.changes))
}

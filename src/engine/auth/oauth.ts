/** An OAuth plan → its access token: requested when needed, once for all requests that share it, renewed before it expires. */
import { ConnectorError } from '../../std/errors.ts'
import { followPath } from '../../std/values/get-at.ts'
import type { Config } from '../plan/plan.ts'
import { headersOf } from '../request/headers.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { sourcedAs } from '../request/merge.ts'
import { pairsOf } from '../request/placement.ts'
import { encodePairs, resolveUrl, withQuery } from '../request/url.ts'
import type { HttpResponse, Send } from '../response/http-response.ts'
import { changedConfig, type ConfigChange } from '../run/tokens.ts'
import type { Run } from '../run/run.ts'
import { pythonText } from '../template/text.ts'
import { evaluateMapping, fixedSecret, type Secret, evaluateText, type EvaluatedMapping } from './credentials.ts'
import { authIdentity, createKeeper, keptSecret, type KeptToken } from './keep-token.ts'
import { signToken } from './jwt.ts'
import type { OAuthPlan, SingleUsePlan } from './plan/oauth.ts'
import {
  decodeTokenResponse,
  expiryOf,
  findValue,
  instantOf,
  noToken,
  renewalBefore,
  skewOf,
  usualLifeMs,
  tokenSend,
  tokenText,
} from './token-endpoint.ts'

export function openOAuth(run: Run, plan: OAuthPlan): Secret {
  const { tokens, config, now } = run
  if (plan.endpoint === null) {
    const token = evaluateText(plan.accessToken, plan, config)
    return fixedSecret(token === '' ? '' : `Bearer ${token}`)
  }
  hideWhatIsHeld(run, plan)
  const keeper = tokens.once(identityOf(plan), () => createKeeper(firstToken(plan, config), now))
  const fetch = () => tokens.underWay(fetchToken(run, plan))
  // A refused token costs a single-use refresh token: renew it only where the next one is stored.
  const mayRenew = plan.singleUse === null || run.onConfig !== undefined
  const { renew, ...secret } = keptSecret(keeper, fetch)
  return { ...secret, ...(mayRenew && { renew }) }
}

/** Plans that keep their token at the same path of the config share it. */
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
function firstToken(plan: OAuthPlan, config: Config): KeptToken | null {
  const [held, expiry] =
    plan.singleUse === null
      ? [evaluateText(plan.accessToken, plan, config), evaluateText(plan.expiry, plan, config)]
      : [followPath(config, plan.singleUse.accessTokenPath), followPath(config, plan.singleUse.expiryPath)]
  const expiresAt = instantOf(expiry ?? '')
  if (held === undefined || held === null || held === '' || expiresAt === null) return null
  const obtainedAt = Number.NEGATIVE_INFINITY
  return { value: `Bearer ${pythonText(held)}`, obtainedAt, renewAt: renewalBefore(expiresAt, obtainedAt) }
}

async function fetchToken(run: Run, plan: OAuthPlan): Promise<KeptToken> {
  const { tokens, now } = run
  const config = changedConfig(run.config, tokens.changes)
  const assertion = plan.assertion === null ? null : signToken(run, plan.assertion)
  const askedAt = now()
  const response = await askFor(run, plan, config, assertion)

  const body = decodeTokenResponse(response)
  const found = findIn(body, plan, config)
  if (found.refreshToken !== null) tokens.hide(found.refreshToken)
  if (found.accessToken === null) throw noToken(response, evaluateText(plan.names.accessToken, plan, config), body)
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
  // A single-use token that was sent is used up: its response is awaited even if the read is cancelled.
  const send: Send = plan.singleUse === null ? network.send : (request) => network.send(request, neverAborted())
  return tokenSend(run, { refusals: plan.refusals, send })(tokenRequest(plan, config, assertion), tokens.closing)
}

function neverAborted(): AbortSignal {
  return new AbortController().signal
}

function findIn(body: unknown, { names, ...plan }: OAuthPlan, config: Config) {
  const value = (name: OAuthPlan['clientId']) => findValue(body, evaluateText(name, plan, config))
  return {
    accessToken: tokenText(value(names.accessToken)),
    refreshToken: tokenText(value(names.refreshToken)),
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

/** `config` has the changes of earlier token responses. */
function tokenRequest(plan: OAuthPlan, config: Config, assertion: string | null): HttpRequest {
  const { at } = plan
  const url = resolveUrl(evaluateText(plan.endpoint, plan, config).trim(), undefined, at)
  const headers = evaluateMapping(plan.headers, plan, config)
  const fields = assertion === null ? refreshFields(plan, config, headers) : assertionFields(plan, config, assertion)
  const pairs = fields.flatMap(([name, value]) => pairsOf({ source: 'authenticator', name, value }, at))
  // Airbyte: a profile assertion is sent in the body, whatever the manifest says.
  const inQuery = plan.sendsInQuery && assertion === null
  const named = headers.map(([name, value]) => ({ name, value }))
  return {
    method: 'POST',
    url: inQuery ? withQuery(url, pairs) : url,
    home: url,
    headers: headersOf(sourcedAs('request_headers', named), inQuery ? null : 'application/x-www-form-urlencoded', at),
    body: inQuery ? null : encodePairs(pairs),
  }
}

function assertionFields(
  { names, grantType, ...plan }: OAuthPlan,
  config: Config,
  assertion: string,
): EvaluatedMapping {
  return [
    [evaluateText(names.grantType, plan, config), evaluateText(grantType, plan, config)],
    ['assertion', assertion],
  ]
}

const noClient = 'The config gives no `client_id` to the OAuthAuthenticator.'

function refreshFields(plan: OAuthPlan, config: Config, headers: EvaluatedMapping): EvaluatedMapping {
  const { names } = plan
  const fields = new Map<string, unknown>([
    [evaluateText(names.grantType, plan, config), evaluateText(plan.grantType, plan, config)],
  ])
  // Airbyte: an endpoint that knows the client by a header gets it there only.
  if (!headers.some(([name]) => name === 'Authorization')) {
    const clientId = clientPart(plan, config, 'client_id', plan.clientId)
    if (clientId === '') throw new ConnectorError('plan/missing-config', noClient, { at: plan.at })
    fields.set(evaluateText(names.clientId, plan, config), clientId)
    fields.set(
      evaluateText(names.clientSecret, plan, config),
      clientPart(plan, config, 'client_secret', plan.clientSecret),
    )
  }
  fields.set(evaluateText(names.refreshToken, plan, config), refreshTokenOf(plan, config))
  if (plan.scopes.length > 0) fields.set('scopes', plan.scopes)
  for (const [name, value] of evaluateMapping(plan.body, plan, config)) if (!fields.has(name)) fields.set(name, value)
  return [...fields]
}

/** Airbyte: with an updater, what the config has under `credentials` comes first. */
function clientPart(plan: OAuthPlan, config: Config, name: string, template: OAuthPlan['clientId']): string {
  const held = plan.singleUse === null ? undefined : followPath(config, ['credentials', name])
  return held === undefined || held === null ? evaluateText(template, plan, config) : pythonText(held)
}

/** Null where the grant needs none. */
function refreshTokenOf(plan: OAuthPlan, config: Config): string | null {
  if (plan.singleUse === null) return plan.refreshToken === null ? null : evaluateText(plan.refreshToken, plan, config)
  const held = followPath(config, plan.singleUse.refreshTokenPath)
  return held === undefined || held === null ? '' : pythonText(held)
}

/** Plan + config → the request that asks for an access token, as Airbyte writes it. */
import { ConnectorError } from '../../std/errors.ts'
import { followPath } from '../../std/values/get-at.ts'
import type { MappingPlan, OAuthPlan } from '../plan/auth-plan.ts'
import type { Config } from '../plan/plan.ts'
import { authScope, textOf } from '../request/credentials.ts'
import { headersOf } from '../request/headers.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { sourcedAs } from '../request/merge.ts'
import { pairsOf } from '../request/placement.ts'
import { encodePairs, resolveUrl, withQuery } from '../request/url.ts'
import { pythonText } from '../template/text.ts'

/** `config` holds what earlier answers changed in it. */
export function tokenRequest(plan: OAuthPlan, config: Config, assertion: string | null): HttpRequest {
  const { at } = plan
  const url = resolveUrl(textOf(plan.endpoint, plan, config).trim(), undefined, at)
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

type Fields = [name: string, value: unknown][]

function assertionFields({ names, grantType, ...plan }: OAuthPlan, config: Config, assertion: string): Fields {
  return [
    [textOf(names.grantType, plan, config), textOf(grantType, plan, config)],
    ['assertion', assertion],
  ]
}

const noClient = 'The config gives no `client_id` to the OAuthAuthenticator.'

function refreshFields(plan: OAuthPlan, config: Config, headers: Fields): Fields {
  const { names } = plan
  const fields = new Map<string, unknown>([
    [textOf(names.grantType, plan, config), textOf(plan.grantType, plan, config)],
  ])
  // Airbyte: an endpoint that knows the client by a header gets it there only.
  if (!headers.some(([name]) => name === 'Authorization')) {
    const clientId = clientPart(plan, config, 'client_id', plan.clientId)
    if (clientId === '') throw new ConnectorError('plan/missing-config', noClient, { at: plan.at })
    fields.set(textOf(names.clientId, plan, config), clientId)
    fields.set(textOf(names.clientSecret, plan, config), clientPart(plan, config, 'client_secret', plan.clientSecret))
  }
  fields.set(textOf(names.refreshToken, plan, config), refreshTokenOf(plan, config))
  if (plan.scopes.length > 0) fields.set('scopes', plan.scopes)
  for (const [name, value] of evaluateMapping(plan.body, plan, config)) if (!fields.has(name)) fields.set(name, value)
  return [...fields]
}

/** Airbyte: with an updater, what the config has under `credentials` comes first. */
function clientPart(plan: OAuthPlan, config: Config, name: string, template: OAuthPlan['clientId']): string {
  const held = plan.singleUse === null ? undefined : followPath(config, ['credentials', name])
  return held === undefined || held === null ? textOf(template, plan, config) : pythonText(held)
}

/** Null where the grant needs none. */
export function refreshTokenOf(plan: OAuthPlan, config: Config): string | null {
  if (plan.singleUse === null) return plan.refreshToken === null ? null : textOf(plan.refreshToken, plan, config)
  const held = followPath(config, plan.singleUse.refreshTokenPath)
  return held === undefined || held === null ? '' : pythonText(held)
}

/** Templates are evaluated, everything else is itself. Airbyte: a template that gives nothing gives null. */
export function evaluateMapping(mapping: MappingPlan, holder: Pick<OAuthPlan, 'parameters'>, config: Config): Fields {
  const scope = authScope(holder, config)
  return mapping.map(({ name, value }) => [
    pythonText(name.evaluate(scope)),
    'literal' in value ? value.literal : nullIfEmpty(value.evaluate(scope)),
  ])
}

function nullIfEmpty(value: unknown): unknown {
  return value === undefined || value === '' ? null : value
}

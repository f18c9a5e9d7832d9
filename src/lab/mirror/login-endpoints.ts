/** An authenticator of the manifest → the endpoints that give it tokens. */
import type { Component } from '../../engine/manifest/manifest.ts'
import { fitOf } from './address.ts'
import { asComponent, componentsIn, parametersOf } from './components.ts'
import type { Config } from '../../engine/plan/plan.ts'
import type { Endpoint } from './endpoint.ts'
import { encoded } from './encode.ts'
import { textOr } from './evaluate.ts'
import { placed } from './place.ts'

/** Of a requester: those of its authenticator, whichever way to sign in the config chooses. */
export function loginEndpoints(requester: Component, config: Config): Endpoint[] {
  const inside = componentsIn(requester.authenticator)
  return inside.flatMap((component) => endpointsOf(component, requester, config))
}

function endpointsOf(component: Component, requester: Component, config: Config): Endpoint[] {
  switch (component.type) {
    case 'OAuthAuthenticator':
      return component.token_refresh_endpoint === undefined ? [] : [oauthEndpoint(component, config)]
    case 'SessionTokenAuthenticator':
      return [sessionEndpoint(component, config)]
    case 'LegacySessionTokenAuthenticator':
      return legacySessionEndpoints(component, requester, config)
    default:
      return []
  }
}

function oauthEndpoint(component: Component, config: Config): Endpoint {
  const scope = { config, parameters: parametersOf(component) }
  const named = (field: string, usual: string) => textOr(component[field] ?? usual, scope)
  const body = {
    [named('access_token_name', 'access_token')]: 'access-token-1',
    [named('expires_in_name', 'expires_in')]:
      component.token_expiry_date_format === undefined ? 3600 : '2026-07-01T00:00:00Z',
    refresh_token: 'refresh-token-2',
    token_type: 'bearer',
  }
  const requester = {
    ...component,
    type: 'HttpRequester',
    url: component.token_refresh_endpoint,
    http_method: 'POST',
    path: undefined,
  }
  return fixed('token', requester, config, body)
}

function sessionEndpoint(component: Component, config: Config): Endpoint {
  const requester = component.login_requester as Component
  const path = (component.session_token_path as string[]).map((key) =>
    textOr(key, { config, parameters: parametersOf(component) }),
  )
  return fixed('session', requester, config, placed({}, path, 'session-token-1'), asComponent(component.decoder))
}

/** Logs in at the API it is for, and asks there whether a session still lives. */
function legacySessionEndpoints(component: Component, { url_base, url }: Component, config: Config): Endpoint[] {
  const key = textOr(component.session_token_response_key, { config, parameters: parametersOf(component) })
  const at = { type: 'HttpRequester', url_base: component.api_url ?? url_base ?? url }
  const login = { ...at, path: component.login_url, http_method: 'POST' }
  const check = { ...at, path: component.validate_session_url, http_method: 'GET' }
  return [fixed('session', login, config, { [key]: 'session-token-1' }), fixed('session check', check, config, {})]
}

function fixed(
  name: string,
  requester: Component,
  config: Config,
  body: unknown,
  decoder: Component | null = null,
): Endpoint {
  const answer = encoded(decoder, body, {})
  return { role: 'login', name, fit: fitOf(requester, config), answer: () => answer, shortfalls: [] }
}

/** An authenticator of the manifest → the endpoints that give it tokens. */
import type { Component } from '../src/engine/manifest/manifest.ts'
import { fitOf } from './address.ts'
import { asComponent, parametersOf } from './components.ts'
import type { Config } from './config.ts'
import type { Endpoint } from './endpoint.ts'
import { encoded } from './encode.ts'
import { textOr } from './evaluate.ts'
import { placed } from './place.ts'

export function loginEndpoints(component: Component, config: Config): Endpoint[] {
  switch (component.type) {
    case 'OAuthAuthenticator':
      return component.token_refresh_endpoint === undefined ? [] : [oauthEndpoint(component, config)]
    case 'SessionTokenAuthenticator':
      return [sessionEndpoint(component, config)]
    case 'LegacySessionTokenAuthenticator':
      return [legacySessionEndpoint(component, config)]
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

function legacySessionEndpoint(component: Component, config: Config): Endpoint {
  const scope = { config, parameters: parametersOf(component) }
  const key = textOr(component.session_token_response_key, scope)
  return fixed(
    'session',
    {
      ...component,
      type: 'HttpRequester',
      url_base: component.api_url,
      path: component.login_url,
      http_method: 'POST',
    },
    config,
    { [key]: 'session-token-1' },
  )
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

/** `authenticator` → where the credential of a request comes from, and where it goes. */
import type { AuthenticatorType } from '../../manifest/table/authentication.ts'
import { ConnectorError, type SourceLocation } from '../../../std/errors.ts'
import type { CustomPlan } from '../../custom/component.ts'
import type { Component } from '../../manifest/manifest.ts'
import { type DecoderPlan, planDecoder } from '../../plan/decoder.ts'
import type { Parameters, Placement } from '../../plan/plan.ts'
import {
  componentIn,
  parametersOf,
  placementIn,
  planCustom,
  type PlanInput,
  requiredComponentIn,
  requiredTemplateIn,
  templateIn,
  evaluatedText,
  unsupported,
} from '../../plan/read-fields.ts'
import { planRequester, type RequesterPlan } from '../../plan/requester.ts'
import { compileTemplate, type Template } from '../../template/template.ts'
import { pythonText } from '../../template/text.ts'
import { type JwtPlan, planJwt } from './jwt.ts'
import { type OAuthPlan, planOAuth } from './oauth.ts'
import { planRotatingTokens, type RotatingPlan } from './rotating-tokens.ts'

export type AuthPlan =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly placement: Placement; readonly token: Template; readonly parameters: Parameters }
  | { readonly kind: 'bearer'; readonly token: Template; readonly parameters: Parameters }
  | {
      readonly kind: 'basic'
      readonly username: Template
      readonly password: Template | null
      readonly parameters: Parameters
    }
  | OAuthPlan
  | SessionPlan
  | LegacySessionPlan
  | JwtPlan
  | RotatingPlan
  | ({ readonly kind: 'custom' } & CustomPlan)

/** A token that a login request gives. */
export type SessionPlan = {
  readonly kind: 'session'
  readonly at: SourceLocation
  readonly login: RequesterPlan
  /** The format of the login response. */
  readonly decoder: DecoderPlan
  /** The path of the token in the login response. */
  readonly tokenPath: readonly string[]
  /** ISO 8601; null: every request logs in for itself. */
  readonly lifetime: string | null
  readonly placement: Placement
  /** What is sent, of `session_token`. */
  readonly token: Template
  readonly parameters: Parameters
}

/** The older spelling of a session: a token of the user, or one for name and password. */
export type LegacySessionPlan = {
  readonly kind: 'legacy-session'
  readonly at: SourceLocation
  readonly base: Template
  readonly loginPath: Template
  readonly validatePath: Template
  readonly token: Template | null
  readonly tokenKey: Template
  readonly username: Template | null
  readonly password: Template | null
  readonly placement: Placement
  readonly parameters: Parameters
}

/** The authenticator of a requester; `none` where it has none. */
export function planAuth(input: PlanInput, requester: Component): AuthPlan {
  const auth = componentIn(requester, 'authenticator')
  return auth === null ? { kind: 'none' } : planAuthenticator(input, auth, requester)
}

function planAuthenticator(input: PlanInput, auth: Component, requester: Component): AuthPlan {
  const parameters = parametersOf(auth)
  const method = auth.type as AuthenticatorType
  switch (method) {
    case 'NoAuth':
      return { kind: 'none' }
    case 'ApiKeyAuthenticator': {
      const placement = placementIn(input, auth, 'inject_into') ?? headerNamed(input, auth)
      return { kind: 'key', placement, token: templateIn(input, auth, 'api_token') ?? compileTemplate(''), parameters }
    }
    case 'BearerAuthenticator':
      return { kind: 'bearer', token: requiredTemplateIn(input, auth, 'api_token'), parameters }
    case 'BasicHttpAuthenticator': {
      const password = templateIn(input, auth, 'password')
      return { kind: 'basic', username: requiredTemplateIn(input, auth, 'username'), password, parameters }
    }
    case 'OAuthAuthenticator':
      return planOAuth(input, auth)
    case 'JwtAuthenticator':
      return planJwt(input, auth)
    case 'SessionTokenAuthenticator':
      return planSession(input, auth)
    case 'LegacySessionTokenAuthenticator':
      return planLegacySession(input, auth, requester)
    case 'SelectiveAuthenticator':
      return planAuthenticator(input, chosenIn(input, auth), requester)
    case 'CustomAuthenticator':
      return { kind: 'custom', ...planCustom(input, auth) }
    case 'RateLimitedMultipleTokenAuthenticator':
      return planRotatingTokens(input, auth)
    default:
      method satisfies never
      throw unsupported(input, auth)
  }
}

/** Airbyte: the older spelling of an API key names only a header. */
function headerNamed(input: PlanInput, auth: Component): Placement {
  return { into: 'header', name: evaluatedText(input, requiredTemplateIn(input, auth, 'header'), parametersOf(auth)) }
}

function planSession(input: PlanInput, auth: Component): SessionPlan {
  const decoder = planDecoder(input, componentIn(auth, 'decoder'))
  // Custom decoders decode pages, not login responses.
  if (decoder.kind === 'custom') throw unsupported(input, requiredComponentIn(input, auth, 'decoder'))
  const sending = requiredComponentIn(input, auth, 'request_authentication')
  return {
    kind: 'session',
    at: input.manifest.at(auth),
    login: planRequester(input, requiredComponentIn(input, auth, 'login_requester')),
    decoder,
    tokenPath: (auth.session_token_path as readonly unknown[]).map(pythonText),
    lifetime: (auth.expiration_duration as string | undefined) || null,
    parameters: parametersOf(auth),
    ...(sending.type === 'Bearer'
      ? { placement: { into: 'header', name: 'Authorization' }, token: compileTemplate('Bearer {{ session_token }}') }
      : {
          placement: placementIn(input, sending, 'inject_into') ?? headerNamed(input, sending),
          token: templateIn(input, sending, 'api_token') ?? compileTemplate('{{ session_token }}'),
        }),
  }
}

function planLegacySession(input: PlanInput, auth: Component, requester: Component): LegacySessionPlan {
  const parameters = { ...parametersOf(requester), ...parametersOf(auth) }
  return {
    kind: 'legacy-session',
    at: input.manifest.at(auth),
    base: requiredTemplateIn(input, requester, requester.url_base === undefined ? 'url' : 'url_base'),
    loginPath: requiredTemplateIn(input, auth, 'login_url'),
    validatePath: requiredTemplateIn(input, auth, 'validate_session_url'),
    token: templateIn(input, auth, 'session_token'),
    tokenKey: requiredTemplateIn(input, auth, 'session_token_response_key'),
    username: templateIn(input, auth, 'username'),
    password: templateIn(input, auth, 'password'),
    placement: headerNamed(input, auth),
    parameters,
  }
}

/** The authenticator that the config chooses: the credentials of the others are not needed. */
function chosenIn(input: PlanInput, selective: Component): Component {
  const path = (selective.authenticator_selection_path as readonly unknown[]).map(pythonText)
  const choices = new Map(Object.entries(selective.authenticators as Record<string, Component>))
  const value = path.reduce<unknown>(memberOf, input.config)
  const chosen = value === undefined || value === null ? undefined : choices.get(pythonText(value))
  if (chosen !== undefined) return chosen

  const place = `\`${path.join('.')}\``
  const known = [...choices.keys()].map((choice) => `\`${choice}\``).join(', ')
  const found = value === undefined || value === null ? 'is missing in the config' : 'is not one of the choices'
  throw new ConnectorError('plan/unknown-choice', `${place} ${found}; the choices are ${known}.`, {
    at: input.manifest.at(selective, 'authenticator_selection_path'),
  })
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

const authorization: Placement = { into: 'header', name: 'Authorization' }

/** Null where there is none, or none that is known before the request is. */
export function credentialPlacement(auth: AuthPlan): Placement | null {
  switch (auth.kind) {
    case 'none':
    case 'custom':
      return null
    case 'key':
    case 'session':
    case 'legacy-session':
    case 'jwt':
    case 'rotating':
      return auth.placement
    case 'bearer':
    case 'basic':
    case 'oauth':
      return authorization
  }
}

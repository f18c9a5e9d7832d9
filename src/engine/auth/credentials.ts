/** The credentials of a requester: where they go, and how their templates are evaluated. */
import { isList } from '../../std/values/objects.ts'
import type { Config, Parameters, Placement } from '../plan/plan.ts'
import type { HttpRequest } from '../request/http-request.ts'
import type { Send } from '../response/http-response.ts'
import { jsonLoads } from '../template/evaluate-template.ts'
import { HostFunction } from '../template/host.ts'
import type { Scope, Template, Value } from '../template/template.ts'
import { pythonText } from '../template/text.ts'
import { Tuple } from '../template/values/containers.ts'
import type { AuthPlan } from './plan/authenticator.ts'
import type { MappingPlan } from './plan/jwt.ts'
import type { OAuthPlan } from './plan/oauth.ts'

/** Valid for one run, and sent to their own origin only. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'placed'; readonly placement: Placement; readonly secret: Secret }
  /** A custom class knows which headers and parameters a request needs. */
  | AddedCredentials
  /** Several tokens: which of them a request gets depends on it, and on earlier responses. */
  | { readonly kind: 'rotating'; readonly placement: Placement; readonly signing: (send: Send) => Send }

export type Secret = {
  /** The value to send, empty when there is none; a promise only where it has to be fetched first. */
  readonly value: (signal: AbortSignal) => string | Promise<string>
  /** Whether this is the credential, or was before it changed. */
  readonly isKnown: (text: string) => boolean
  readonly renew?: Renew
}

type AddedCredentials = {
  readonly kind: 'added'
  readonly sign: Sign
  readonly renew: Renew
  /** How often its tokens were renewed: a request that was signed before may be refused for that. */
  readonly renewals: () => number
  /** Whether the class added this parameter to an earlier request. */
  readonly isKnown: (name: string, value: string) => boolean
}

export type Sign = (request: HttpRequest, signal: AbortSignal) => Promise<HttpRequest>

/** Replaces a refused credential, or the current one where it is null; false when a new one would not help. */
export type Renew = (refused: string | null, signal: AbortSignal) => Promise<boolean>

/** The kinds whose credential is in the config. */
export type StaticPlan = Extract<AuthPlan, { kind: 'key' | 'bearer' | 'basic' }>

/** Empty when the config has no credential: many APIs work without one, and none is sent. */
export function staticSecret(auth: StaticPlan, config: Config): string {
  switch (auth.kind) {
    case 'key':
      return evaluateText(auth.token, auth, config)
    case 'bearer': {
      const token = evaluateText(auth.token, auth, config)
      return token === '' ? '' : `Bearer ${token}`
    }
    case 'basic': {
      // An API key as user name, with no password, is common.
      const pair = `${evaluateText(auth.username, auth, config)}:${evaluateText(auth.password, auth, config)}`
      return pair === ':' ? '' : `Basic ${base64(pair)}`
    }
  }
}

/** A secret that never changes. */
export function fixedSecret(text: string): Secret {
  return { value: () => text, isKnown: (other) => other === text }
}

export type Holder = { readonly parameters: Parameters }

/** The string that a template of an authenticator gives; empty where there is no template. */
export function evaluateText(template: Template | null, holder: Holder, config: Config): string {
  return template === null ? '' : pythonText(template.evaluate(authScope(holder, config)) ?? '')
}

/** The same, or the strings of a list where the template gives one. */
export function evaluateTexts(template: Template, holder: Holder, config: Config): string | string[] {
  const value = template.evaluate(authScope(holder, config)) ?? ''
  const members = value instanceof Tuple ? value.items : value
  return isList(members) ? members.map((member) => pythonText((member ?? '') as Value)) : pythonText(value)
}

/** Airbyte: only the templates of a JwtAuthenticator know `json_loads`; here all authenticators do. */
export function authScope({ parameters }: Holder, config: Config): Scope {
  return { config, parameters, json_loads }
}

const json_loads = new HostFunction(jsonLoads)

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}

export type EvaluatedMapping = [name: string, value: unknown][]

/** Templates are evaluated, everything else is itself. Airbyte: a template that gives nothing gives null. */
export function evaluateMapping(
  mapping: MappingPlan,
  holder: Pick<OAuthPlan, 'parameters'>,
  config: Config,
): EvaluatedMapping {
  const scope = authScope(holder, config)
  return mapping.map(({ name, value }) => [
    pythonText(name.evaluate(scope)),
    'literal' in value ? value.literal : nullIfEmpty(value.evaluate(scope)),
  ])
}

function nullIfEmpty(value: unknown): unknown {
  return value === undefined || value === '' ? null : value
}

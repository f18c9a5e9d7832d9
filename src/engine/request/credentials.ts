/** The credentials of a requester: where they go, and how their templates are evaluated. */
import type { AuthPlan } from '../plan/auth-plan.ts'
import type { Config, Parameters, Placement } from '../plan/plan.ts'
import { jsonLoads } from '../template/evaluate-template.ts'
import { HostFunction } from '../template/host.ts'
import type { Scope, Template } from '../template/template.ts'
import { pythonText } from '../template/text.ts'
import type { HttpRequest } from './http-request.ts'

/** Live for one run, and go to their own origin only. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'placed'; readonly placement: Placement; readonly secret: Secret }
  /** A custom class knows which headers and parameters a request needs. */
  | { readonly kind: 'added'; readonly sign: Sign; readonly renew?: Renew }

export type Secret = {
  /** What is to be sent, empty when there is nothing; a promise only where it has to be fetched first. */
  readonly value: (signal: AbortSignal) => string | Promise<string>
  /** Whether this text is the credential, or was before it changed. */
  readonly isKnown: (text: string) => boolean
  readonly renew?: Renew
}

export type Sign = (request: HttpRequest, signal: AbortSignal) => Promise<HttpRequest>

/** Fetches a new credential in place of a refused one, any where it is null; false when there is no point in it. */
export type Renew = (refused: string | null, signal: AbortSignal) => Promise<boolean>

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
      return auth.placement
    case 'bearer':
    case 'basic':
    case 'oauth':
      return authorization
  }
}

/** The kinds whose credential is in the config. */
export type StaticPlan = Extract<AuthPlan, { kind: 'key' | 'bearer' | 'basic' }>

/** Empty when the config holds no credential: many APIs answer without one, and none is then sent. */
export function staticSecret(auth: StaticPlan, config: Config): string {
  switch (auth.kind) {
    case 'key':
      return textOf(auth.token, auth, config)
    case 'bearer': {
      const token = textOf(auth.token, auth, config)
      return token === '' ? '' : `Bearer ${token}`
    }
    case 'basic': {
      // An API key as user name, with no password, is common.
      const pair = `${textOf(auth.username, auth, config)}:${textOf(auth.password, auth, config)}`
      return pair === ':' ? '' : `Basic ${base64(pair)}`
    }
  }
}

/** A secret that never changes. */
export function fixedSecret(text: string): Secret {
  return { value: () => text, isKnown: (other) => other === text }
}

export type Holder = { readonly parameters: Parameters }

/** The text a template of an authenticator gives; empty where there is no template. */
export function textOf(template: Template | null, holder: Holder, config: Config): string {
  return template === null ? '' : pythonText(template.evaluate(authScope(holder, config)) ?? '')
}

/** Airbyte: only the templates of a JwtAuthenticator know `json_loads`; here all authenticators do. */
export function authScope({ parameters }: Holder, config: Config): Scope {
  return { config, parameters, json_loads }
}

const json_loads = new HostFunction(jsonLoads)

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}

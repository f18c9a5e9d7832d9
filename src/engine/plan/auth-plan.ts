/** How requests prove who asks: the part of a plan that says where a credential comes from, never what it is. */
import type { DecoderPlan } from './decoder.ts'
import type { SourceLocation } from '../../std/errors.ts'
import type { CustomPlan } from '../custom/component.ts'
import type { Template } from '../template/template.ts'
import type { Parameters, Placement } from './plan.ts'
import type { RequesterPlan } from './requester.ts'

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
  | ({ readonly kind: 'custom' } & CustomPlan)

/** An access token, fetched from an endpoint and fetched anew before it expires. */
export type OAuthPlan = {
  readonly kind: 'oauth'
  readonly at: SourceLocation
  /** Null: the access token of the config is all there is. */
  readonly endpoint: Template | null
  readonly grantType: Template
  readonly clientId: Template | null
  readonly clientSecret: Template | null
  readonly refreshToken: Template | null
  readonly scopes: readonly string[]
  /** What else the token request carries. */
  readonly body: MappingPlan
  readonly headers: MappingPlan
  readonly sendsInQuery: boolean
  /** Stands in place of client and refresh token. */
  readonly assertion: JwtPlan | null
  /** What the parts of the token request and of its answer are called. */
  readonly names: OAuthNames
  /** The token to begin with, and until when it is good. */
  readonly accessToken: Template | null
  readonly expiry: Template | null
  /** The answer says when the token ends, in this format, rather than how long it lives. */
  readonly expiryFormat: string | null
  readonly singleUse: SingleUsePlan | null
  readonly refusals: RefusalPlan
  readonly parameters: Parameters
}

export type OAuthNames = {
  readonly grantType: Template
  readonly clientId: Template
  readonly clientSecret: Template
  readonly refreshToken: Template
  readonly accessToken: Template
  readonly expiresIn: Template
}

/** Each refresh token works once: the next one, and what came with it, is kept in the config at these paths. */
export type SingleUsePlan = {
  readonly accessTokenPath: readonly string[]
  readonly refreshTokenPath: readonly string[]
  readonly expiryPath: readonly string[]
}

/** Answers by which the token endpoint says that the user has to sign in again. */
export type RefusalPlan = {
  readonly statuses: readonly number[]
  readonly key: string
  readonly values: readonly string[]
}

/** Names and values as Airbyte's mappings have them: a text is a template, anything else is itself. */
export type MappingPlan = readonly {
  readonly name: Template
  readonly value: Template | { readonly literal: unknown }
}[]

/** A token that a login request gives. */
export type SessionPlan = {
  readonly kind: 'session'
  readonly at: SourceLocation
  readonly login: RequesterPlan
  /** The format of the login's answer. */
  readonly decoder: DecoderPlan
  /** Names to follow into the answer of the login. */
  readonly tokenPath: readonly string[]
  /** ISO 8601; null: every request logs in for itself. */
  readonly lifetime: string | null
  readonly placement: Placement
  /** What is sent, of `session_token`. */
  readonly token: Template
  readonly parameters: Parameters
}

/** The older spelling of a session: a token of the user's, or one got for name and password. */
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

/** A token that the connector signs itself. */
export type JwtPlan = {
  readonly kind: 'jwt'
  readonly at: SourceLocation
  readonly algorithm: string
  readonly key: Template
  readonly passphrase: Template | null
  readonly encodesKey: boolean
  readonly durationSeconds: number
  readonly prefix: Template | null
  readonly headers: MappingPlan
  readonly payload: MappingPlan
  readonly placement: Placement
  readonly parameters: Parameters
}

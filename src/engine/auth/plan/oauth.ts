/** `OAuthAuthenticator` → which token request to make, and what its response means. */
import { ConnectorError, type SourceLocation } from '../../../std/errors.ts'
import type { Component } from '../../manifest/manifest.ts'
import type { Parameters } from '../../plan/plan.ts'
import {
  compileAt,
  componentIn,
  type Fields,
  parametersOf,
  type PlanInput,
  templateIn,
  evaluatedText,
} from '../../plan/read-fields.ts'
import type { Template } from '../../template/template.ts'
import { type JwtPlan, type MappingPlan, planJwt, planMapping } from './jwt.ts'

/** An access token, fetched from an endpoint and fetched anew before it expires. */
export type OAuthPlan = {
  readonly kind: 'oauth'
  readonly at: SourceLocation
  /** Null: only the access token of the config is used. */
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
  /** Replaces client and refresh token. */
  readonly assertion: JwtPlan | null
  /** The names of the fields of the token request and of its response. */
  readonly names: OAuthNames
  /** The token to begin with, and until when it is valid. */
  readonly accessToken: Template | null
  readonly expiry: Template | null
  /** The response has the time of expiry, in this format, rather than a lifetime. */
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

/** Responses by which the token endpoint says that the user has to sign in again. */
export type RefusalPlan = {
  readonly statuses: readonly number[]
  readonly key: string
  readonly values: readonly string[]
}

const assertionGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

export function planOAuth(input: PlanInput, auth: Component): OAuthPlan {
  const updater = auth.refresh_token_updater as Fields | undefined | null
  const assertion = auth.use_profile_assertion === true && !updater ? assertionOf(input, auth) : null
  const template = (field: string, standard: string) =>
    templateIn(input, auth, field) ?? compileAt(standard, input.manifest.at(auth))
  const plan: OAuthPlan = {
    kind: 'oauth',
    at: input.manifest.at(auth),
    endpoint: templateIn(input, auth, 'token_refresh_endpoint'),
    grantType:
      assertion === null ? template('grant_type', 'refresh_token') : compileAt(assertionGrant, input.manifest.at(auth)),
    clientId: templateIn(input, auth, 'client_id'),
    clientSecret: templateIn(input, auth, 'client_secret'),
    refreshToken: templateIn(input, auth, 'refresh_token'),
    scopes: ((auth.scopes as readonly unknown[] | undefined | null) ?? []).map(String),
    body: planMapping(input, auth, 'refresh_request_body'),
    headers: planMapping(input, auth, 'refresh_request_headers'),
    sendsInQuery: auth.send_refresh_request_as_query_params === true,
    assertion,
    names: {
      grantType: template('grant_type_name', 'grant_type'),
      clientId: template('client_id_name', 'client_id'),
      clientSecret: template('client_secret_name', 'client_secret'),
      // Airbyte: the updater has another name for it, in the request too.
      refreshToken: updater
        ? compileAt(updater.refresh_token_name ?? 'refresh_token', input.manifest.at(auth))
        : template('refresh_token_name', 'refresh_token'),
      accessToken: template('access_token_name', 'access_token'),
      expiresIn: template('expires_in_name', 'expires_in'),
    },
    accessToken: templateIn(input, auth, 'access_token_value'),
    expiry: templateIn(input, auth, 'token_expiry_date'),
    expiryFormat: (auth.token_expiry_date_format as string | undefined) || null,
    singleUse: updater ? planSingleUse(updater) : null,
    refusals: planRefusals(auth, updater ?? {}),
    parameters: parametersOf(auth),
  }
  refuseIncomplete(input, auth, plan)
  return plan
}

function assertionOf(input: PlanInput, auth: Component): OAuthPlan['assertion'] {
  const assertion = componentIn(auth, 'profile_assertion')
  return assertion === null ? missing(input, auth, 'profile_assertion') : planJwt(input, assertion)
}

function planSingleUse(updater: Fields): SingleUsePlan {
  const path = (field: string, name: string) =>
    ((updater[field] as readonly unknown[] | undefined | null) ?? ['credentials', name]).map(String)
  return {
    accessTokenPath: path('access_token_config_path', 'access_token'),
    refreshTokenPath: path('refresh_token_config_path', 'refresh_token'),
    expiryPath: path('token_expiry_date_config_path', 'token_expiry_date'),
  }
}

/** Airbyte: written in the updater or next to it; the default is what most endpoints say. */
function planRefusals(auth: Fields, updater: Fields): RefusalPlan {
  for (const { refresh_token_error_status_codes, refresh_token_error_key, refresh_token_error_values } of [
    updater,
    auth,
  ]) {
    const statuses = (refresh_token_error_status_codes as readonly number[] | undefined) ?? []
    const key = (refresh_token_error_key as string | undefined) ?? ''
    const values = (refresh_token_error_values as readonly string[] | undefined) ?? []
    if (statuses.length > 0 || key !== '' || values.length > 0) return { statuses, key, values }
  }
  return { statuses: [400], key: 'error', values: ['invalid_grant', 'invalid_permissions'] }
}

function refuseIncomplete(input: PlanInput, auth: Component, plan: OAuthPlan): void {
  if (plan.endpoint === null) {
    if (plan.singleUse !== null || plan.accessToken === null) missing(input, auth, 'token_refresh_endpoint')
    return
  }
  // Airbyte: with an updater, the config holds what the manifest leaves out.
  if (plan.assertion !== null || plan.singleUse !== null) return
  if (plan.clientId === null) missing(input, auth, 'client_id')
  if (plan.clientSecret === null) missing(input, auth, 'client_secret')
  if (plan.refreshToken === null && evaluatedText(input, plan.grantType, plan.parameters) === 'refresh_token') {
    missing(input, auth, 'refresh_token')
  }
}

function missing(input: PlanInput, auth: Component, field: string): never {
  throw new ConnectorError('manifest/missing-field', `${auth.type} has no \`${field}\`, which its grant type needs.`, {
    at: input.manifest.at(auth),
  })
}

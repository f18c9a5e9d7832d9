/** The ways in which an API knows who asks: what each is called, and what it starts with. */
import { isObject, type Members } from '../../../std/values/objects.ts'
import type { AuthenticatorType } from '../../../engine/manifest/table/authentication.ts'
import type { WishedInput } from '../inputs/wished-input.ts'

type AuthMethod = {
  readonly label: string
  /** What it does to the requests. */
  readonly help: string
  /** What is written when it is chosen. Secrets are inputs from the start. */
  readonly start: Members
  readonly inputs: readonly WishedInput[]
}

const secret = (name: string): WishedInput => ({ name, isSecret: true })
const open = (name: string): WishedInput => ({ name, isSecret: false })
const config = (name: string) => `{{ config['${name}'] }}`

const withoutForm = {
  SelectiveAuthenticator: 'chooses one of several authenticators by an input.',
  RateLimitedMultipleTokenAuthenticator: 'uses several tokens in turn.',
  LegacySessionTokenAuthenticator: 'is an older form of the session token.',
} as const satisfies Partial<Record<AuthenticatorType, string>>

/** Why an authenticator is edited as YAML only. */
export function whyNoForm(type: string): string {
  return Object.hasOwn(withoutForm, type) ? withoutForm[type as keyof typeof withoutForm] : 'has no form.'
}

export const authMethods = {
  NoAuth: { label: 'No auth', help: 'Requests carry no credentials.', start: {}, inputs: [] },
  ApiKeyAuthenticator: {
    label: 'API key',
    help: 'The key is sent with every request, where the API expects it.',
    start: {
      api_token: config('api_key'),
      inject_into: { type: 'RequestOption', inject_into: 'header', field_name: 'X-API-Key' },
    },
    inputs: [secret('api_key')],
  },
  BearerAuthenticator: {
    label: 'Bearer',
    help: 'Every request has the header Authorization: Bearer TOKEN.',
    start: { api_token: config('api_token') },
    inputs: [secret('api_token')],
  },
  BasicHttpAuthenticator: {
    label: 'Basic',
    help: 'Every request has the header Authorization: Basic with user name and password in base64.',
    start: { username: config('username'), password: config('password') },
    inputs: [open('username'), secret('password')],
  },
  OAuthAuthenticator: {
    label: 'OAuth',
    help: 'An access token is fetched first, sent as Authorization: Bearer, and fetched again when it expires.',
    start: {
      token_refresh_endpoint: '',
      client_id: config('client_id'),
      client_secret: config('client_secret'),
      refresh_token: config('refresh_token'),
    },
    inputs: [secret('client_id'), secret('client_secret'), secret('refresh_token')],
  },
  SessionTokenAuthenticator: {
    label: 'Session token',
    help: 'One request logs in; the token in its response goes into all others.',
    start: {
      login_requester: {
        type: 'HttpRequester',
        url_base: '',
        path: '/login',
        http_method: 'POST',
        request_body_json: { username: config('username'), password: config('password') },
      },
      session_token_path: ['token'],
      expiration_duration: 'PT1H',
      request_authentication: { type: 'Bearer' },
    },
    inputs: [open('username'), secret('password')],
  },
  JwtAuthenticator: {
    label: 'JWT',
    help: 'Each request has a signed token (JWT) in the header Authorization.',
    start: {
      secret_key: config('secret_key'),
      algorithm: 'HS256',
      token_duration: 1200,
      header_prefix: 'Bearer',
    },
    inputs: [secret('secret_key')],
  },
  CustomAuthenticator: {
    label: 'Custom',
    help: 'A class of this connector signs the requests.',
    start: { class_name: '' },
    inputs: [],
  },
} as const satisfies Record<Exclude<AuthenticatorType, keyof typeof withoutForm>, AuthMethod>

export type AuthMethodName = keyof typeof authMethods

export function authMethodOf(authenticator: unknown): AuthMethodName | null {
  if (authenticator === undefined || authenticator === null) return 'NoAuth'
  const type = isObject(authenticator) ? authenticator.type : undefined
  if (type === undefined && isObject(authenticator) && authenticator.class_name !== undefined) {
    return 'CustomAuthenticator'
  }
  return typeof type === 'string' && Object.hasOwn(authMethods, type) ? (type as AuthMethodName) : null
}

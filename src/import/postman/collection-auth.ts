/** The `auth` of a collection and its folders → an authenticator, with inputs for its secrets. */
import { isUrl } from '../../std/text/is-url.ts'
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import type { DescribedAuth, DescribedInput } from '../description.ts'
import { configTemplate, titleOfInput } from '../input-names.ts'
import type { Variables } from './variables.ts'

export type CollectionAuth = { readonly auth: DescribedAuth; readonly inputs: readonly DescribedInput[] }

/** That of most requests; null where none says it: credentials in headers are found there. */
export function collectionAuth(all: readonly unknown[], variables: Variables): CollectionAuth | null {
  const counts = new Map<string, { count: number; auth: Members }>()
  for (const auth of all) {
    if (!isObject(auth) || typeof auth.type !== 'string' || auth.type === 'noauth') continue
    counts.set(auth.type, { count: (counts.get(auth.type)?.count ?? 0) + 1, auth })
  }
  const [best] = [...counts.values()].toSorted((one, other) => other.count - one.count)
  return best === undefined ? null : authOf(best.auth, variables)
}

function authOf(auth: Members, variables: Variables): CollectionAuth | null {
  const type = String(auth.type)
  const of = (name: string) => variables.plain(valueIn(auth[type], name))
  switch (type) {
    case 'bearer':
      return found({ type: 'BearerAuthenticator', api_token: configTemplate('api_token') }, 'a bearer token', [
        secret('api_token'),
      ])
    case 'basic':
      return found(
        { type: 'BasicHttpAuthenticator', username: configTemplate('username'), password: configTemplate('password') },
        'user and password (basic)',
        [{ ...secret('username'), isSecret: false }, secret('password')],
      )
    case 'apikey': {
      const field = of('key') || 'X-API-Key'
      const isQuery = of('in') === 'query'
      const option = { type: 'RequestOption', inject_into: isQuery ? 'request_parameter' : 'header', field_name: field }
      const says = `an API key in the ${isQuery ? 'query parameter' : 'header'} ${field}`
      return found({ type: 'ApiKeyAuthenticator', api_token: configTemplate('api_key'), inject_into: option }, says, [
        secret('api_key'),
      ])
    }
    case 'oauth2':
      return oauth(of, variables.templates(variables.fill(valueIn(auth[type], 'accessTokenUrl'))))
    default:
      return null
  }
}

/** @param address where tokens come from, as a template: an account in it is an input. */
function oauth(of: (name: string) => string, address: string): CollectionAuth {
  const sample = of('accessTokenUrl')
  if (!isUrl(sample) || !/^https?:/i.test(sample))
    return found({ type: 'BearerAuthenticator', api_token: configTemplate('access_token') }, 'an OAuth access token', [
      secret('access_token'),
    ])
  const common = {
    type: 'OAuthAuthenticator',
    token_refresh_endpoint: address,
    client_id: configTemplate('client_id'),
    client_secret: configTemplate('client_secret'),
  }
  const client = [{ ...secret('client_id'), isSecret: false }, secret('client_secret')]
  return of('grant_type') === 'client_credentials'
    ? found({ ...common, grant_type: 'client_credentials' }, 'OAuth with client id and secret', client)
    : found(
        { ...common, grant_type: 'refresh_token', refresh_token: configTemplate('refresh_token') },
        'OAuth with a refresh token',
        [...client, secret('refresh_token')],
      )
}

function found(authenticator: Members, says: string, inputs: readonly DescribedInput[]): CollectionAuth {
  return { auth: { authenticator, headers: [], query: [], says }, inputs }
}

function secret(name: string): DescribedInput {
  return { name, title: titleOfInput(name), isSecret: true, isRequired: true }
}

/** v2.1 has lists of keys and values, v2.0 an object. */
function valueIn(auth: unknown, name: string): string {
  const value = isList(auth) ? auth.find((one) => isObject(one) && one.key === name) : auth
  const text = isObject(value) ? (isList(auth) ? value.value : value[name]) : undefined
  return typeof text === 'string' ? text : ''
}

/** Security schemes → an authenticator of a manifest, with inputs for its secrets. */
import { count } from '../../std/text/format-count.ts'
import { isUrl } from '../../std/text/is-url.ts'
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import type { DescribedAuth, DescribedInput, NamedText } from '../description.ts'
import { configTemplate, inputNameOf, titleOfInput } from '../input-names.ts'
import { templateSafe } from '../../from-request/take-secrets.ts'
import type { References } from './references.ts'
import { type FoundServer, withVariables } from './servers.ts'

export type FoundSecurity = {
  readonly auth: DescribedAuth
  readonly inputs: readonly DescribedInput[]
  readonly notes: readonly string[]
}

/** Names of schemes that an operation needs together; several such sets are alternatives. */
type Requirement = readonly string[]

export function findSecurity(
  root: Members,
  operations: readonly Members[],
  { follow }: References,
  server: FoundServer,
): FoundSecurity {
  const components = isObject(root.components) ? root.components : {}
  const schemes = isObject(components.securitySchemes) ? components.securitySchemes : {}
  const known = new Map(
    Object.entries(schemes).flatMap(([name, scheme]) => {
      const found = follow(scheme)
      return found === null ? [] : [[name, found] as const]
    }),
  )
  const requirements = countedRequirements(root, operations, known)
  if (known.size === 0) return none('The description does not say how to authenticate.', true)
  // Schemes that no operation names are still how one signs in.
  const choices = requirements.length > 0 ? requirements : [...known.keys()].map((name) => [name])
  const ranked = choices
    .map((names) => ({ names, rank: Math.max(...names.map((name) => rankOf(known.get(name) ?? {}))) }))
    .toSorted((one, other) => one.rank - other.rank)
  const [best] = ranked
  if (best === undefined) return none('', true)
  const found = requirementParts(best.names, known, server, ranked.length - 1)
  const others = operations.filter((operation) => !isOpenedBy(best.names, askedOf(root, operation), known)).length
  if (requirements.length === 0 || others === 0) return found
  const note = `${others} of ${count(operations.length, 'operation')} authenticate in another way: give their streams an authenticator of their own.`
  return { ...found, notes: [...found.notes, note] }
}

/** The sets of schemes that an operation may be called with; an empty set needs none. */
function askedOf(root: Members, operation: Members): Members[] {
  const asked = operation.security ?? root.security
  return isList(asked) ? asked.filter(isObject) : []
}

function isOpenedBy(names: Requirement, asked: readonly Members[], known: ReadonlyMap<string, Members>): boolean {
  return asked.length === 0 || asked.some((one) => knownIn(one, known).every((name) => names.includes(name)))
}

function knownIn(asked: Members, known: ReadonlyMap<string, Members>): string[] {
  return Object.keys(asked).filter((name) => known.has(name))
}

/** Each set of schemes that operations ask for, the most frequent first. */
function countedRequirements(
  root: Members,
  operations: readonly Members[],
  known: ReadonlyMap<string, Members>,
): Requirement[] {
  const counts = new Map<string, number>()
  for (const operation of operations) {
    for (const one of askedOf(root, operation)) {
      const names = knownIn(one, known)
      if (names.length > 0) counts.set(JSON.stringify(names), (counts.get(JSON.stringify(names)) ?? 0) + 1)
    }
  }
  const most = Math.max(0, ...counts.values())
  return (
    [...counts]
      // A simpler way is worth it only where it opens nearly as much.
      .filter(([, times]) => times * 10 >= most * 9)
      .toSorted(([, one], [, other]) => other - one)
      .map(([names]) => JSON.parse(names) as string[])
  )
}

/** The smaller the simpler: a token that the user has is easier than a login. */
function rankOf(scheme: Members): number {
  switch (scheme.type) {
    case 'http':
      return /^(bearer|basic)$/i.test(textOf(scheme.scheme)) ? (/^bearer$/i.test(textOf(scheme.scheme)) ? 0 : 2) : 7
    case 'apiKey':
      return scheme.in === 'cookie' ? 5 : 1
    case 'oauth2':
      return flowOf(scheme, 'clientCredentials') === null ? 4 : 3
    case 'openIdConnect':
      return 6
    default:
      return 8
  }
}

function requirementParts(
  names: Requirement,
  known: ReadonlyMap<string, Members>,
  server: FoundServer,
  others: number,
): FoundSecurity {
  let authenticator: Members | null = null
  const headers: NamedText[] = []
  const query: NamedText[] = []
  const inputs: DescribedInput[] = []
  const notes: string[] = []
  const said: string[] = []
  const input = (wished: string, isSecret = true) => {
    let name = inputNameOf(wished)
    for (let turn = 2; inputs.some((one) => one.name === name); turn++) name = `${inputNameOf(wished)}_${turn}`
    inputs.push({ name, title: titleOfInput(name), isSecret, isRequired: true })
    return configTemplate(name)
  }
  for (const name of names) {
    const found = componentOf(known.get(name) ?? {}, { input, server })
    said.push(found.says)
    if (found.note !== undefined) notes.push(found.note)
    if (found.authenticator !== null) {
      if (authenticator === null) authenticator = found.authenticator
      else if (found.place === undefined) notes.push(`${found.says} is needed too, and was left out.`)
    }
    if (found.place !== undefined && authenticator !== found.authenticator)
      (found.place.into === 'header' ? headers : query).push([found.place.name, found.place.text])
  }
  if (others > 0) notes.push(`The description allows ${others} other way${others === 1 ? '' : 's'} to authenticate.`)
  return { auth: { authenticator, headers, query, says: said.join(' and ') }, inputs, notes }
}

type Found = {
  readonly authenticator: Members | null
  readonly says: string
  /** Of an API key: how it is sent where another scheme has the authenticator. */
  readonly place?: { readonly into: 'header' | 'query'; readonly name: string; readonly text: string }
  readonly note?: string
}

type Tools = { readonly input: (name: string, isSecret?: boolean) => string; readonly server: FoundServer }

function componentOf(scheme: Members, tools: Tools): Found {
  const { input } = tools
  switch (scheme.type) {
    case 'apiKey':
      return apiKey(scheme, input)
    case 'http':
      if (/^basic$/i.test(textOf(scheme.scheme)))
        return {
          authenticator: {
            type: 'BasicHttpAuthenticator',
            username: input('username', false),
            password: input('password'),
          },
          says: 'user and password (basic)',
        }
      if (/^bearer$/i.test(textOf(scheme.scheme))) return bearer(input('api_token'))
      return unsupported(`HTTP ${textOf(scheme.scheme).slice(0, 30)} authentication`)
    case 'oauth2':
      return oauth(scheme, tools)
    case 'openIdConnect':
      return {
        ...bearer(input('access_token')),
        note: 'OpenID Connect: the input `access_token` is a token that you fetched.',
      }
    default:
      return unsupported(`authentication of the type ${(textOf(scheme.type) || 'unknown').slice(0, 30)}`)
  }
}

function bearer(token: string): Found {
  return { authenticator: { type: 'BearerAuthenticator', api_token: token }, says: 'a bearer token' }
}

function unsupported(what: string): Found {
  return {
    authenticator: null,
    says: what,
    note: `The API uses ${what}, which a manifest cannot send: add it by hand.`,
  }
}

function apiKey(scheme: Members, input: Tools['input']): Found {
  const name = templateSafe(textOf(scheme.name) || 'api_key')
  if (/hmac|aws.*v4|signature/i.test(`${textOf(scheme['x-amazon-apigateway-authtype'])} ${textOf(scheme.description)}`))
    return unsupported('a signature of every request')
  if (scheme.in === 'cookie') {
    const text = `${name}=${input(name)}`
    return keyIn('header', 'Cookie', text, `a cookie (${name})`)
  }
  const isHeader = scheme.in !== 'query'
  const text = input(/^authorization$/i.test(name) ? 'authorization' : name)
  const place = isHeader ? 'the header' : 'the query parameter'
  const found = keyIn(isHeader ? 'header' : 'query', name, text, `an API key in ${place} ${name}`)
  return /^authorization$/i.test(name)
    ? { ...found, note: 'The input `authorization` is the whole header, for example `Bearer …` or `Token …`.' }
    : found
}

function keyIn(into: 'header' | 'query', name: string, text: string, says: string): Found {
  const option = {
    type: 'RequestOption',
    inject_into: into === 'header' ? 'header' : 'request_parameter',
    field_name: name,
  }
  return {
    authenticator: { type: 'ApiKeyAuthenticator', api_token: text, inject_into: option },
    says,
    place: { into, name, text },
  }
}

function flowOf(scheme: Members, name: string): Members | null {
  const flow = isObject(scheme.flows) ? scheme.flows[name] : undefined
  return isObject(flow) ? flow : null
}

function oauth(scheme: Members, { input, server }: Tools): Found {
  const client = flowOf(scheme, 'clientCredentials')
  const code = flowOf(scheme, 'authorizationCode')
  const own = client ?? code
  const address = own === null ? null : tokenUrl(own, client === null, server)
  if (address === null) {
    return {
      ...bearer(input('access_token')),
      says: 'an OAuth access token',
      note: 'The description gives no address to fetch OAuth tokens from: the input `access_token` is a token that you fetched.',
    }
  }
  const common = {
    type: 'OAuthAuthenticator',
    token_refresh_endpoint: address,
    client_id: input('client_id', false),
    client_secret: input('client_secret'),
  }
  return client === null
    ? {
        authenticator: { ...common, grant_type: 'refresh_token', refresh_token: input('refresh_token') },
        says: 'OAuth with a refresh token',
        note: `Sign in once at ${textOf(own?.authorizationUrl) || 'the address of the API'} to get the refresh token.`,
      }
    : { authenticator: { ...common, grant_type: 'client_credentials' }, says: 'OAuth with client id and secret' }
}

function tokenUrl(flow: Members, prefersRefresh: boolean, server: FoundServer): string | null {
  const written = [prefersRefresh ? flow.refreshUrl : undefined, flow.tokenUrl].find(
    (one): one is string => typeof one === 'string' && one !== '',
  )
  if (written === undefined) return null
  if (/^https?:\/\//i.test(written)) return isUrl(written) ? withVariables(written, server) : null
  // Relative to the server, as OpenAPI has it.
  const origin = /^https?:\/\/[^/]+/.exec(server.baseUrl)?.[0]
  return origin === undefined
    ? null
    : `${origin}${withVariables(`${written.startsWith('/') ? '' : '/'}${written}`, server)}`
}

function none(note: string, isSaid: boolean): FoundSecurity {
  return {
    auth: { authenticator: null, headers: [], query: [], says: 'not described' },
    inputs: [],
    notes:
      isSaid && note !== ''
        ? [`${note} If the API needs a credential, add an authenticator to \`definitions.requester\`.`]
        : [],
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

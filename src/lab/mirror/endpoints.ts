/** A stream of the manifest → every endpoint that reading it may request. */
import type { Component } from '../../engine/manifest/manifest.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { parametersOf } from '../../engine/plan/read-fields.ts'
import { fitOf } from './match-request.ts'
import { asComponent, componentsAt, componentsInside, textField } from './find-components.ts'
import { encoded } from './encode.ts'
import type { Endpoint } from './endpoint.ts'
import { textOr } from './evaluate-at-fixed-time.ts'
import { jobEndpoints } from './job-endpoints.ts'
import { listEndpoint } from './list-endpoint.ts'
import type { Listing } from './open-list.ts'
import { type MirrorPath, putValue } from './put-value.ts'
import { readsOf } from './template-reads.ts'

/** `open` makes the endpoint of a list; pass another for a list that misbehaves. */
export function endpointsOf(stream: Component, config: Config, open = listEndpoint): Endpoint[] {
  const lists = merged(streamListings(stream, { role: 'own', needs: [], config }))
  const inside = componentsInside(stream)
  const jobs = inside.flatMap((component) => jobEndpoints(component, config))
  return [...lists.map(open), ...jobs, ...inside.flatMap((component) => loginEndpoints(component, config))]
}

/** The endpoints that dynamic streams are made from. */
export function resolverEndpoints(root: Component, config: Config): Endpoint[] {
  const made = componentsAt(root.dynamic_streams).filter(
    (dynamic) => asComponent(dynamic.components_resolver)?.type === 'HttpComponentsResolver',
  )
  const lists = made.flatMap((dynamic) => resolverListings(dynamic, config))
  const resolvers = made.map(({ components_resolver }) => components_resolver)
  return [
    ...merged(lists).map(listEndpoint),
    ...componentsInside(resolvers).flatMap((component) => loginEndpoints(component, config)),
  ]
}

/** A schema is often read from the same list: its records describe their fields, too. */
function resolverListings({ components_resolver, stream_template }: Component, config: Config): Listing[] {
  const resolver = components_resolver as Component
  const reads = componentsAt(resolver.components_mapping).flatMap(
    (mapping) => readsOf(textField(mapping, 'value')).reads,
  )
  const needs = reads
    .filter(({ root, path }) => root === 'components_values' && path.length > 0)
    .map(({ path }) => path)
  const loader = componentsInside(stream_template).find(({ type }) => type === 'DynamicSchemaLoader')
  const listings = componentsAt(resolver.retriever).flatMap((retriever) =>
    retrieverListings(retriever, null, { role: 'resolver', needs, config }),
  )
  return listings.map((listing) =>
    listing.role === 'resolver' && loader !== undefined ? { ...listing, base: schemaRecord(loader) } : listing,
  )
}

type Asking = Pick<Listing, 'role' | 'needs' | 'extras' | 'config'>

function streamListings(stream: Component, asking: Asking): Listing[] {
  if (stream.type === 'StateDelegatingStream') {
    const branches = [stream.full_refresh_stream, stream.incremental_stream].flatMap(componentsAt)
    return branches.flatMap((branch) => streamListings(branch, asking))
  }
  const retriever = asComponent(stream.retriever)
  return retriever === null ? [] : retrieverListings(retriever, stream, asking)
}

/** The lists of the retriever and its parents, and what is requested before. */
function retrieverListings(retriever: Component, stream: Component | null, asking: Asking): Listing[] {
  const { config } = asking
  const hasRequester = asComponent(retriever.requester) !== null
  const own = hasRequester ? [{ ...asking, name: textField(stream, 'name', asking.role), retriever, stream }] : []
  const parents = componentsAt(retriever.partition_router).flatMap(parentsOf)
  return [
    ...own,
    ...parents.flatMap((parent) => parentListings(parent, retriever, config)),
    ...componentsInside(retriever.requester).flatMap((component) => propertyListings(component, config)),
    ...componentsAt(stream?.schema_loader).flatMap((loader) => schemaListings(loader, config)),
  ]
}

/** Parents of any router: within groups and unions too. */
function parentsOf(router: Component): Component[] {
  const inner = [router.underlying_partition_router, router.partition_routers].flatMap(componentsAt)
  return [...componentsAt(router.parent_stream_configs), ...inner.flatMap(parentsOf)]
}

function parentListings(parent: Component, child: Component, config: Config): Listing[] {
  const key: MirrorPath = textField(parent, 'parent_key').split('/')
  const condition = textField(asComponent(asComponent(child.record_selector)?.record_filter), 'condition')
  const paths = ((parent.extra_fields as string[][] | undefined) ?? []).filter((path) => path.length > 0)
  const extras = paths.map((path) => ({ path, value: comparedWith(condition, path.join('.')) }))
  const asking: Asking = { role: 'parent', needs: [key], extras, config }
  return componentsAt(parent.stream).flatMap((stream) => streamListings(stream, asking))
}

/** What a child's filter wants a field of its parent to be. */
function comparedWith(condition: string, field: string): string | undefined {
  const [, after = ''] = condition.split(`'${field}'`)
  return /^\]\s*==\s*'([^']*)'/.exec(after)?.[1]
}

function propertyListings(component: Component, config: Config): Listing[] {
  if (component.type !== 'PropertiesFromEndpoint') return []
  const needs = [component.property_field_path as MirrorPath]
  return componentsAt(component.retriever).flatMap((retriever) =>
    retrieverListings(retriever, null, { role: 'properties', needs, config }),
  )
}

function schemaListings(loader: Component, config: Config): Listing[] {
  if (loader.type !== 'DynamicSchemaLoader') return []
  const listings = componentsAt(loader.retriever).flatMap((retriever) =>
    retrieverListings(retriever, null, { role: 'schema', needs: [], config }),
  )
  return listings.map((listing) => (listing.role === 'schema' ? { ...listing, base: schemaRecord(loader) } : listing))
}

/** One stream that several others need is one endpoint, with all that is needed. */
function merged(listings: readonly Listing[]): Listing[] {
  const known = new Map<string, Listing>()
  for (const listing of listings) {
    const { name, role, retriever, needs, extras = [] } = listing
    const requester = retriever.requester as Component
    const key = JSON.stringify([name, role, requester.path, requester.url_base, requester.url])
    const other = known.get(key)
    const both = { needs: [...(other?.needs ?? []), ...needs], extras: [...(other?.extras ?? []), ...extras] }
    known.set(key, { ...(other ?? listing), ...both })
  }
  return [...known.values()]
}

function schemaRecord(loader: Component): unknown {
  const identifier = asComponent(loader.schema_type_identifier) ?? { type: 'SchemaTypeIdentifier' }
  const [mapping] = componentsAt(identifier.types_mapping)
  const type = [mapping?.current_type].flat()[0] ?? 'string'
  const fields = ['id', 'leaf_field'].map((name) => {
    const named = putValue({}, pathIn(identifier.key_pointer), name)
    return identifier.type_pointer === undefined ? named : putValue(named, pathIn(identifier.type_pointer), type)
  })
  const path = pathIn(identifier.schema_pointer)
  return path.length === 0 ? fields[0] : putValue({}, path, fields)
}

function pathIn(pointer: unknown): MirrorPath {
  return Array.isArray(pointer) ? (pointer as MirrorPath) : []
}

/** Of a requester: those of its authenticator, whichever way to sign in the config chooses. */
function loginEndpoints(requester: Component, config: Config): Endpoint[] {
  const inside = componentsInside(requester.authenticator)
  return inside.flatMap((component) => authenticatorEndpoints(component, requester, config))
}

function authenticatorEndpoints(component: Component, requester: Component, config: Config): Endpoint[] {
  switch (component.type) {
    case 'OAuthAuthenticator':
      return component.token_refresh_endpoint === undefined ? [] : [oauthEndpoint(component, config)]
    case 'SessionTokenAuthenticator':
      return [sessionEndpoint(component, config)]
    case 'LegacySessionTokenAuthenticator':
      return legacySessionEndpoints(component, requester, config)
    case 'RateLimitedMultipleTokenAuthenticator':
      return [quotaEndpoint(component, config)]
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
  return fixed('session', requester, config, putValue({}, path, 'session-token-1'), asComponent(component.decoder))
}

/** Logs in at the API it is for, and asks there whether a session still lives. */
function legacySessionEndpoints(component: Component, { url_base, url }: Component, config: Config): Endpoint[] {
  const key = textOr(component.session_token_response_key, { config, parameters: parametersOf(component) })
  const at = { type: 'HttpRequester', url_base: component.api_url ?? url_base ?? url }
  const login = { ...at, path: component.login_url, http_method: 'POST' }
  const check = { ...at, path: component.validate_session_url, http_method: 'GET' }
  return [fixed('session', login, config, { [key]: 'session-token-1' }), fixed('session check', check, config, {})]
}

/** Says that each token has calls enough. */
function quotaEndpoint(component: Component, config: Config): Endpoint {
  const source = component.quota_status_source as Component
  const numbers = (component.quotas as Component[]).flatMap((quota) => [
    { path: quota.remaining_path, value: 5000 },
    { path: quota.reset_path, value: '2035-01-01T00:00:00Z' },
    { path: quota.limit_path, value: 5000 },
  ])
  const body = numbers
    .filter(({ path }) => Array.isArray(path))
    .reduce<unknown>((holder, { path, value }) => putValue(holder, path as MirrorPath, value), {})
  return fixed('quota', { ...source, type: 'HttpRequester' }, config, body)
}

function fixed(
  name: string,
  requester: Component,
  config: Config,
  body: unknown,
  decoder: Component | null = null,
): Endpoint {
  const response = encoded(decoder, body, {})
  return { role: 'login', name, fit: fitOf(requester, config), answer: () => response, shortfalls: [] }
}

/** A stream of the manifest → every endpoint that reading it may ask. */
import type { Component } from '../../engine/manifest/manifest.ts'
import { asComponent, componentsAt, componentsIn, textIn } from './components.ts'
import type { Config } from '../../engine/plan/plan.ts'
import type { Endpoint } from './endpoint.ts'
import { jobEndpoints } from './job-endpoints.ts'
import { listEndpoint } from './list-endpoint.ts'
import { loginEndpoints } from './login-endpoints.ts'
import type { Listing } from './open-list.ts'
import { schemaRecord } from './schema-record.ts'
import { readsOf } from './template-reads.ts'
import type { Path } from './place.ts'

/** `open` makes the endpoint of a list; whoever wants a list that misbehaves hands in another. */
export function endpointsOf(stream: Component, config: Config, open = listEndpoint): Endpoint[] {
  const lists = merged(streamListings(stream, { role: 'own', needs: [], config }))
  const inside = componentsIn(stream)
  const jobs = inside.flatMap((component) => jobEndpoints(component, config))
  return [...lists.map(open), ...jobs, ...inside.flatMap((component) => loginEndpoints(component, config))]
}

/** What the streams of a manifest are made from, where an API has to be asked for it. */
export function resolverEndpoints(root: Component, config: Config): Endpoint[] {
  const made = componentsAt(root.dynamic_streams).filter(
    (dynamic) => asComponent(dynamic.components_resolver)?.type === 'HttpComponentsResolver',
  )
  const lists = made.flatMap((dynamic) => resolverListings(dynamic, config))
  const resolvers = made.map(({ components_resolver }) => components_resolver)
  return [
    ...merged(lists).map(listEndpoint),
    ...componentsIn(resolvers).flatMap((component) => loginEndpoints(component, config)),
  ]
}

/** A schema is often read from the same list: its records describe their fields, too. */
function resolverListings({ components_resolver, stream_template }: Component, config: Config): Listing[] {
  const resolver = components_resolver as Component
  const reads = componentsAt(resolver.components_mapping).flatMap((mapping) => readsOf(textIn(mapping, 'value')).reads)
  const needs = reads
    .filter(({ root, path }) => root === 'components_values' && path.length > 0)
    .map(({ path }) => path)
  const loader = componentsIn(stream_template).find(({ type }) => type === 'DynamicSchemaLoader')
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

/** The retriever's own, those of its parents, and whatever it asks for beforehand. */
function retrieverListings(retriever: Component, stream: Component | null, asking: Asking): Listing[] {
  const { config } = asking
  const hasRequester = asComponent(retriever.requester) !== null
  const own = hasRequester ? [{ ...asking, name: textIn(stream, 'name', asking.role), retriever, stream }] : []
  const parents = componentsAt(retriever.partition_router).flatMap(parentsOf)
  return [
    ...own,
    ...parents.flatMap((parent) => parentListings(parent, retriever, config)),
    ...componentsIn(retriever.requester).flatMap((component) => propertyListings(component, config)),
    ...componentsAt(stream?.schema_loader).flatMap((loader) => schemaListings(loader, config)),
  ]
}

/** Parents of any router: within groups and unions too. */
function parentsOf(router: Component): Component[] {
  const inner = [router.underlying_partition_router, router.partition_routers].flatMap(componentsAt)
  return [...componentsAt(router.parent_stream_configs), ...inner.flatMap(parentsOf)]
}

function parentListings(parent: Component, child: Component, config: Config): Listing[] {
  const key: Path = textIn(parent, 'parent_key').split('/')
  const condition = textIn(asComponent(asComponent(child.record_selector)?.record_filter), 'condition')
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
  const needs = [component.property_field_path as Path]
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

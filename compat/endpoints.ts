/** A stream of the manifest → every endpoint that reading it may ask. */
import type { Component } from '../src/engine/manifest/manifest.ts'
import { asComponent, componentsAt, componentsIn, textIn } from './components.ts'
import type { Config } from './config.ts'
import type { Endpoint } from './endpoint.ts'
import { type Listing, listEndpoint } from './list-endpoint.ts'
import { loginEndpoints } from './login-endpoints.ts'
import type { Path } from './template-reads.ts'

export function endpointsOf(stream: Component, config: Config): Endpoint[] {
  const lists = merged(listingsOf(stream, { role: 'own', needs: [], config }))
  const logins = componentsIn(stream).flatMap((component) => loginEndpoints(component, config))
  return [...lists.map(listEndpoint), ...logins]
}

type Asking = Pick<Listing, 'role' | 'needs' | 'config'>

function listingsOf(stream: Component, asking: Asking): Listing[] {
  if (stream.type === 'StateDelegatingStream') {
    const branches = [stream.full_refresh_stream, stream.incremental_stream].flatMap(componentsAt)
    return branches.flatMap((branch) => listingsOf(branch, asking))
  }
  const retriever = asComponent(stream.retriever)
  if (retriever === null) return []
  const hasRequester = asComponent(retriever.requester) !== null
  const own = hasRequester ? [{ ...asking, name: textIn(stream, 'name'), retriever, stream }] : []
  const parents = componentsAt(retriever.partition_router).flatMap(parentsOf)
  return [...own, ...parents.flatMap((parent) => parentListings(parent, asking.config))]
}

/** Parents of any router: within groups and unions too. */
function parentsOf(router: Component): Component[] {
  const inner = [router.underlying_partition_router, router.partition_routers].flatMap(componentsAt)
  return [...componentsAt(router.parent_stream_configs), ...inner.flatMap(parentsOf)]
}

function parentListings(parent: Component, config: Config): Listing[] {
  const key: Path = textIn(parent, 'parent_key').split('/')
  const extra = ((parent.extra_fields as string[][] | undefined) ?? []).filter((path) => path.length > 0)
  return componentsAt(parent.stream).flatMap((stream) =>
    listingsOf(stream, { role: 'parent', needs: [key, ...extra], config }),
  )
}

/** One stream that several others need is one endpoint, with all that is needed. */
function merged(listings: readonly Listing[]): Listing[] {
  const known = new Map<string, Listing>()
  for (const listing of listings) {
    const { name, role, retriever, needs } = listing
    const requester = retriever.requester as Component
    const key = JSON.stringify([name, role, requester.path, requester.url_base, requester.url])
    const other = known.get(key)
    known.set(key, other === undefined ? listing : { ...other, needs: [...other.needs, ...needs] })
  }
  return [...known.values()]
}

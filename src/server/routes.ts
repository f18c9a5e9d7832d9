/** Every operation of the API, in the order of the description. */
import type { SiteFacts } from '../site/facts.ts'
import { openConnectors } from './connectors/connectors.ts'
import { openApi } from './openapi.ts'
import type { Route } from './route.ts'
import { openTurns } from './read-limit.ts'
import { buildingRoutes } from './inspection/routes.ts'
import { changeRoutes } from './connectors/change-routes.ts'
import { connectorRoutes } from './connectors/routes.ts'
import { exportRoutes } from './export/routes.ts'
import { sampleRoutes } from './sample/routes.ts'
import { manifestServerRoutes } from './manifest-server/routes.ts'
import { provingRoutes } from './proofs/routes.ts'
import { serviceRoutes } from './service-routes.ts'
import { syncRoutes } from './syncs/routes.ts'
import type { Services } from './services.ts'

/** At once, of the builder and of clients of the manifest server: each may hold large pages, and asks an API that others ask. */
const maxReads = 8

export function apiRoutes(facts: SiteFacts, services: Services): readonly Route[] {
  const connectors = openConnectors(services)
  const turns = openTurns(maxReads)
  const routes: readonly Route[] = [
    ...serviceRoutes(facts, describe),
    ...connectorRoutes(connectors),
    ...buildingRoutes(services, connectors, turns),
    ...provingRoutes(services, connectors, turns),
    ...exportRoutes(connectors),
    ...changeRoutes(connectors),
    ...sampleRoutes(services),
    ...syncRoutes(services.syncs, connectors),
    ...manifestServerRoutes(services, turns),
  ]
  // Most servers are never asked for it.
  let description: object | undefined
  function describe(): object {
    description ??= openApi(facts, routes, services.token !== null)
    return description
  }
  return routes
}

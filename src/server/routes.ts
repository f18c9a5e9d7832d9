/** Every operation of the API, in the order of the description. */
import type { SiteFacts } from '../site/facts.ts'
import { openConnectors } from './connectors/connectors.ts'
import { openApi } from './openapi.ts'
import type { Route } from './route.ts'
import { openTurns } from './reading/turns.ts'
import { buildingRoutes } from './routes/building.ts'
import { changeRoutes } from './routes/changes.ts'
import { connectorRoutes } from './routes/connectors.ts'
import { exportRoutes } from './routes/exports.ts'
import { sampleRoutes } from './routes/sample.ts'
import { manifestServerRoutes } from './routes/manifest-server.ts'
import { provingRoutes } from './routes/proving.ts'
import { serviceRoutes } from './routes/service.ts'
import { syncRoutes } from './routes/syncs.ts'
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

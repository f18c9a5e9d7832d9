/** Every operation of the API, in the order of the description. */
import type { SiteFacts } from '../site/facts.ts'
import { openApi } from './openapi.ts'
import type { Route } from './route.ts'
import { serviceRoutes } from './routes/service.ts'
import type { Services } from './services.ts'

export function apiRoutes(facts: SiteFacts, services: Services): readonly Route[] {
  const routes: readonly Route[] = [...serviceRoutes(facts, () => description)]
  const description = openApi(facts, routes, services.token !== null)
  return routes
}

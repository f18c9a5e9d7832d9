/** Every operation of the API, in the order of the description. */
import type { SiteFacts } from '../site/facts.ts'
import { describeApi } from './openapi.ts'
import { type Route, route } from './route.ts'
import { inspectionRoutes } from './inspection/routes.ts'
import { connectorRoutes } from './connectors/routes.ts'
import { openPublicConnectors } from './collection/public-connectors.ts'
import { collectionRoutes } from './collection/routes.ts'
import { docsRoutes } from './docs/routes.ts'
import { exportRoutes } from './export/routes.ts'
import { importRoutes } from './imports/routes.ts'
import { sampleRoutes } from './sample.ts'
import { manifestServerRoutes } from './manifest-server/routes.ts'
import { proofRoutes } from './proofs/routes.ts'
import { checkRoutes } from './checks/routes.ts'
import { testReadRoutes } from './test-reads/routes.ts'
import { templateRoutes } from './templates/routes.ts'
import { connectionRoutes } from './connections/routes.ts'
import { scheduleRoutes } from './schedules/routes.ts'
import { secretRoutes } from './secrets/routes.ts'
import { openServerSecrets } from './secrets/server-secrets.ts'
import { syncRoutes } from './syncs/routes.ts'
import type { Services } from './services.ts'
import type { Workspace } from './workspace.ts'
import { z } from 'zod'
import { catalogPath } from '../site/documents/api-catalog.ts'
import { json } from './responses.ts'

export function apiRoutes(facts: SiteFacts, services: Services, workspace: Workspace): readonly Route[] {
  const { connectors, limit, captures, queries } = workspace
  const secrets = openServerSecrets(services)
  const routes: readonly Route[] = [
    ...serviceRoutes(facts, describe),
    ...docsRoutes(services.docsIndex),
    ...connectorRoutes(services, connectors, secrets.testConfigs),
    ...inspectionRoutes(workspace),
    ...testReadRoutes({ egress: services.egress, connectors, limit, captures, secrets }),
    ...checkRoutes({ egress: services.egress, connectors, limit, secrets }),
    ...templateRoutes(captures),
    ...proofRoutes(services, connectors, limit, secrets),
    ...importRoutes(services, workspace),
    ...collectionRoutes(openPublicConnectors({ home: services.home, from: services.collection ?? null, connectors })),
    ...exportRoutes(connectors),
    ...sampleRoutes(services),
    ...secretRoutes(secrets),
    ...syncRoutes(services.syncs, connectors, queries, secrets),
    ...connectionRoutes(services, connectors, secrets),
    ...scheduleRoutes(services.schedules),
    ...manifestServerRoutes(services, limit),
  ]
  // Built on the first request: most servers never get one.
  let description: object | undefined
  function describe(): object {
    description ??= describeApi(facts, routes, services.token !== null)
    return description
  }
  return routes
}

const health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' })

const capabilities = z
  .object({ custom_code_execution: z.boolean().describe('Whether code sent in a request is run. It never is.') })
  .meta({ id: 'Capabilities' })

/** @param description depends on all routes, these included, so it is computed later. */
function serviceRoutes({ baseUrl }: SiteFacts, description: () => object): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/health',
      id: 'getHealth',
      tag: 'service',
      summary: 'Check that the server works',
      description: 'Always open, without a token: for load balancers and container probes.',
      isOpen: true,
      responses: { 200: { description: 'The server works.', body: health } },
      handle: () => json({ status: 'ok' }),
    }),
    route({
      method: 'get',
      path: '/capabilities',
      id: 'getCapabilities',
      tag: 'service',
      summary: 'Capabilities of the server',
      description: 'What a client of the manifest server asks before it sends custom code.',
      responses: { 200: { description: 'The capabilities.', body: capabilities } },
      handle: () => json({ custom_code_execution: false }),
    }),
    route({
      method: 'get',
      path: '/openapi.json',
      id: 'getDescription',
      tag: 'service',
      summary: 'This description',
      description: 'OpenAPI 3.1, made from the schemas that check every request.',
      isOpen: true,
      responses: { 200: { description: 'OpenAPI 3.1.', body: z.record(z.string(), z.unknown()) } },
      handle: () => json(description()),
    }),
    route({
      method: 'get',
      path: catalogPath,
      id: 'getCanonicalCatalog',
      tag: 'service',
      summary: 'Where the API catalog is',
      description: 'The catalog of RFC 9727 is on the public site; this address redirects to it.',
      isOpen: true,
      responses: { 308: { description: 'The catalog of the public site.', headers: { Location: 'Its address.' } } },
      // RFC 9727 §5.1: one catalog is canonical, and the others redirect to it.
      handle: () => new Response(null, { status: 308, headers: { Location: `${baseUrl}${catalogPath}` } }),
    }),
  ]
}

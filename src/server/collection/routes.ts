/** Public connectors to start from. */
import { json } from '../responses.ts'
import { type Route, route } from '../route.ts'
import { collectionSearch, foundConnectors, publicCopy } from '../wire/collection.ts'
import { savedConnector } from '../wire/connector.ts'
import type { PublicConnectors } from './public-connectors.ts'

export function collectionRoutes(collection: PublicConnectors): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/collection',
      id: 'searchCollection',
      tag: 'building',
      summary: 'Search public connectors to start from',
      description:
        'Those of the folder or git repository that the server was started with; a repository is fetched on the first request. Without one, `from` is null.',
      takes: { query: collectionSearch },
      responses: { 200: { description: 'Those whose name or title has every word.', body: foundConnectors } },
      problems: [422],
      handle: async ({ query: { search } }) => json(await collection.search(search)),
    }),
    route({
      method: 'post',
      path: '/v1/collection/copies',
      id: 'copyPublicConnector',
      tag: 'building',
      summary: 'Create a connector from a public one',
      description: 'The manifest as it is, its schemas, and a README with its licence and where it comes from.',
      takes: { body: publicCopy },
      responses: { 201: { description: 'Created.', body: savedConnector } },
      problems: [404, 409, 422],
      handle: async ({ body }) => json(await collection.copy(body), 201),
    }),
  ]
}

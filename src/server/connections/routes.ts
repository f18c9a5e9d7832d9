/** Connections of a connector: listed, and created from what was chosen for a sync. */
import { z } from 'zod'
import type { Connectors } from '../connectors/connectors.ts'
import { json } from '../responses.ts'
import { type Route, route } from '../route.ts'
import type { ServerSecrets } from '../secrets/server-secrets.ts'
import type { Services } from '../services.ts'
import { connectionRequest, savedConnection } from '../wire/connection.ts'
import { connectorName } from '../wire/connector.ts'
import { defined } from '../schedules/routes.ts'
import { createConnection, shownConnection } from './create.ts'

const named = z.object({ name: connectorName })

export function connectionRoutes(
  { syncs, schedules, home, egress }: Services,
  connectors: Connectors,
  { withStoredValues }: Pick<ServerSecrets, 'withStoredValues'>,
): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/connectors/{name}/connections',
      id: 'listConnections',
      tag: 'schedules',
      summary: 'List the connections of a connector',
      description: 'Those in `connections/` of TURNLEAF_HOME. A file with an error is in the list of schedules.',
      takes: { path: named },
      responses: { 200: { description: 'By name.', body: z.object({ connections: z.array(savedConnection) }) } },
      async handle({ path: { name } }) {
        const found = await syncs.destinations.connectionsOf(name)
        return json({ connections: found.map((one) => shownConnection(one, home)) })
      },
    }),
    route({
      method: 'post',
      path: '/v1/connectors/{name}/connections',
      id: 'createConnection',
      tag: 'schedules',
      summary: 'Create a connection, so that a schedule can sync it',
      description:
        'Written to `connections/` of TURNLEAF_HOME. Secrets of the config become references: to environment variables of the server, or to files that only their owner can read.',
      takes: { path: named, body: connectionRequest },
      responses: { 201: { description: 'Created.', body: savedConnection } },
      problems: [404, 409, 422],
      async handle({ path: { name }, body }) {
        const { text } = await connectors.open(name)
        const saved = { text, folder: await connectors.folderOf(name) }
        const connection = await createConnection(name, body, saved, { home, egress, withStoredValues })
        if (body.schedule !== undefined) await schedules.set(connection.name, defined(body.schedule))
        const shown = shownConnection(connection, home)
        return json({ ...shown, isScheduled: body.schedule !== undefined }, 201)
      },
    }),
  ]
}
